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

/// Amdahl (1967): T(p) = T(1) (s + (1 - s) / p) with the serial share s. "Serial" is whatever does not get faster with more threads:
/// also a memory that is busy, or a start that costs each time.
struct AmdahlFit {
    double serialShare = 0;  ///< 0 to 1
    double oneThread = 0;    ///< T(1) of the fit, in the unit of the times
    double residual = 0;     ///< root mean square of (measured - fitted) / measured

    double time(double threads) const { return oneThread * (serialShare + (1 - serialShare) / threads); }
    /// With any number of threads; infinite without a serial share.
    double largestSpeedup() const;
};

/// Least squares of the relative errors, both parts not below zero. Nothing with less than two different numbers of threads, and
/// with exactly two the residual is zero and says nothing.
std::optional<AmdahlFit> fitAmdahl(std::span<const ThreadTime> times);

struct ScalingPoint {
    double threads = 1;
    double speedup = 1;     ///< over one thread
    double efficiency = 1;  ///< speedup / threads
};

/// Of each time, in their order. Where one thread was not measured, the fewest count as if they scaled perfectly up to there: what
/// is shown then is relative to them.
std::vector<ScalingPoint> scalingOf(std::span<const ThreadTime> times);

}  // namespace parallax
