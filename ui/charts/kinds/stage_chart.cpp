// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/kinds/stage_chart.hpp"

#include <algorithm>

#include "ui/charts/chart_style.hpp"
#include "ui/charts/plot.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

/// Stage names as in files, the same in every language.
QString stageKey(Stage stage) { return QString::fromUtf8(stageName(stage).data(), static_cast<qsizetype>(stageName(stage).size())); }

constexpr std::array kShown{Stage::allocate, Stage::upload, Stage::compute, Stage::exchange, Stage::download};

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

int StageChart::styleOf(Stage stage) {
    switch (stage) {
        case Stage::compute: return 0;
        case Stage::upload: return 1;
        case Stage::download: return 2;
        case Stage::allocate: return 3;
        default: return 4;
    }
}

StageChart::StageChart(QWidget* parent)
    : Chart(QStringLiteral("stages"), tr("Stages chart"),
            tr("Median time of each stage, per backend. The whole bar is end to end, the solid part is compute. Click a bar to show that "
               "run in B; right-click to copy or save."),
            parent) {
    rebuild();
}

void StageChart::setSummary(std::shared_ptr<const TimingSummary> summary) {
    summary_ = std::move(summary);
    rebuild();
}

void StageChart::draw() {
    std::vector<const TimingRow*> rows;
    if (summary_)
        for (const TimingRow& row : summary_->rows)
            if (row.measured()) rows.push_back(&row);
    if (rows.empty()) return showPlaceholder(plot(), tr("Stages\n\nPress Benchmark to see where the time of each backend goes."));
    QStringList names, tips;
    std::vector<double> totals;
    QStringList cut, overlaps;
    for (const TimingRow* row : rows) {
        names << row->label;
        tips << row->choices.join(QLatin1Char('\n'));
        double total = 0;
        for (const Stage stage : kShown) total += row->stage(stage);
        // The sum of medians is close to the median of sums, but not equal.
        if (total > 1.05 * row->numbers.endToEnd.median) overlaps << row->label;
        totals.push_back(total);
    }
    const double longest = rangeOfBars(totals);
    const auto [unit, divisor] = timeUnitFor(longest);
    setCategories(names, tips);
    prepareBarChart(plot(), tr("Stages, median times"), tr("time [%1]").arg(unit), names);
    QCPAxisRect* axes = plot().axisRect(0);
    const int count = static_cast<int>(rows.size());
    QCPAxis* x = axes->axis(QCPAxis::atBottom);
    QCPAxis* y = axes->axis(QCPAxis::atLeft);
    numbers().columns = {{QStringLiteral("backend"), tr("Backend"), {}},
                         {QStringLiteral("stage"), tr("Stage"), {}},
                         {QStringLiteral("median_ns"), tr("Median"), {}}};
    const double thickness = barThickness(plot(), count, 0.62);
    QVector<double> ends(count, 0.0);
    QCPBars* below = nullptr;
    for (const Stage stage : kShown) {
        QVector<double> keys, values;
        double sum = 0;
        for (int i = 0; i < count; ++i) {
            keys << categoryPosition(i, count);
            const double time = rows[static_cast<std::size_t>(i)]->stage(stage) / divisor;
            values << std::clamp(longest / divisor - ends[i], 0.0, time);
            sum += time;
        }
        for (int i = 0; i < count; ++i) {
            const TimingRow& row = *rows[static_cast<std::size_t>(i)];
            const double time = row.stage(stage);
            ChartRow line;
            line.record = 0;
            line.entry = row.entry;
            line.cells = {row.label, ChartCell(titleOf(stage), stageKey(stage)), ChartCell(formatDuration(time), time)};
            numbers().rows << line;
            if (time > 0)
                addSpot({static_cast<int>(numbers().rows.size()) - 1,
                         x,
                         y,
                         {ends[i], keys[i] - thickness / 2},
                         {ends[i] + values[i], keys[i] + thickness / 2},
                         tr("%1, %2: %3 of %4")
                             .arg(row.label, titleOf(stage), formatDuration(time), formatDuration(row.numbers.endToEnd.median))});
            ends[i] += values[i];
        }
        if (sum <= 0) continue;
        auto* bars = new QCPBars(axes->axis(QCPAxis::atLeft), axes->axis(QCPAxis::atBottom));
        bars->setName(titleOf(stage));
        bars->setProperty("inLegend", true);
        bars->setWidth(thickness);
        bars->setBrush(seriesBrush(styleOf(stage)));
        bars->setPen(QPen(seriesColour(styleOf(stage)), 1));
        bars->setData(keys, values);
        if (below) bars->moveAbove(below);
        below = bars;
    }
    for (int i = 0; i < count; ++i) {
        const TimingRow& row = *rows[static_cast<std::size_t>(i)];
        const double total = totals[static_cast<std::size_t>(i)];
        const bool isCut = total > longest;
        if (isCut) {
            cut << row.label;
            markCut(plot(), longest / divisor, categoryPosition(i, count), thickness);
        }
        auto* text = new QCPItemText(&plot());
        text->position->setAxisRect(axes);
        text->position->setAxes(axes->axis(QCPAxis::atBottom), axes->axis(QCPAxis::atLeft));
        text->position->setCoords(std::min(total, longest) / divisor, categoryPosition(i, count));
        text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        text->setPadding(QMargins(5, 0, 0, 0));
        text->setColor(currentTheme().chartText);
        text->setText(isCut ? cutText(row.numbers.endToEnd.median) : formatDuration(row.numbers.endToEnd.median));
        text->setClipToAxisRect(false);
    }
    QStringList notes;
    if (!cut.isEmpty()) notes << tr("Bars cut off: %1.").arg(cut.join(QStringLiteral(", ")));
    if (!overlaps.isEmpty())
        notes << tr("Stages overlap, so the run is shorter than their sum: %1.").arg(overlaps.join(QStringLiteral(", ")));
    setNotes(notes.join(QLatin1Char(' ')));
    setRangeWithRoom(plot(), 0, longest / divisor, cutText(*std::max_element(totals.begin(), totals.end())));
    placeLegend(plot());
    plot().replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace parallax::ui
