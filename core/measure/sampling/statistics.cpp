// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace parallax {
namespace {

constexpr int kResamples = 1000;

double quantileOfSorted(const std::vector<double>& sorted, double q) {
    if (sorted.empty()) return 0;
    const double position = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::size_t endOfBlock(const Samples& s, std::size_t i) { return i + 1 < s.blocks.size() ? s.blocks[i + 1] : s.values.size(); }

/// Medians of resampled samples. A median needs only how often each unit was drawn: samples are sorted once, and counted in that order
/// until half of them are reached. Indices use the bits of the generator, so that every standard library gives the same.
class Resampler {
public:
    Resampler(const Samples& samples, bool byBlocks) : sorted_(samples.values.begin(), samples.values.end()) {
        std::vector<std::size_t> order(sorted_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return sorted_[i] < sorted_[j]; });
        std::vector<std::uint32_t> unitOf(sorted_.size());
        if (byBlocks) {
            for (std::size_t i = 0; i < samples.blocks.size(); ++i) {
                sizes_.push_back(endOfBlock(samples, i) - samples.blocks[i]);
                std::fill_n(unitOf.begin() + static_cast<std::ptrdiff_t>(samples.blocks[i]), sizes_.back(), static_cast<std::uint32_t>(i));
            }
        } else {
            sizes_.assign(sorted_.size(), 1);
            std::iota(unitOf.begin(), unitOf.end(), 0U);
        }
        for (const std::size_t i : order) units_.push_back(unitOf[i]);
        std::sort(sorted_.begin(), sorted_.end());
        times_.resize(sizes_.size());
    }
    std::size_t units() const { return sizes_.size(); }
    void clear() {
        std::fill(times_.begin(), times_.end(), 0U);
        drawn_ = 0;
    }
    void take(std::size_t unit) {
        ++times_[unit];
        drawn_ += sizes_[unit];
    }
    bool empty() const { return drawn_ == 0; }  // blocks may be empty
    double median() const {
        // Even counts have two middle samples.
        std::size_t i = 0, seen = times_[units_[0]];
        while (seen <= (drawn_ - 1) / 2) seen += times_[units_[++i]];
        const double lower = sorted_[i];
        if (drawn_ % 2) return lower;
        while (seen <= drawn_ / 2) seen += times_[units_[++i]];
        return (sorted_[i] + lower) / 2;
    }

private:
    std::vector<double> sorted_;
    std::vector<std::uint32_t> units_;  ///< of each sorted sample: a block, or the sample itself
    std::vector<std::size_t> sizes_;    ///< samples of each unit
    std::vector<std::uint32_t> times_;  ///< how often each unit was drawn
    std::size_t drawn_ = 0;             ///< samples
};

/// Draws the same units for all of them.
template <class... More>
void draw(std::mt19937_64& random, Resampler& first, More&... more) {
    do {
        (first.clear(), ..., more.clear());
        for (std::size_t n = first.units(); n > 0; --n) {
            const auto unit = static_cast<std::size_t>(random() % first.units());
            (first.take(unit), ..., more.take(unit));
        }
    } while ((first.empty() || ... || more.empty()));
}

constexpr double kNormal975 = 1.959963984540054, kNormal995 = 2.5758293035489004;

/// Quantile of Student's distribution for a quantile of the normal one: Cornish-Fisher expansion, Abramowitz and Stegun 26.7.5. Within
/// 1 % from 4 degrees of freedom on.
double student(double z, double freedom) {
    const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * freedom * freedom * freedom);
}

/// Expanded percentile interval: the tails are those of a normal distribution beyond sqrt(n / (n - 1)) times Student's quantile.
Interval expandedInterval(const std::vector<double>& sorted, std::size_t samples, double z) {
    double tail = 0;
    if (samples > 1) {
        const auto n = static_cast<double>(samples);
        tail = 0.5 * std::erfc(std::sqrt(n / (n - 1)) * student(z, n - 1) / std::sqrt(2.0));
    }
    return {quantileOfSorted(sorted, tail), quantileOfSorted(sorted, 1 - tail)};
}

}  // namespace

std::size_t filledBlocks(const Samples& s) {
    std::size_t filled = 0, before = 0;
    for (std::size_t i = 0; i < s.blocks.size(); ++i) {
        const std::size_t end = endOfBlock(s, i);
        if (s.blocks[i] < before || s.blocks[i] > end || end > s.values.size() || (i == 0 && s.blocks[i] != 0)) return 0;
        before = s.blocks[i];
        filled += s.blocks[i] < end;
    }
    return filled;
}

double quantile(std::span<const double> samples, double q) {
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    return quantileOfSorted(sorted, q);
}

double median(std::span<const double> samples) { return quantile(samples, 0.5); }

SampleSummary summarise(const Samples& taken, std::uint64_t seed) {
    const std::span<const double> samples = taken.values;
    SampleSummary s;
    s.count = samples.size();
    if (samples.empty()) return s;
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    s.minimum = sorted.front();
    s.firstQuartile = quantileOfSorted(sorted, 0.25);
    s.median = quantileOfSorted(sorted, 0.5);
    s.thirdQuartile = quantileOfSorted(sorted, 0.75);
    s.p95 = quantileOfSorted(sorted, 0.95);
    std::vector<double> deviations;
    for (const double v : sorted) deviations.push_back(std::fabs(v - s.median));
    const double scaledMad = 1.4826 * median(deviations);
    if (scaledMad > 0)
        for (const double d : deviations) s.outliers += d > 5 * scaledMad;
    const std::size_t blocks = filledBlocks(taken);
    const bool byBlocks = blocks >= kFewestBlocks;
    Resampler resampler(taken, byBlocks);
    std::mt19937_64 random(seed);
    std::vector<double> medians;
    for (int i = 0; i < kResamples; ++i) {
        draw(random, resampler);
        medians.push_back(resampler.median());
    }
    std::sort(medians.begin(), medians.end());
    s.medianInterval = expandedInterval(medians, byBlocks ? blocks : samples.size(), kNormal975);
    return s;
}

RatioIntervals ratioIntervals(const Samples& numerator, const Samples& denominator, Measured measured, std::uint64_t seed) {
    if (numerator.values.empty() || denominator.values.empty()) return {};
    const std::size_t blocks = std::min(filledBlocks(numerator), filledBlocks(denominator));
    const bool byBlocks = blocks >= kFewestBlocks;
    const bool together = byBlocks && measured == Measured::together && numerator.blocks.size() == denominator.blocks.size();
    Resampler a(numerator, byBlocks), b(denominator, byBlocks);
    std::mt19937_64 random(seed), other(seed + 0x9e3779b97f4a7c15ULL);
    std::vector<double> ratios;
    for (int i = 0; i < kResamples; ++i) {
        if (together) draw(random, a, b);
        else draw(random, a), draw(other, b);
        const double top = a.median(), bottom = b.median();
        if (bottom > 0) ratios.push_back(top / bottom);
    }
    std::sort(ratios.begin(), ratios.end());
    const std::size_t units = byBlocks ? blocks : std::min(numerator.values.size(), denominator.values.size());
    return {expandedInterval(ratios, units, kNormal975), expandedInterval(ratios, units, kNormal995)};
}

Verdict judge(const Interval& speedup) {
    constexpr double kLow = 1 - kNegligibleRatio, kHigh = 1 + kNegligibleRatio;
    if (!(speedup.low > 0) || !(speedup.high > 0)) return Verdict::undecided;
    if (speedup.low >= kLow && speedup.high <= kHigh) return Verdict::same;
    if (speedup.low > kHigh) return Verdict::faster;
    if (speedup.high < kLow) return Verdict::slower;
    return Verdict::undecided;
}

}  // namespace parallax
