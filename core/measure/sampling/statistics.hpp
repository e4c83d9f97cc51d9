// SPDX-License-Identifier: GPL-3.0-or-later
// Robust statistics of samples. Nothing is ever dropped.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace parallax {

/// Samples in the order in which they were taken. `blocks`: of each block of the measurement the index of its first sample here, none where
/// a candidate was finished before; empty: not known.
struct Samples {
    std::span<const double> values;
    std::span<const std::size_t> blocks;
    Samples(std::span<const double> v, std::span<const std::size_t> b = {}) : values(v), blocks(b) {}
    Samples(const std::vector<double>& v) : values(v) {}
};

struct Interval {
    double low = 0, high = 0;
};

struct SampleSummary {
    std::size_t count = 0;
    double median = 0, firstQuartile = 0, thirdQuartile = 0, minimum = 0, p95 = 0;
    /// 95 %, percentile bootstrap (Efron 1979), with its percentiles moved outwards for few samples as in Hesterberg, "What
    /// Teachers Should Know About the Bootstrap" (2015): without that it is too narrow, the more so when one stops as soon as
    /// it is narrow. Whole blocks are drawn (cluster bootstrap: Davison and Hinkley 1997, section 3.8): samples that share the
    /// buffers of one preparation, or one disturbance of the machine, are not independent. Of fewer than kFewestBlocks blocks,
    /// samples by themselves.
    Interval medianInterval;
    std::size_t outliers = 0;  ///< further than 5 scaled MAD from the median: counted, kept
};

/// Quantile with linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). Empty: 0.
double quantile(std::span<const double> samples, double q);
double median(std::span<const double> samples);

/// Fewer cannot tell how much blocks differ.
inline constexpr std::size_t kFewestBlocks = 5;

/// Blocks in which there are samples; 0 without blocks, or if they cannot be those of these samples, as in a record that somebody wrote.
std::size_t filledBlocks(const Samples& samples);

/// All of it; the bootstrap is seeded, so the same samples give the same interval.
SampleSummary summarise(const Samples& samples, std::uint64_t seed = 1);

/// Whether block i of both is the same stretch of time: then it is drawn for both, and what slowed the machine down for both of them does
/// not widen the interval of their ratio.
enum class Measured { together, apart };

struct RatioIntervals {
    Interval shown;  ///< 95 %
    Interval sure;   ///< 99 %, for verdicts
};
/// Intervals of median(numerator) / median(denominator) by bootstrap of both, percentiles moved outwards as above for the
/// smaller of the two numbers of blocks (or samples, as above). Without samples: zeros.
RatioIntervals ratioIntervals(const Samples& numerator, const Samples& denominator, Measured measured, std::uint64_t seed = 1);

}  // namespace parallax
