// SPDX-License-Identifier: GPL-3.0-or-later
// How a time falls with the number of threads, and where one implementation overtakes another.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace parallax {

struct ThreadTime {
    double threads = 1, time = 0;  ///< any unit; both > 0
};

/// Amdahl (1967): T(p) = T(1) (s + (1 - s) / p) with serial share s, which includes everything that does not scale, as saturated memory.
struct AmdahlFit {
    double serialShare = 0;  ///< 0 to 1
    double oneThread = 0;    ///< T(1) of the fit, in the unit of the times
    double residual = 0;     ///< root mean square of (measured - fitted) / measured

    double time(double threads) const { return oneThread * (serialShare + (1 - serialShare) / threads); }
    /// Limit for any number of threads; infinite without a serial share.
    double largestSpeedup() const;
};

/// Least squares of the relative errors with non-negative parts. Nothing for fewer than two thread counts; with two the residual is always
/// 0.
std::optional<AmdahlFit> fitAmdahl(std::span<const ThreadTime> times);

struct ScalingPoint {
    double threads = 1;
    double speedup = 1;     ///< over one thread
    double efficiency = 1;  ///< speedup / threads
};

/// One point for each time, in order. Without a time of one thread, the fewest threads are assumed to scale perfectly.
std::vector<ScalingPoint> scalingOf(std::span<const ThreadTime> times);

}  // namespace parallax
