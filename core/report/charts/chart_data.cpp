// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/charts/chart_data.hpp"

#include <algorithm>
#include <numeric>

#include "core/measure/sampling/entry_times.hpp"

namespace parallax {
namespace {

/// Strips: a track for each stage, so that the order of the strips shows.
void addStrips(TimelineLane& lane, const StageTimes& times) {
    std::vector<Stage> tracks;
    for (const Stage s : kAllStages)
        if (std::any_of(times.pieces().begin(), times.pieces().end(), [&](const StageTimes::Piece& p) { return p.stage == s; }))
            tracks.push_back(s);
    for (const StageTimes::Piece& p : times.pieces())
        lane.boxes.push_back({p.stage, p.span, p.span.end - p.span.begin,
                              static_cast<int>(std::find(tracks.begin(), tracks.end(), p.stage) - tracks.begin())});
    lane.tracks = static_cast<int>(tracks.size());
}

/// Each box gets the first track that is free when it begins.
void assignTracks(TimelineLane& lane) {
    std::sort(lane.boxes.begin(), lane.boxes.end(), [](const TimelineBox& a, const TimelineBox& b) { return a.span.begin < b.span.begin; });
    std::vector<std::int64_t> freeFrom;
    for (TimelineBox& box : lane.boxes) {
        const auto track = std::find_if(freeFrom.begin(), freeFrom.end(), [&](std::int64_t end) { return end <= box.span.begin; });
        box.track = static_cast<int>(track - freeFrom.begin());
        if (track == freeFrom.end()) freeFrom.push_back(box.span.end);
        else *track = box.span.end;
    }
    lane.tracks = std::max<int>(1, static_cast<int>(freeFrom.size()));
}

/// The parts to draw, in ascending order: those that compute longest, if there are many.
std::vector<int> partsToDraw(const StageTimes& times) {
    constexpr std::size_t kMaxLanes = 8;
    std::vector<std::int64_t> computed(static_cast<std::size_t>(times.parts()));
    for (const StageTimes::Piece& p : times.pieces())
        if (p.stage == Stage::compute) computed[static_cast<std::size_t>(p.part)] += p.span.end - p.span.begin;
    std::vector<int> parts(computed.size());
    std::iota(parts.begin(), parts.end(), 0);
    std::stable_sort(parts.begin(), parts.end(),
                     [&](int a, int b) { return computed[static_cast<std::size_t>(a)] > computed[static_cast<std::size_t>(b)]; });
    parts.resize(std::min(parts.size(), kMaxLanes));
    std::sort(parts.begin(), parts.end());
    return parts;
}

/// Parts of a run: a lane each, which begins with the first one.
void addParts(std::vector<TimelineLane>& lanes, const RunEntry& entry, std::size_t index, const StageTimes& times) {
    for (const int part : partsToDraw(times)) {
        TimelineLane lane{entry.label + " part " + std::to_string(part + 1), index, {}, 1};
        for (const StageTimes::Piece& p : times.pieces())
            if (p.part == part) lane.boxes.push_back({p.stage, p.span, p.span.end - p.span.begin, 0});
        assignTracks(lane);
        if (!lane.boxes.empty()) lanes.push_back(std::move(lane));
    }
}

/// Where each record of a part is in its sweep. Records of older versions carry no note of it: seriesOf() finds it from what differs.
std::vector<SweepRecord> positionsOf(const RooflineChartPart& part) {
    if (!part.isSweep()) return {SweepRecord{}};
    const SweepSeries series = seriesOf(part.records);
    std::vector<SweepRecord> positions;
    for (const std::string& value : series.values) positions.push_back({series.axis, value});
    return positions;
}

}  // namespace

std::int64_t TimelineLane::end() const {
    std::int64_t last = 0;
    for (const TimelineBox& box : boxes) last = std::max(last, box.span.end);
    return last;
}

std::vector<TimelineLane> timelineLanes(const RunRecord& record) {
    std::vector<TimelineLane> lanes;
    for (std::size_t i = 0; i < record.entries.size(); ++i) {
        const RunEntry& e = record.entries[i];
        const std::size_t typical = typicalSample(e);
        if (typical >= e.samples.size()) continue;
        const StageTimes& times = e.samples[typical];
        if (times.parts() > 1) {
            addParts(lanes, e, i, times);
            continue;
        }
        TimelineLane lane{e.label, i, {}, 1};
        const auto inStrips = [&](Stage s) {
            return std::any_of(times.pieces().begin(), times.pieces().end(), [&](const StageTimes::Piece& p) { return p.stage == s; });
        };
        for (const Stage s : kAllStages)
            if (const auto& span = times.span(s); span.known() && !inStrips(s)) lane.boxes.push_back({s, span, times[s], 0});
        if (times.pieces().empty()) assignTracks(lane);
        else addStrips(lane, times);
        if (!lane.boxes.empty()) lanes.push_back(std::move(lane));
    }
    return lanes;
}

std::vector<ScalingCurve> scalingCurves(const SweepSeries& sweep, const std::vector<RunRecord>& records) {
    std::vector<ScalingCurve> curves;
    const bool overParts = sweepsParts(sweep.axis), weak = sweep.axis == "weak";
    const std::vector<CostPrediction> predictions = overParts ? predictParts(records) : std::vector<CostPrediction>{};
    for (const Series& series : sweep.series) {
        std::vector<ThreadTime> times;
        std::vector<const SeriesPoint*> measured;
        for (const SeriesPoint& p : series.points) {
            const double count = overParts ? p.x : static_cast<double>(p.threads);
            if (p.wrong || count <= 0 || p.compute.median <= 0) continue;
            // Weak scaling has as many times the work.
            times.push_back({count, p.compute.median / (weak ? count : 1)});
            measured.push_back(&p);
        }
        if (std::all_of(times.begin(), times.end(), [&](const ThreadTime& t) { return t.threads == times.front().threads; })) continue;
        ScalingCurve curve{series.label, {}, weak ? std::nullopt : fitAmdahl(times)};
        for (const CostPrediction& p : predictions)
            if (p.label == series.label) curve.prediction = p;
        const std::vector<ScalingPoint> scaling = scalingOf(times);
        for (std::size_t i = 0; i < measured.size(); ++i) {
            const SeriesPoint& p = *measured[i];
            const ScalingPoint& s = scaling[i];
            const double oneThread = s.speedup * p.compute.median;
            ScalingCurvePoint point{p.record, p.entry, p.compute, s.threads, s.speedup, {}, s.efficiency, {}};
            point.speedupInterval = {oneThread / std::max(1.0, p.compute.medianInterval.high),
                                     oneThread / std::max(1.0, p.compute.medianInterval.low)};
            point.efficiencyInterval = {point.speedupInterval.low / s.threads, point.speedupInterval.high / s.threads};
            if (curve.followsAmdahl()) point.amdahl = curve.fit->oneThread / curve.fit->time(s.threads);
            if (curve.prediction && curve.prediction->model) point.model = curve.prediction->model->speedup(static_cast<int>(s.threads));
            curve.points.push_back(std::move(point));
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

bool RooflineChartPart::sameMachine(const RooflineChartPart& candidate) const {
    if (records.empty() || candidate.records.empty()) return true;
    const MachineRecord &a = records.front().machine, &b = candidate.records.front().machine;
    return a.cpu == b.cpu && a.host == b.host && a.usableThreads == b.usableThreads &&
           std::equal(a.gpus.begin(), a.gpus.end(), b.gpus.begin(), b.gpus.end(),
                      [](const GpuRecord& x, const GpuRecord& y) { return x.name == y.name; });
}

std::string RooflineChartData::seriesLabel(const RooflinePoint& point) const {
    return isSwept(point) && positions[point.record].axis == "threads" ? labelWithoutThreads(point.label) : point.label;
}

RooflineChartData rooflineChartData(std::vector<RooflineChartPart> parts, const std::vector<CeilingRecord>& ceilings) {
    RooflineChartData data;
    std::erase_if(parts, [](const RooflineChartPart& p) { return p.records.empty(); });
    std::vector<RunRecord> records;
    bool fromThisSession = false;
    for (const RooflineChartPart& part : parts) {
        if (!part.sameMachine(parts.front())) {
            data.otherMachine = part.records.front().machine.cpu;
            continue;
        }
        for (SweepRecord& position : positionsOf(part)) data.positions.push_back(std::move(position));
        records.insert(records.end(), part.records.begin(), part.records.end());
        if (part.source.empty()) fromThisSession = true;
        else if (std::find(data.sources.begin(), data.sources.end(), part.source) == data.sources.end())
            data.sources.push_back(part.source);
    }
    const std::vector<CeilingRecord> known = fromThisSession ? ceilings : std::vector<CeilingRecord>{};
    for (const RunRecord& r : records)
        if (data.ceilings.empty()) data.ceilings = bestCeilings(r.machine.ceilings);
    if (data.ceilings.empty()) data.ceilings = bestCeilings(known);
    for (const RunRecord& r : records) addSumsOfDevices(data.ceilings, r.entries);
    data.points = rooflinePoints(records, known);
    return data;
}

}  // namespace parallax
