// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "ui/charts/chart_style.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/choice_text.hpp"

namespace parallax::ui {

void TimelineChart::draw() {
    const std::vector<TimelineLane> lanes = data_ ? timelineLanes(*data_) : std::vector<TimelineLane>{};
    const bool samples =
        data_ && std::any_of(data_->entries.begin(), data_->entries.end(), [](const RunEntry& e) { return !e.samples.empty(); });
    if (lanes.empty())
        return showPlaceholder(plot(), samples ? tr("Timeline\n\nThis report has no start times of stages.")
                                               : tr("Timeline\n\nPress Benchmark to see when each stage starts and ends."));
    setColumns({{QStringLiteral("backend"), tr("Backend")},
                {QStringLiteral("stage"), tr("Stage")},
                {QStringLiteral("begin_ns"), tr("Start"), tr("Relative to the start of the run")},
                {QStringLiteral("end_ns"), tr("End"), tr("Relative to the start of the run")},
                {QStringLiteral("busy_ns"), tr("Active"), tr("Time in this stage; shorter than end minus start if it was interrupted")}});
    QStringList names, tips, overlaps, cut;
    std::vector<double> ends;
    int tracks = 1;
    for (const TimelineLane& lane : lanes) {
        tracks = std::max(tracks, lane.tracks);
        names << QString::fromStdString(lane.label);
        tips << choiceTexts(data_->entries[lane.entry]).join(QLatin1Char('\n'));
        ends.push_back(static_cast<double>(lane.end()));
    }
    const double longest = rangeOfBars(ends);
    const TimeUnit unit = timeUnitFor(longest);
    setCategories(names, tips, 7 * tracks + 5);
    QCPAxisRect& axes = *prepareBarChart(plot(), titled(tr("Timeline of a typical run"), source_), tr("time [%1]").arg(unit.name), names);
    const int count = static_cast<int>(lanes.size());
    const double thickness = barThickness(plot(), count, 0.72);
    std::set<Stage> used;
    for (int i = 0; i < count; ++i) {
        const TimelineLane& lane = lanes[static_cast<std::size_t>(i)];
        const double height = thickness / lane.tracks, middle = categoryPosition(i, count), top = middle + thickness / 2;
        if (lane.tracks > 1) overlaps << names[i];
        for (const TimelineBox& box : lane.boxes) {
            used.insert(box.stage);
            const double begin = static_cast<double>(box.span.begin), end = static_cast<double>(box.span.end);
            const QPointF from(std::min(begin, longest) / unit.nanoseconds, top - box.track * height),
                to(std::min(end, longest) / unit.nanoseconds, top - (box.track + 1) * height);
            addBox(axes, from, to, styleOf(box.stage));
            const int row = addRow({.cells = {names[i], StageChart::titleOf(box.stage), durationCell(begin), durationCell(end),
                                              durationCell(static_cast<double>(box.busy))},
                                    .record = 0,
                                    .entry = static_cast<int>(lane.entry)});
            addSpot(row, axes, from, to,
                    tr("%1, %2: from %3 to %4").arg(names[i], StageChart::titleOf(box.stage), formatDuration(begin), formatDuration(end)));
        }
        if (const double end = ends[static_cast<std::size_t>(i)]; end > longest) {
            cut << names[i];
            markCut(axes, longest / unit.nanoseconds, middle, thickness);
            addTextBehind(axes, longest / unit.nanoseconds, middle, cutText(end));
        }
    }
    QStringList notes;
    if (!cut.isEmpty()) notes << tr("Bars cut off: %1.").arg(cut.join(QStringLiteral(", ")));
    if (!overlaps.isEmpty()) notes << tr("Stages overlap: %1.").arg(overlaps.join(QStringLiteral(", ")));
    setNotes(notes);
    // An empty series gives the legend its name, colour and hatching.
    for (const Stage stage : kAllStages)
        if (used.contains(stage)) addBars(axes, styleOf(stage), thickness, StageChart::titleOf(stage));
    if (cut.isEmpty()) axes.axis(QCPAxis::atBottom)->setRange(0, longest / unit.nanoseconds * 1.05);
    else setRangeWithRoom(axes, 0, longest / unit.nanoseconds, cutText(*std::max_element(ends.begin(), ends.end())));
    placeLegend(plot());
}

}  // namespace parallax::ui
