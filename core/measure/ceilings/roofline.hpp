// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline model (Williams, Waterman and Patterson 2009): what a program that does so many operations a byte can reach at most on
// a machine of which the bandwidths and rates were measured. Operations and bytes are those of the model, the least that any
// implementation must do; nothing is counted by hardware.
#pragma once

#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// A line of the chart.
struct Roof {
    std::string device;  ///< as entries name it; empty: the processor
    std::string name;    ///< "L1", "memory", "avx2"
    bool isRate = false;
    double value = 0;       ///< GB/s, or GFLOP/s of a rate
    int threads = 0;        ///< that it was measured with
    double holdsBytes = 0;  ///< data up to this size are served by this level; infinite of memory, 0 of rates
};

/// The best of each level, with the most threads that were measured: bandwidths from the fastest level to memory, then rates from the
/// highest. Of the kernels of one level the best counts.
std::vector<Roof> roofsOf(const std::vector<CeilingRecord>& ceilings);

struct RooflinePoint {
    std::size_t record = 0, entry = 0;
    std::string label, device;
    bool onProcessor = true;
    bool wrong = false;        ///< the result disagrees with the reference
    double intensity = 0;      ///< operations a byte, by the model
    double gigaflops = 0;      ///< compute stage alone, median
    double low = 0, high = 0;  ///< 95 % interval of that
    double gigabytes = 0;      ///< a second, of the model's bytes
    double attainable = 0;     ///< of its device at this intensity, from the level that holds the data; 0: roofs not measured
    std::string boundBy;       ///< name of the roof that gives it: "memory", "avx512"
    double share() const { return attainable > 0 ? gigaflops / attainable : 0; }
    /// Its whole interval is more than 5 % above: the count, the roof or the time is wrong, or the data come from a faster level.
    bool aboveRoof = false;
    /// Above what the fastest level and the highest rate allow: no cache explains that.
    bool impossible = false;
};

/// Of all entries with samples and model counts. Roofs are those of the record itself, or `fresh` where it has none.
std::vector<RooflinePoint> rooflinePoints(const std::vector<RunRecord>& records, const std::vector<CeilingRecord>& fresh);

}  // namespace parallax
