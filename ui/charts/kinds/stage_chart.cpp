// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "ui/charts/chart_style.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/choice_text.hpp"

namespace parallax::ui {
namespace {

/// Stage names as in files, the same in every language.
QString stageKey(Stage stage) { return QString::fromUtf8(stageName(stage).data(), static_cast<qsizetype>(stageName(stage).size())); }

}  // namespace

QString StageChart::titleOf(Stage stage) {
    switch (stage) {
        case Stage::allocate: return tr("allocate");
        case Stage::upload: return tr("upload");
        case Stage::compute: return tr("compute");
        case Stage::exchange: return tr("exchange");
        case Stage::download: return tr("download");
        default: return stageKey(stage);
    }
}

void StageChart::draw() {
    struct Bar {
        const SummaryRow& row;
        int entry;
        double position = 0, end = 0;  // of what is drawn, in the unit of the axis
    };
    std::vector<Bar> bars;
    for (std::size_t i = 0; data_ && i < data_->rows.size(); ++i)
        if (measured(data_->rows[i])) bars.push_back({data_->rows[i], static_cast<int>(i)});
    if (bars.empty()) return showPlaceholder(plot(), tr("Stages\n\nPress Benchmark to see where the time of each backend goes."));
    QStringList names, tips, cut, overlaps;
    std::vector<double> totals;
    const int count = static_cast<int>(bars.size());
    for (int i = 0; i < count; ++i) {
        Bar& bar = bars[static_cast<std::size_t>(i)];
        bar.position = categoryPosition(i, count);
        names << QString::fromStdString(bar.row.label);
        tips << choiceTexts(data_->record->entries[static_cast<std::size_t>(bar.entry)]).join(QLatin1Char('\n'));
        if (bar.row.stagesOverlap()) overlaps << names.back();
        totals.push_back(bar.row.stackedTime());
    }
    const double longest = rangeOfBars(totals);
    const auto [unit, divisor] = timeUnitFor(longest);
    setCategories(names, tips);
    const bool cold = data_->record->protocol.coldCaches;
    QCPAxisRect& axes = *prepareBarChart(plot(), cold ? tr("Stages, median times, cold caches") : tr("Stages, median times"),
                                         tr("time [%1]").arg(unit), names);
    setColumns(
        {{QStringLiteral("backend"), tr("Backend")}, {QStringLiteral("stage"), tr("Stage")}, {QStringLiteral("median_ns"), tr("Median")}});
    const double thickness = barThickness(plot(), count, 0.62);
    QCPBars* below = nullptr;
    for (const Stage stage : kStackedStages) {
        const bool any = std::any_of(bars.begin(), bars.end(), [&](const Bar& bar) { return bar.row.stage(stage) > 0; });
        QCPBars* drawn = any ? addBars(axes, styleOf(stage), thickness, titleOf(stage)) : nullptr;
        for (Bar& bar : bars) {
            const double time = bar.row.stage(stage), shown = std::clamp(longest / divisor - bar.end, 0.0, time / divisor);
            const QString name = QString::fromStdString(bar.row.label);
            const int row = addRow({.cells = {name, ChartCell(titleOf(stage), stageKey(stage)), ChartCell(formatDuration(time), time)},
                                    .record = 0,
                                    .entry = bar.entry});
            if (drawn) drawn->addData(bar.position, shown);
            if (time > 0)
                addSpot(row, axes, {bar.end, bar.position - thickness / 2}, {bar.end + shown, bar.position + thickness / 2},
                        tr("%1, %2: %3 of %4").arg(name, titleOf(stage), formatDuration(time), formatDuration(bar.row.endToEnd.median)));
            bar.end += shown;
        }
        if (drawn && below) drawn->moveAbove(below);
        if (drawn) below = drawn;
    }
    for (const Bar& bar : bars) {
        const bool isCut = bar.row.stackedTime() > longest;
        if (isCut) {
            cut << QString::fromStdString(bar.row.label);
            markCut(axes, longest / divisor, bar.position, thickness);
        }
        addTextBehind(axes, bar.end, bar.position, isCut ? cutText(bar.row.endToEnd.median) : formatDuration(bar.row.endToEnd.median));
    }
    QStringList notes;
    if (!cut.isEmpty()) notes << tr("Bars cut off: %1.").arg(cut.join(QStringLiteral(", ")));
    if (!overlaps.isEmpty())
        notes << tr("Stages overlap, so the run is shorter than their sum: %1.").arg(overlaps.join(QStringLiteral(", ")));
    setNotes(notes);
    setRangeWithRoom(axes, 0, longest / divisor, cutText(*std::max_element(totals.begin(), totals.end())));
    placeLegend(plot());
}

}  // namespace parallax::ui
