// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/step_text.hpp"

#include <QLocale>

#include "core/engine/pipeline/step_summary.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/pipeline/pipeline_model.hpp"

namespace parallax::ui {
namespace {

std::string translated(const std::string& text) {
    if (text == "on") return PipelineModel::tr("on").toStdString();
    if (text == "off") return PipelineModel::tr("off").toStdString();
    return catalogText(text).toStdString();
}

const SummaryLanguage& windowLanguage() {
    static const SummaryLanguage language{.translate = translated, .number = [](double value) { return numberText(value).toStdString(); }};
    return language;
}

}  // namespace

QString numberText(double value, int digits) {
    QLocale plain;
    plain.setNumberOptions(QLocale::OmitGroupSeparator);
    return plain.toString(value, 'g', digits);
}

QString stepText(const Step& step) { return QString::fromStdString(summaryOf(step, windowLanguage())); }

QString stepText(const std::string& recipeText) {
    return QString::fromStdString(summaryOf(processCatalog(), recipeText, windowLanguage()));
}

QString recipeText(const QStringList& recipe) {
    QStringList steps;
    for (const QString& step : recipe) steps << stepText(step.toStdString());
    return steps.join(QStringLiteral(" → "));
}

QString recipeText(const std::vector<std::string>& recipe) {
    QStringList steps;
    for (const std::string& step : recipe) steps << QString::fromStdString(step);
    return recipeText(steps);
}

}  // namespace parallax::ui
