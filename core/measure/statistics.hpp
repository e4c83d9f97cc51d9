// SPDX-License-Identifier: GPL-3.0-or-later
// Robust statistics of samples. Nothing is ever dropped.
#pragma once

#include <cstdint>
#include <span>

namespace parallax {

struct Interval {
    double low = 0, high = 0;
};

struct SampleSummary {
    std::size_t count = 0;
    double median = 0, firstQuartile = 0, thirdQuartile = 0, minimum = 0, p95 = 0;
    Interval medianInterval;   ///< 95 %, percentile bootstrap (Efron 1979)
    std::size_t outliers = 0;  ///< further than 5 scaled MAD from the median: counted, kept
};

/// Quantile with linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). Empty: 0.
double quantile(std::span<const double> samples, double q);
double median(std::span<const double> samples);

/// All of it; the bootstrap is seeded, so the same samples give the same interval.
SampleSummary summarise(std::span<const double> samples, std::uint64_t seed = 1);

/// 95 % interval of median(numerator) / median(denominator) by bootstrap of both.
Interval ratioInterval(std::span<const double> numerator, std::span<const double> denominator, std::uint64_t seed = 1);

}  // namespace parallax
