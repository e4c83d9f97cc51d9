// SPDX-License-Identifier: GPL-3.0-or-later
// Robust statistics of timing samples. No sample is dropped.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace parallax {

/// Samples in measurement order. `blocks`: index of the first sample of each block; fewer if the candidate finished early, empty if
/// unknown.
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
    /// 95 %, percentile bootstrap (Efron 1979), expanded for few samples (Hesterberg 2015). Draws whole blocks (cluster bootstrap, Davison
    /// and Hinkley 1997, section 3.8), since samples with the same buffers or disturbance depend on each other; single samples if there are
    /// fewer than kFewestBlocks blocks.
    Interval medianInterval;
    std::size_t outliers = 0;  ///< farther than 5 scaled MAD from the median; counted and kept
};

/// Quantile with linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). Empty: 0.
double quantile(std::span<const double> samples, double q);
double median(std::span<const double> samples);

/// Fewer blocks cannot show how much blocks differ.
inline constexpr std::size_t kFewestBlocks = 5;

/// Number of blocks with samples; 0 without blocks or for invalid ones, as in an edited record.
std::size_t filledBlocks(const Samples& samples);

/// The bootstrap is seeded, so that the same samples give the same interval.
SampleSummary summarise(const Samples& samples, std::uint64_t seed = 1);

/// together: block i of both covers the same time, so both draw the same blocks, and common disturbances do not widen the interval.
enum class Measured { together, apart };

struct RatioIntervals {
    Interval shown;  ///< 95 %
    Interval sure;   ///< 99 %, for verdicts
};
/// Intervals of median(numerator) / median(denominator) by bootstrap of both, expanded as above for the smaller number of blocks or
/// samples. Zeros without samples.
RatioIntervals ratioIntervals(const Samples& numerator, const Samples& denominator, Measured measured, std::uint64_t seed = 1);

enum class Verdict { faster, slower, same, undecided };
/// "FASTER", ...
constexpr std::string_view verdictName(Verdict verdict) {
    constexpr std::string_view kNames[] = {"FASTER", "SLOWER", "SAME", "UNDECIDED"};
    return kNames[static_cast<std::size_t>(verdict)];
}

/// Smaller differences are negligible: the placement of code and buffers changes times by as much (Mytkowicz et al., ASPLOS 2009).
inline constexpr double kNegligibleRatio = 0.02;

/// Verdict on the interval of a speedup (baseline time / time) by a region of practical equivalence of 1 +- 2 % (Kruschke 2018): SAME if
/// the interval lies within it, FASTER or SLOWER if it lies outside, else UNDECIDED. Pass the 99 % interval (RatioIntervals::sure):
/// sampling stops when intervals are narrow, so that 95 % intervals would be wrong more often than once in twenty.
Verdict judge(const Interval& speedup);

}  // namespace parallax
