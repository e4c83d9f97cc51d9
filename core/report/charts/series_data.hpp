// SPDX-License-Identifier: GPL-3.0-or-later
// Data of the charts of series (see HasSeries), such as the residual of each iteration, that the window and the reports share. Rules of
// such data: chart_data.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// A series of an entry, with all its values.
struct SeriesCurve {
    static constexpr std::size_t kNoEntry = static_cast<std::size_t>(-1);
    std::string entry;             ///< label of the entry
    std::size_t index = kNoEntry;  ///< of the entry in the record, if it has one
    std::string label;             ///< tells curves of one entry apart: "step 2"; else empty
    std::string end;               ///< see RunSeries
    std::vector<double> x, y;
    std::string name() const { return label.empty() ? entry : entry + ", " + label; }
};

/// A value of y that runs aim at.
struct SeriesTolerance {
    double value = 0;
    std::vector<std::string> entries;  ///< that aim at it
};

/// All curves over one pair of axes.
struct SeriesChartData {
    int step = 0;                ///< among the enabled ones
    std::string operation, key;  ///< see SeriesRecord
    std::string title, xTitle, yTitle, xUnit, yUnit;
    bool logarithmicX = false;  ///< the longest curve is ten times as long as the shortest: on a linear axis the short ones are invisible
    bool logarithmicY = false;
    std::vector<SeriesCurve> curves;          ///< in the order of the entries
    std::vector<SeriesTolerance> tolerances;  ///< descending

    using Point = std::pair<double, double>;
    /// The points of a curve that the axes can show: finite, and above 0 on a logarithmic axis. Evenly thinned to about `most`; the last
    /// one is among them.
    std::vector<Point> points(const SeriesCurve& curve, std::size_t most) const;
};

/// Series of a run that is not in the record, or not yet.
struct SeriesOfRun {
    std::string label;  ///< as of an entry
    std::vector<SeriesRecord> series;
};

/// One chart for each step and key, in the order of the record, then of `runs`. A run stands for the entry of the same label if that has no
/// series yet. Empty without series.
std::vector<SeriesChartData> seriesCharts(const RunRecord& record, const std::vector<SeriesOfRun>& runs = {});

}  // namespace parallax
