// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/inspector/result_panel.hpp"

#include <QLabel>
#include <QLocale>
#include <QStringList>
#include <QVBoxLayout>
#include <cmath>
#include <functional>
#include <map>

#include "parallax/ui/bridge/session.hpp"
#include "parallax/ui/models/formatting.hpp"
#include "parallax/ui/theme/section.hpp"

namespace parallax::ui {

ResultPanel::ResultPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session), numbers_(new QLabel), notes_(new QLabel) {
    numbers_->setTextFormat(Qt::RichText);
    numbers_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    numbers_->setToolTip(
        tr("Of A and B: how far each is from the original, if it should look like it, and what its run found. PSNR refers to "
           "the largest finite value of the original."));
    notes_->setWordWrap(true);
    notes_->setTextFormat(Qt::PlainText);
    notes_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(makeSection(tr("Result"), {numbers_, notes_}));
    connect(&session_, &Session::sideChanged, this, &ResultPanel::update);
    connect(&session_, &Session::originalChanged, this, &ResultPanel::update);
    update();
}

void ResultPanel::update() {
    const SideResult* sides[] = {session_.side(Side::a).result.get(), session_.side(Side::b).result.get()};
    QString rows;
    const auto row = [&](const QString& name, const QString& a, const QString& b) {
        rows += QStringLiteral(
                    "<tr><td style='padding-right:14px'>%1</td><td align='right' style='padding-right:14px'>%2</td><td "
                    "align='right'>%3</td></tr>")
                    .arg(name.toHtmlEscaped(), a.toHtmlEscaped(), b.toHtmlEscaped());
    };
    const auto metric = [&](const QString& name, const std::function<QString(const DifferenceMetrics&)>& text) {
        QString values[2];
        for (int i = 0; i < 2; ++i)
            if (sides[i] && sides[i]->againstOriginal) values[i] = text(*sides[i]->againstOriginal);
        if (!values[0].isEmpty() || !values[1].isEmpty()) row(name, values[0], values[1]);
    };
    metric(tr("Largest error"), [](const DifferenceMetrics& m) { return ui::formatError(m.maxAbs); });
    metric(tr("RMSE"), [](const DifferenceMetrics& m) { return ui::formatError(m.rmse); });
    metric(tr("PSNR"), [](const DifferenceMetrics& m) {
        return tr("%1 dB").arg(std::isinf(m.psnr) ? QStringLiteral("∞") : QLocale().toString(m.psnr, 'f', 1));
    });
    // Findings of both sides side by side, in the order of their first appearance.
    std::vector<std::string> names;
    std::map<std::string, std::array<QString, 2>> values;
    for (std::size_t i = 0; i < 2; ++i)
        for (const Finding& f : sides[i] ? sides[i]->findings : std::vector<Finding>{}) {
            if (!values.contains(f.name)) names.push_back(f.name);
            values[f.name][i] = formatSample(f.value) + (f.unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(f.unit));
        }
    for (const std::string& name : names) row(QString::fromStdString(name), values[name][0], values[name][1]);
    QStringList notes;
    for (const SideResult* side : sides)
        for (const StepPlan& step : side ? side->plan : std::vector<StepPlan>{})
            for (const std::string& note : step.notes)
                if (!notes.contains(QString::fromStdString(note))) notes << QString::fromStdString(note);
    if (!rows.isEmpty())
        rows.prepend(QStringLiteral("<tr><td></td><td align='right' style='padding-right:14px'>A</td><td align='right'>B</td></tr>"));
    numbers_->setText(QStringLiteral("<table>%1</table>").arg(rows));
    numbers_->setVisible(!rows.isEmpty());
    notes_->setText(notes.join(QLatin1Char('\n')));
    notes_->setVisible(!notes.isEmpty());
    setVisible(!rows.isEmpty() || !notes.isEmpty());
}

}  // namespace parallax::ui
