// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/result_panel.hpp"

#include <QLabel>
#include <QPushButton>
#include <QStringList>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "core/engine/operation/capabilities.hpp"
#include "ui/models/document/core_text.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/collapsible_section.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {

ResultPanel::ResultPanel(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), numbers_(new QLabel), notes_(new QLabel), regions_(new QPushButton(tr("Show sub-bands"))) {
    numbers_->setObjectName(QStringLiteral("resultNumbers"));
    numbers_->setTextFormat(Qt::RichText);
    selectable(numbers_);
    described(numbers_, tr("Compared with the original"),
              tr("Difference of the active pane and the reference from their inputs, for pipelines that reconstruct or preserve them. PSNR "
                 "refers to the largest value of the input."));
    notes_->setWordWrap(true);
    notes_->setTextFormat(Qt::PlainText);
    selectable(notes_);
    notes_->setToolTip(tr("Notes on these parameters"));
    regions_->setObjectName(QStringLiteral("lookIntoRegions"));
    regions_->setToolTip(tr("Open the panel with mosaic, energies and gains of the sub-bands"));
    auto* layout = makeLayout<QVBoxLayout>(this);
    layout->addWidget(new CollapsibleSection(tr("Result"), "sectionResult", {numbers_, notes_, regions_}));
    connect(regions_, &QPushButton::clicked, this, &ResultPanel::regionsAsked);
    connect(&session_.comparison(), &Comparison::sideChanged, this, &ResultPanel::refresh);
    for (auto signal : {&PipelineModel::activeChanged, &PipelineModel::pairChanged})
        connect(&session_.pipeline(), signal, this, &ResultPanel::refresh);
    connect(&session_, &Session::originalChanged, this, &ResultPanel::refresh);
    refresh();
}

bool ResultPanel::hasRegions() const {
    const Side active = session_.pipeline().active();
    const auto& result = session_.side(active).result;
    if (!result || result->plan.empty()) return false;
    if (!result->plan.back().regions.empty()) return true;
    const Step* last = nullptr;
    for (const Step& step : session_.pipeline().setup().stepsOf(active).steps)
        if (step.enabled) last = &step;
    return last && !regionStepOf(*last->operation, last->parameters).empty();
}

void ResultPanel::refresh() {
    // The subject is the pane that was active last besides the reference.
    const auto [first, second] = std::minmax({session_.comparison().reference(), session_.comparison().subject()});
    const SideState *a = &session_.side(first), *b = &session_.side(second);
    // Keeps the old numbers while a slider moves, so that the layout stays.
    if ((a->pending || b->pending) && isVisible()) return;
    const SideResult* sides[] = {a->error ? nullptr : a->result.get(), b->error ? nullptr : b->result.get()};
    QString rows;
    const auto metric = [&](const QString& name, const std::function<QString(const DifferenceMetrics&)>& text) {
        QString values[2];
        for (int i = 0; i < 2; ++i)
            if (sides[i] && sides[i]->againstOriginal) values[i] = text(*sides[i]->againstOriginal);
        if (values[0].isEmpty() && values[1].isEmpty()) return;
        rows += QStringLiteral(
                    "<tr><td style='padding-right:14px'>%1</td><td align='right' style='padding-right:14px'>%2</td><td "
                    "align='right'>%3</td></tr>")
                    .arg(name.toHtmlEscaped(), values[0].toHtmlEscaped(), values[1].toHtmlEscaped());
    };
    metric(tr("Largest error"), [](const DifferenceMetrics& m) { return formatError(m.maxAbs); });
    metric(tr("RMSE"), [](const DifferenceMetrics& m) { return formatError(m.rmse); });
    metric(tr("PSNR"), [](const DifferenceMetrics& m) { return tr("%1 dB").arg(formatPsnr(m.psnr)); });
    QStringList notes;
    for (const SideResult* side : sides)
        for (const StepPlan& step : side ? side->plan : std::vector<StepPlan>{})
            for (const std::string& note : step.notes)
                if (!notes.contains(coreText(note))) notes << coreText(note);
    if (!rows.isEmpty())
        rows.prepend(QStringLiteral("<tr><td>%1</td><td align='right' style='padding-right:14px'>%2</td><td align='right'>%3</td></tr>")
                         .arg(tr("Compared with the original").toHtmlEscaped(), letterOf(first), letterOf(second)));
    numbers_->setText(QStringLiteral("<table>%1</table>").arg(rows));
    numbers_->setVisible(!rows.isEmpty());
    notes_->setText(notes.join(QLatin1Char('\n')));
    notes_->setVisible(!notes.isEmpty());
    regions_->setVisible(hasRegions());
    setVisible(!rows.isEmpty() || !notes.isEmpty() || hasRegions());
}

}  // namespace parallax::ui
