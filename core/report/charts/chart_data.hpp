// SPDX-License-Identifier: GPL-3.0-or-later
// Data of the charts that the window and the reports share: series, labels, values and intervals. Labels are those of the record and are
// never translated; times are in ns. Each side draws the data in its own way: ui/charts with QCustomPlot, reports as Drawing.
//
//   chart                 data
//   stages, speedup       summarise(record) (summary.hpp): stages, stackedTime(), stagesOverlap(), computeSpeedup, endToEndSpeedup
//   runs                  timesOf(entry, Time::compute) (entry_times.hpp)
//   timeline              timelineLanes(record)
//   sweep                 seriesOf(records), timeOf(point, time), crossovers() (sweep_series.hpp)
//   scaling               scalingCurves(seriesOf(records), records)
//   roofline              rooflineChartData(parts, ceilings)
//   convergence           seriesCharts(record) (series_data.hpp)
//   history               compareRecords(base, current, limit) (compare.hpp)
//
// summarise(), seriesOf(), compareRecords() and rooflineChartData() compute bootstrap intervals: call them outside the thread of the
// window.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/measure/ceilings/roofline.hpp"
#include "core/measure/sweeps/cost_model.hpp"
#include "core/measure/sweeps/scaling.hpp"
#include "core/measure/sweeps/sweep_series.hpp"

namespace parallax {

/// Colour and pattern of a stage in every chart, as an index of series: compute has the first colour and a solid fill.
constexpr int styleOf(Stage stage) {
    switch (stage) {
        case Stage::compute: return 0;
        case Stage::upload: return 1;
        case Stage::download: return 2;
        case Stage::allocate: return 3;
        default: return 4;
    }
}

/// One box of a timeline: a stage, or the part of a stage that worked on one strip.
struct TimelineBox {
    Stage stage = Stage::compute;
    StageTimes::Span span;  ///< ns after the start of the run
    std::int64_t busy = 0;  ///< ns of work; less than the span where the stage was interrupted
    int track = 0;          ///< boxes that overlap are on different tracks
};
/// The typical run of an entry, see typicalSample().
struct TimelineLane {
    std::string label;
    std::size_t entry = 0;  ///< index in the record
    std::vector<TimelineBox> boxes;
    int tracks = 1;
    std::int64_t end() const;  ///< of the last box, ns
};
/// One lane for each entry whose stages have known spans, or for each of its parts, in the order of the record.
std::vector<TimelineLane> timelineLanes(const RunRecord& record);

struct ScalingCurvePoint {
    std::size_t record = 0, entry = 0;
    SampleSummary compute;                        ///< ns
    double threads = 1, speedup = 1;              ///< threads, or parts of a sweep over them; speedup over one for the same work
    Interval speedupInterval;                     ///< 95 %, from the interval of this time alone
    double efficiency = 1;                        ///< speedup / threads
    Interval efficiencyInterval;                  ///< 95 %
    std::optional<double> amdahl = std::nullopt;  ///< speedup of the fitted law at this number of threads, if the curve follows it
    std::optional<double> model = std::nullopt;   ///< speedup that the cost model predicts for this number of parts, if there is one
};
struct ScalingCurve {
    std::string label;
    std::vector<ScalingCurvePoint> points;
    std::optional<AmdahlFit> fit;                             ///< not of weak scaling
    std::optional<CostPrediction> prediction = std::nullopt;  ///< of a sweep over parts
    /// Amdahl's law describes these times to 10 % (root mean square). Otherwise its serial share and limit mean nothing.
    bool followsAmdahl() const { return fit && fit->residual <= 0.1; }
};
/// One curve for each series with valid results at two different numbers of threads or more, or of parts if those are swept. Otherwise
/// devices and serial backends have none. `records`: those of the sweep.
std::vector<ScalingCurve> scalingCurves(const SweepSeries& sweep, const std::vector<RunRecord>& records);

/// A benchmark (one record) or the records of a sweep, to be drawn in one roofline.
struct RooflineChartPart {
    std::vector<RunRecord> records;
    std::string source;  ///< name of the report; empty: measured in this session
    bool isSweep() const { return records.size() != 1 || !records.front().sweep.axis.empty(); }
    /// Same processor, devices and host, so that the same ceilings apply.
    bool sameMachine(const RooflineChartPart& candidate) const;
};
struct RooflineChartData {
    std::vector<Ceiling> ceilings;       ///< of the first record that has ceilings
    std::vector<RooflinePoint> points;   ///< RooflinePoint::record counts through all parts that are shown
    std::vector<SweepRecord> positions;  ///< of each record in its sweep; without an axis: a benchmark
    std::vector<std::string> sources;    ///< names of the reports, each once
    std::string otherMachine;            ///< processor of a part that was left out; empty: none
    bool isSwept(const RooflinePoint& p) const { return p.record < positions.size() && !positions[p.record].axis.empty(); }
    /// Label of the series of a point: without the number of threads where that is the axis of its sweep.
    std::string seriesLabel(const RooflinePoint& point) const;
};
/// The first part decides the machine; parts of another machine are left out. `ceilings` are those of this machine: they apply only if a
/// part of this session is shown.
RooflineChartData rooflineChartData(std::vector<RooflineChartPart> parts, const std::vector<CeilingRecord>& ceilings);

}  // namespace parallax
