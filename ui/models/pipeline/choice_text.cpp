// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/choice_text.hpp"

#include <QCoreApplication>

#include "core/engine/backend/catalog.hpp"

namespace parallax::ui {
namespace {

QString choiceText(const std::string& implementation, const std::string& reason) {
    const QString ran = QString::fromStdString(implementation);
    if (reason.empty()) return ran;
    const QString why = reason == kAskedFor      ? QCoreApplication::translate("choice", "requested by name")
                        : reason == kFirstListed ? QCoreApplication::translate("choice", "first variant of its backend that supports this")
                                                 : QString::fromStdString(reason);
    return QStringLiteral("%1: %2").arg(ran, why);
}

}  // namespace

QStringList choiceTexts(const RunEntry& entry) {
    QStringList lines;
    for (std::size_t i = 0; i < entry.implementations.size(); ++i)
        lines << choiceText(entry.implementations[i], i < entry.choices.size() ? entry.choices[i] : std::string());
    return lines;
}

QStringList choiceTexts(const std::vector<StepPlan>& plan) {
    QStringList lines;
    for (const StepPlan& step : plan) lines << choiceText(step.implementation, step.reason);
    return lines;
}

}  // namespace parallax::ui
