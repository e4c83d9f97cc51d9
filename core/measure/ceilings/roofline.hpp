// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline model (Williams, Waterman and Patterson 2009): attainable rate for an arithmetic intensity, given measured bandwidths and
// rates. Operations and bytes are model counts; no hardware counters are read.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// A line of the chart: a measured bandwidth or rate.
struct Ceiling {
    std::string device;  ///< as entries name it; empty: the CPU
    std::string name;    ///< "L1", "memory", "avx2"
    bool isRate = false;
    double value = 0;       ///< GB/s, or GFLOP/s of a rate
    int threads = 0;        ///< of the measurement
    double holdsBytes = 0;  ///< capacity of the level; infinite for memory, 0 for rates
};

/// Vertical axis of the chart: operations, bytes or samples a second, each in 10^9.
enum class RooflineQuantity { operations, bytes, samples };
inline constexpr std::array kRooflineQuantities{RooflineQuantity::operations, RooflineQuantity::bytes, RooflineQuantity::samples};
/// "GFLOP/s", "GB/s", "Gsample/s".
const char* unitOf(RooflineQuantity quantity);
/// Value of a ceiling at an arithmetic intensity: bandwidths rise with it in operations a second and are level in bytes a second, rates
/// fall in the latter. Not for samples, whose ceilings differ from point to point: RooflinePoint::attainable times its scale.
double valueAt(const Ceiling& ceiling, double intensity, RooflineQuantity quantity);

/// The best kernel of each level with the largest thread count: bandwidths from the fastest level to memory, then rates from the highest.
std::vector<Ceiling> bestCeilings(const std::vector<CeilingRecord>& ceilings);

/// Adds the ceilings of runs on several equal devices, which entries name "2 x NAME": so many times those of one.
void addSumsOfDevices(std::vector<Ceiling>& ceilings, const std::vector<RunEntry>& entries);

struct RooflinePoint {
    std::size_t record = 0, entry = 0;
    std::string label, device;
    bool onProcessor = true;
    bool wrong = false;        ///< the result disagrees with the reference
    double intensity = 0;      ///< operations a byte
    double gigaflops = 0;      ///< median of the compute stage
    double low = 0, high = 0;  ///< 95 % interval
    double gigabytes = 0;      ///< a second
    double gigasamples = 0;    ///< samples of the input a second: pixels or voxels times channels
    double attainable = 0;     ///< GFLOP/s at this intensity from the level that holds the data; 0: no ceilings
    std::string boundBy;       ///< name of the ceiling that limits: "memory", "avx512"
    double share() const { return attainable > 0 ? gigaflops / attainable : 0; }
    /// Factor from `gigaflops`, `low`, `high` and `attainable` to another quantity: bytes or samples an operation.
    double scale(RooflineQuantity quantity) const;
    /// The interval is more than 5 % above: count, ceiling or time is wrong, or the data come from a faster level.
    bool aboveCeiling = false;
    /// Above the fastest level and the highest rate too: no cache explains that.
    bool impossible = false;
};

/// One point for each entry with samples and model counts. Ceilings are those of the record, or `fresh` if it has none.
std::vector<RooflinePoint> rooflinePoints(const std::vector<RunRecord>& records, const std::vector<CeilingRecord>& fresh);

}  // namespace parallax
