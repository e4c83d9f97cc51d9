// SPDX-License-Identifier: GPL-3.0-or-later
// The records of a sweep as one series for each backend, and where the fastest changes.
#pragma once

#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/measure/sampling/entry_times.hpp"

namespace parallax {

struct SeriesPoint {
    double x = 0;
    std::size_t record = 0, entry = 0;  ///< source of the point
    SampleSummary compute, endToEnd;    ///< ns
    bool wrong = false;                 ///< the result disagrees with the reference
    int threads = 0;                    ///< 0 on a device
};
struct Series {
    std::string label;                ///< "openmp.simd"; without the number of the axis: threads or parts
    std::vector<SeriesPoint> points;  ///< ascending x
};
struct SweepSeries {
    std::string axis;                 ///< "size", "threads", "parts", "weak", "convolve.size"; empty for a single record
    bool numeric = true;              ///< else x is the index of the value
    std::vector<std::string> values;  ///< one for each record
    std::vector<Series> series;       ///< entries without samples have no point

    /// Whether a logarithmic x axis is useful.
    bool logarithmic() const;
};

/// Whether points of this axis have different numbers of parts: "parts" with one image (strong scaling), "weak" with an image that grows
/// with them (weak scaling).
inline bool sweepsParts(const std::string& axis) { return axis == "parts" || axis == "weak"; }

/// Records without a note of their sweep, as of older versions, are placed by what differs: number of threads, else width of the input,
/// else the recipe as text.
SweepSeries seriesOf(const std::vector<RunRecord>& records);

/// Time of a point, ns.
inline const SampleSummary& timeOf(const SeriesPoint& point, Time time) { return time == Time::endToEnd ? point.endToEnd : point.compute; }

/// "openmp.simd:4t#1" -> "openmp.simd#1".
std::string labelWithoutThreads(const std::string& label);
/// "openmp.simd@2:4t" -> "openmp.simd:4t".
std::string labelWithoutParts(const std::string& label);
/// "openmp.simd@2:4t" -> 2; 1 without a number of parts.
int partsOfLabel(const std::string& label);

/// A change of the fastest series with growing x.
struct Crossover {
    double x = 0;                  ///< interpolated on logarithmic axes
    std::size_t from = 0, to = 0;  ///< series
    double time = 0;               ///< of both at x
    bool sure = false;             ///< the intervals of both are disjoint on both sides
};
/// Ignores wrong results, and series without a value on both sides.
std::vector<Crossover> crossovers(const SweepSeries& sweep, Time time);

}  // namespace parallax
