// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/kinds/timeline_chart.hpp"

#include <algorithm>

#include "core/report/charts/chart_data.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/charts/kinds/stage_chart.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/choice_text.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {

TimelineChart::TimelineChart(QWidget* parent)
    : Chart(QStringLiteral("timeline"), tr("Timeline chart"),
            tr("Start and end of each stage in the run with the median time, per backend. Stages that overlap in time are drawn below each "
               "other. Gaps are time between stages."),
            parent) {
    rebuild();
}

void TimelineChart::setRecord(std::shared_ptr<const RunRecord> record, const QString& source) {
    record_ = std::move(record);
    source_ = source;
    rebuild();
}

void TimelineChart::draw() {
    const std::vector<TimelineLane> lanes = record_ ? timelineLanes(*record_) : std::vector<TimelineLane>{};
    const bool samples =
        record_ && std::any_of(record_->entries.begin(), record_->entries.end(), [](const RunEntry& e) { return !e.samples.empty(); });
    std::vector<double> ends;
    for (const TimelineLane& lane : lanes) ends.push_back(static_cast<double>(lane.end()));
    if (lanes.empty())
        return showPlaceholder(plot(), samples ? tr("Timeline\n\nThis report has no start times of stages.")
                                               : tr("Timeline\n\nPress Benchmark to see when each stage starts and ends."));
    numbers().columns = {
        {QStringLiteral("backend"), tr("Backend"), {}},
        {QStringLiteral("stage"), tr("Stage"), {}},
        {QStringLiteral("begin_ns"), tr("Start"), tr("Relative to the start of the run")},
        {QStringLiteral("end_ns"), tr("End"), tr("Relative to the start of the run")},
        {QStringLiteral("busy_ns"), tr("Active"), tr("Time in this stage; shorter than end minus start if it was interrupted")}};
    const double longest = rangeOfBars(ends);
    const TimeUnit unit = timeUnitFor(longest);
    QStringList names, tips;
    int tracks = 1;
    for (const TimelineLane& lane : lanes) {
        tracks = std::max(tracks, lane.tracks);
        names << QString::fromStdString(lane.label);
        tips << choiceTexts(record_->entries[lane.entry]).join(QLatin1Char('\n'));
    }
    const QString title = tr("Timeline of a typical run");
    setCategories(names, tips, 7 * tracks + 5);
    prepareBarChart(plot(), source_.isEmpty() ? title : tr("%1 – from %2").arg(title, source_), tr("time [%1]").arg(unit.name), names);
    QCPAxis* x = plot().axisRect(0)->axis(QCPAxis::atBottom);
    QCPAxis* y = plot().axisRect(0)->axis(QCPAxis::atLeft);
    const int count = static_cast<int>(lanes.size());
    std::vector<Stage> used;
    QStringList overlaps, cut;
    for (int i = 0; i < count; ++i) {
        const TimelineLane& lane = lanes[static_cast<std::size_t>(i)];
        const double whole = barThickness(plot(), count, 0.72), height = whole / lane.tracks;
        const double top = categoryPosition(i, count) + whole / 2;
        if (lane.tracks > 1) overlaps << names[i];
        for (const TimelineBox& p : lane.boxes) {
            if (std::find(used.begin(), used.end(), p.stage) == used.end()) used.push_back(p.stage);
            const double begin = static_cast<double>(p.span.begin), end = static_cast<double>(p.span.end),
                         busy = static_cast<double>(p.busy);
            auto* box = new QCPItemRect(&plot());
            for (QCPItemPosition* corner : {box->topLeft, box->bottomRight}) {
                corner->setAxisRect(plot().axisRect(0));
                corner->setAxes(x, y);
            }
            box->setClipAxisRect(plot().axisRect(0));
            const QPointF from(std::min(begin, longest) / unit.nanoseconds, top - p.track * height),
                to(std::min(end, longest) / unit.nanoseconds, top - (p.track + 1) * height);
            box->topLeft->setCoords(from);
            box->bottomRight->setCoords(to);
            box->setBrush(seriesBrush(StageChart::styleOf(p.stage)));
            box->setPen(QPen(seriesColour(StageChart::styleOf(p.stage)), 1));
            ChartRow row;
            row.record = 0;
            row.entry = static_cast<int>(lane.entry);
            row.cells = {names[i], StageChart::titleOf(p.stage), ChartCell(formatDuration(begin), begin),
                         ChartCell(formatDuration(end), end), ChartCell(formatDuration(busy), busy)};
            numbers().rows << row;
            addSpot({static_cast<int>(numbers().rows.size()) - 1, x, y, from, to,
                     tr("%1, %2: from %3 to %4").arg(names[i], StageChart::titleOf(p.stage), formatDuration(begin), formatDuration(end))});
        }
    }
    for (int i = 0; i < count; ++i) {
        if (ends[static_cast<std::size_t>(i)] <= longest) continue;
        cut << names[i];
        markCut(plot(), longest / unit.nanoseconds, categoryPosition(i, count), barThickness(plot(), count, 0.72));
        auto* text = new QCPItemText(&plot());
        text->position->setAxisRect(plot().axisRect(0));
        text->position->setAxes(x, y);
        text->position->setCoords(longest / unit.nanoseconds, categoryPosition(i, count));
        text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        text->setPadding(QMargins(5, 0, 0, 0));
        text->setColor(currentTheme().chartText);
        text->setText(cutText(ends[static_cast<std::size_t>(i)]));
        text->setClipToAxisRect(false);
    }
    QStringList notes;
    if (!cut.isEmpty()) notes << tr("Bars cut off: %1.").arg(cut.join(QStringLiteral(", ")));
    if (!overlaps.isEmpty()) notes << tr("Stages overlap: %1.").arg(overlaps.join(QStringLiteral(", ")));
    setNotes(notes.join(QLatin1Char(' ')));
    for (const Stage stage : kAllStages) {
        if (std::find(used.begin(), used.end(), stage) == used.end()) continue;
        // An empty series gives the legend its name, colour and hatching.
        auto* bars = new QCPBars(y, x);
        bars->setName(StageChart::titleOf(stage));
        bars->setProperty("inLegend", true);
        bars->setBrush(seriesBrush(StageChart::styleOf(stage)));
        bars->setPen(QPen(seriesColour(StageChart::styleOf(stage)), 1));
    }
    if (cut.isEmpty()) x->setRange(0, longest / unit.nanoseconds * 1.05);
    else setRangeWithRoom(plot(), 0, longest / unit.nanoseconds, cutText(*std::max_element(ends.begin(), ends.end())));
    placeLegend(plot());
    plot().replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace parallax::ui
