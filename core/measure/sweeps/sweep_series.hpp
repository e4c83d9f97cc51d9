// SPDX-License-Identifier: GPL-3.0-or-later
// The records of a sweep as series, one an implementation, and where the fastest of them changes.
#pragma once

#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/measure/sampling/entry_times.hpp"

namespace parallax {

struct SeriesPoint {
    double x = 0;
    std::size_t record = 0, entry = 0;  ///< where it comes from
    SampleSummary compute, endToEnd;    ///< ns
    bool wrong = false;                 ///< the result disagrees with the reference
    int threads = 0;                    ///< that ran it; 0 on a device
};
struct Series {
    std::string label;                ///< "openmp.simd": without the number of threads where that is the axis
    std::vector<SeriesPoint> points;  ///< by growing x
};
struct SweepSeries {
    std::string axis;                 ///< "size", "threads", "convolve.size"; empty for a single record
    bool numeric = true;              ///< else x counts the values
    std::vector<std::string> values;  ///< as text, by record
    std::vector<Series> series;       ///< in the order of the first record; entries without samples have no point

    /// Can x be shown in ratios?
    bool logarithmic() const;
};

/// Records without a note of their sweep, as of older versions, are placed by what differs: number of threads, else width of the input,
/// else the recipe as text.
SweepSeries seriesOf(const std::vector<RunRecord>& records);

/// Time of a point, ns.
inline const SampleSummary& timeOf(const SeriesPoint& point, Time time) { return time == Time::endToEnd ? point.endToEnd : point.compute; }

/// "openmp.simd@4#1" -> "openmp.simd#1".
std::string labelWithoutThreads(const std::string& label);

/// Where the fastest changes as x grows.
struct Crossover {
    double x = 0;                  ///< in between, straight lines through logarithms taken
    std::size_t from = 0, to = 0;  ///< series
    double time = 0;               ///< of both at x
    bool sure = false;             ///< the intervals of both do not touch on either side
};
/// Points that are wrong take no part, and no series without a value on both sides.
std::vector<Crossover> crossovers(const SweepSeries& sweep, Time time);

}  // namespace parallax
