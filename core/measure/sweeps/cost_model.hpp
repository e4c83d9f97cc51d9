// SPDX-License-Identifier: GPL-3.0-or-later
// Cost model of work on parts (host threads, devices, MPI ranks): predicts the compute time, exchange included, of more parts than were
// measured. Every quantity was measured; nothing is fitted.
//
//   T(p) = c n(p) / t(p) + max(0, m s(p) a + v o(p) / b - h i(p) / i(q)) + k ceil(log2 p) r + w / b      T(1) = c n(1) / t(1)
//
//   p     number of parts
//   n(p)  rows of the largest part (slices of a volume): parts begin at multiples of u rows. In weak scaling the image has p / p0 times
//         the rows that it had with the fewest parts p0
//   c     ns a row with one thread or device: median compute stage with the fewest parts, times t(p0) / n(p0)
//   t(p)  threads of a part, 1 for a device. Beyond the measured numbers of parts, threads are divided further if all measured runs had
//         the same number, down to one for each part; else every part keeps those that it had.
//   m, v  messages and bytes that the busiest part received in exchanges, k and w collective calls and their bytes, as recorded with the
//         most parts q (PartTraffic)
//   s(p)  parts that a part receives from, min(p - 1, 2 ceil(e / 2 / n(p))), over those with q parts
//   o(p)  sides on which a part has others, min(p - 1, 2), over those with q parts
//   e     rows of a part that need rows of others, as recorded; 2 at least
//   i(p)  rows that need none: max(0, n(p) - e)
//   a, b  latency [ns] and bandwidth [bytes / ns] of the slowest measured link between parts, r latency of a reduction of two parts
//         (CeilingRecord, link.hpp)
//   h     ns between start and finish of exchanges, behind which they are hidden, as recorded with q parts
//
// Messages after Hockney, "The communication challenge for MPP", Parallel Computing 20 (1994): a + bytes / b each. Collective calls as
// binary trees: Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19 (2005).
// Not in the model: contention for memory and links, imbalance besides the number of rows, and caches that hold smaller parts better.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// Highest predicted number of parts.
inline constexpr int kMaxPredictedParts = 1024;

struct CostModel {
    int fewest = 1, most = 1;                          ///< measured numbers of parts: p0, q
    double compute = 0, base = 0;                      ///< ns, with the fewest parts: compute stage, and with exchange
    std::int64_t rows = 1;                             ///< of the image with the fewest parts; slices of a volume
    bool weak = false;                                 ///< the image grows with the parts
    std::map<int, int> threads;                        ///< of all parts together, for each measured number of parts; 0: devices
    TrafficRecord traffic;                             ///< with the most parts
    double latency = 0, bandwidth = 0, reduction = 0;  ///< a, b, r; 0: not measured, and not needed

    std::int64_t largestPart(int parts) const;  ///< n
    int threadsOfPart(int parts) const;         ///< t
    double time(int parts) const;               ///< T, ns
    double exchange(int parts) const;           ///< ns of T that messages add
    /// Over one part, as measured points have it: without a run on one part, the fewest are assumed to scale perfectly. In weak scaling the
    /// work grows, too.
    double speedup(int parts) const { return base * (weak ? parts : fewest) / time(parts); }
    double efficiency(int parts) const { return speedup(parts) / parts; }
};

/// Quantities that may be missing, in the order in which they are looked for.
enum class CostGap { none, traffic, uncounted, latency, bandwidth, reduction };

/// The model of one backend of a sweep over parts, and how well it agrees with the measured points.
struct CostPrediction {
    struct Check {
        int parts = 1;
        double measured = 0, predicted = 0;  ///< ns
        double error() const { return predicted / measured - 1; }
    };
    std::string label;  ///< of the series, without the number of parts
    CostGap gap = CostGap::none;
    std::string uncounted;           ///< implementation whose traffic is not counted
    std::string link;                ///< name of the link that is missing, else the one in use
    std::optional<CostModel> model;  ///< unless there is a gap
    std::vector<Check> checks;       ///< measured points besides that with the fewest parts, ascending
    int crowded = 0;                 ///< points that are not compared: they had more threads than the machine

    /// Median and maximum of the absolute relative errors; nothing without a check.
    std::optional<double> medianError() const, worstError() const;
};

/// One prediction for each backend with valid results on two different numbers of parts or more, in the order of the records: those of a
/// sweep over parts (sweepsParts()). `fresh`: ceilings of this machine, for records without any.
std::vector<CostPrediction> predictParts(const std::vector<RunRecord>& records, const std::vector<CeilingRecord>& fresh = {});

/// Numbers of parts of a curve: powers of two from `from` to kMaxPredictedParts, and `from` itself.
std::vector<int> predictedParts(int from);

}  // namespace parallax
