// SPDX-License-Identifier: GPL-3.0-or-later
// Distances of floating-point samples in units in the last place.
#pragma once

#include <array>
#include <cstdint>

#include "core/engine/run/run_context.hpp"
#include "core/image/view.hpp"

namespace parallax {

/// Number of steps between neighbouring floats from a to b, both finite; +0 and -0 are the same value. From 0 to 2^32.
std::uint64_t ulpDistance(float a, float b);

/// ULP distances over all samples that are finite in both images. A pair agrees if both are NaN or the same infinity; it is not compared
/// then. Any other pair with a non-finite sample is a mismatch.
struct UlpMetrics {
    static constexpr std::size_t kClasses = 34;
    std::uint64_t largest = 0;
    std::uint64_t compared = 0, mismatches = 0;
    /// counts[0]: equal samples; counts[k]: distances d with 2^(k - 2) < d <= 2^(k - 1).
    std::array<std::uint64_t, kClasses> counts{};

    /// Largest distance of a class: 0, 1, 2, 4, 8, ...
    static constexpr std::uint64_t bound(std::size_t k) { return k == 0 ? 0 : std::uint64_t{1} << (k - 1); }
    /// Share of the compared samples with at most the distance bound(k); 1 without samples.
    double shareWithin(std::size_t k) const;
};

/// Throws Error(usage) if the shapes differ, Error(cancelled).
UlpMetrics ulpMetrics(View<const float> a, View<const float> b, RunContext& context);

}  // namespace parallax
