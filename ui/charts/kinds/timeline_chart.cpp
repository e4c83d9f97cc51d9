// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/kinds/timeline_chart.hpp"

#include <algorithm>

#include "core/measure/sampling/timeline.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/charts/kinds/stage_chart.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/choice_text.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

struct Piece {
    Stage stage = Stage::compute;
    StageTimes::Span span;
    std::int64_t busy = 0;
    int track = 0;  // one below the other where they overlap
};

struct Lane {
    QString label;
    int entry = 0;
    std::vector<Piece> pieces;
    int tracks = 1;
};

Lane laneOf(const RunEntry& e, int index) {
    Lane lane{QString::fromStdString(e.label), index, {}, 1};
    const std::size_t i = typicalSample(e);
    if (i >= e.samples.size()) return lane;
    const StageTimes& times = e.samples[i];
    const auto isCut = [&](Stage s) {
        return std::any_of(times.pieces().begin(), times.pieces().end(), [&](const StageTimes::Piece& p) { return p.stage == s; });
    };
    for (const Stage s : kAllStages)
        if (const auto& span = times.span(s); span.known() && !isCut(s)) lane.pieces.push_back({s, span, times[s], 0});
    if (!times.pieces().empty()) {
        // Strips: a track for each stage, so that one sees how they follow each other.
        std::vector<Stage> tracks;
        for (const Stage s : kAllStages)
            if (isCut(s)) tracks.push_back(s);
        for (const StageTimes::Piece& p : times.pieces())
            lane.pieces.push_back({p.stage, p.span, p.span.end - p.span.begin,
                                   static_cast<int>(std::find(tracks.begin(), tracks.end(), p.stage) - tracks.begin())});
        lane.tracks = static_cast<int>(tracks.size());
        return lane;
    }
    std::sort(lane.pieces.begin(), lane.pieces.end(), [](const Piece& a, const Piece& b) { return a.span.begin < b.span.begin; });
    std::vector<std::int64_t> free;  // when each track is free again
    for (Piece& p : lane.pieces) {
        const auto track = std::find_if(free.begin(), free.end(), [&](std::int64_t end) { return end <= p.span.begin; });
        p.track = static_cast<int>(track - free.begin());
        if (track == free.end()) free.push_back(p.span.end);
        else *track = p.span.end;
    }
    lane.tracks = std::max<int>(1, static_cast<int>(free.size()));
    return lane;
}

}  // namespace

TimelineChart::TimelineChart(QWidget* parent)
    : Chart(QStringLiteral("timeline"), tr("Timeline chart"),
            tr("The run of each backend that took the median time: when its stages began and ended. Stages at work at the same time stand "
               "one below the other. Gaps are time between stages."),
            parent) {
    rebuild();
}

void TimelineChart::setRecord(std::shared_ptr<const RunRecord> record, const QString& source) {
    record_ = std::move(record);
    source_ = source;
    rebuild();
}

void TimelineChart::draw() {
    std::vector<Lane> lanes;
    std::vector<double> ends;
    bool samples = false;
    for (std::size_t i = 0; record_ && i < record_->entries.size(); ++i) {
        samples = samples || !record_->entries[i].samples.empty();
        Lane lane = laneOf(record_->entries[i], static_cast<int>(i));
        if (lane.pieces.empty()) continue;
        std::int64_t end = 0;
        for (const Piece& p : lane.pieces) end = std::max(end, p.span.end);
        ends.push_back(static_cast<double>(end));
        lanes.push_back(std::move(lane));
    }
    if (lanes.empty())
        return showPlaceholder(plot(), samples ? tr("Timeline\n\nThis report does not say when its stages began.")
                                               : tr("Timeline\n\nPress Benchmark to see the stages of a run one after the other."));
    numbers().columns = {{QStringLiteral("backend"), tr("Backend"), {}},
                         {QStringLiteral("stage"), tr("Stage"), {}},
                         {QStringLiteral("begin_ns"), tr("Begins"), tr("After the beginning of the run")},
                         {QStringLiteral("end_ns"), tr("Ends"), tr("After the beginning of the run")},
                         {QStringLiteral("busy_ns"), tr("At work"), tr("Less than the time between where it was interrupted")}};
    const double longest = rangeOfBars(ends);
    const TimeUnit unit = timeUnitFor(longest);
    QStringList names, tips;
    int tracks = 1;
    for (const Lane& lane : lanes) {
        tracks = std::max(tracks, lane.tracks);
        names << lane.label;
        tips << choiceTexts(record_->entries[static_cast<std::size_t>(lane.entry)]).join(QLatin1Char('\n'));
    }
    const QString title = tr("Stages of a typical run, in time");
    setCategories(names, tips, 7 * tracks + 5);
    prepareBarChart(plot(), source_.isEmpty() ? title : tr("%1 – from %2").arg(title, source_), tr("time [%1]").arg(unit.name), names);
    QCPAxis* x = plot().axisRect(0)->axis(QCPAxis::atBottom);
    QCPAxis* y = plot().axisRect(0)->axis(QCPAxis::atLeft);
    const int count = static_cast<int>(lanes.size());
    std::vector<Stage> used;
    QStringList overlaps, cut;
    for (int i = 0; i < count; ++i) {
        const Lane& lane = lanes[static_cast<std::size_t>(i)];
        const double whole = barThickness(plot(), count, 0.72), height = whole / lane.tracks;
        const double top = categoryPosition(i, count) + whole / 2;
        if (lane.tracks > 1) overlaps << lane.label;
        for (const Piece& p : lane.pieces) {
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
            row.entry = lane.entry;
            row.cells = {lane.label, StageChart::titleOf(p.stage), ChartCell(formatDuration(begin), begin),
                         ChartCell(formatDuration(end), end), ChartCell(formatDuration(busy), busy)};
            numbers().rows << row;
            addSpot(
                {static_cast<int>(numbers().rows.size()) - 1, x, y, from, to,
                 tr("%1, %2: from %3 to %4").arg(lane.label, StageChart::titleOf(p.stage), formatDuration(begin), formatDuration(end))});
        }
    }
    for (int i = 0; i < count; ++i) {
        if (ends[static_cast<std::size_t>(i)] <= longest) continue;
        cut << lanes[static_cast<std::size_t>(i)].label;
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
    if (!cut.isEmpty()) notes << tr("Longer than drawn: %1.").arg(cut.join(QStringLiteral(", ")));
    if (!overlaps.isEmpty()) notes << tr("Stages overlap: %1.").arg(overlaps.join(QStringLiteral(", ")));
    setNotes(notes.join(QLatin1Char(' ')));
    for (const Stage stage : kAllStages) {
        if (std::find(used.begin(), used.end(), stage) == used.end()) continue;
        // An empty series: the legend takes its name, colour and hatching.
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
