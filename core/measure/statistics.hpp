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
    /// 95 %, percentile bootstrap (Efron 1979), with its percentiles moved outwards for few samples as in Hesterberg, "What
    /// Teachers Should Know About the Bootstrap" (2015): without that it is too narrow, the more so when one stops as soon as
    /// it is narrow.
    Interval medianInterval;
    std::size_t outliers = 0;  ///< further than 5 scaled MAD from the median: counted, kept
};

/// Quantile with linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). Empty: 0.
double quantile(std::span<const double> samples, double q);
double median(std::span<const double> samples);

/// All of it; the bootstrap is seeded, so the same samples give the same interval.
SampleSummary summarise(std::span<const double> samples, std::uint64_t seed = 1);

struct RatioIntervals {
    Interval shown;  ///< 95 %
    Interval sure;   ///< 99 %, for verdicts
};
/// Intervals of median(numerator) / median(denominator) by bootstrap of both, percentiles moved outwards as above for the
/// smaller of the two numbers of samples. Without samples: zeros.
RatioIntervals ratioIntervals(std::span<const double> numerator, std::span<const double> denominator, std::uint64_t seed = 1);
/// The 95 % one.
Interval ratioInterval(std::span<const double> numerator, std::span<const double> denominator, std::uint64_t seed = 1);

}  // namespace parallax
