// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>
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

double medianInPlace(std::vector<double>& v) {
    const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
    std::nth_element(v.begin(), middle, v.end());
    if (v.size() % 2) return *middle;
    return (*middle + *std::max_element(v.begin(), middle)) / 2;
}

/// Medians of resampled samples. Indices come from the generator's bits, so that every standard library gives the same.
class Resampler {
public:
    Resampler(std::span<const double> samples, std::uint64_t seed) : samples_(samples), random_(seed), drawn_(samples.size()) {}
    double next() {
        for (double& d : drawn_) d = samples_[static_cast<std::size_t>(random_() % samples_.size())];
        return medianInPlace(drawn_);
    }

private:
    std::span<const double> samples_;
    std::mt19937_64 random_;
    std::vector<double> drawn_;
};

constexpr double kNormal975 = 1.959963984540054, kNormal995 = 2.5758293035489004;

/// The point of Student's distribution that belongs to this point of the normal one: Cornish-Fisher expansion, 26.7.5 of
/// Abramowitz and Stegun. Within 1 % from 4 degrees of freedom on.
double student(double z, double freedom) {
    const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * freedom * freedom * freedom);
}

/// The expanded percentile interval: the tails are those of a normal distribution beyond sqrt(n / (n - 1)) times Student's point.
Interval expandedInterval(const std::vector<double>& sorted, std::size_t samples, double z) {
    double tail = 0;
    if (samples > 1) {
        const auto n = static_cast<double>(samples);
        tail = 0.5 * std::erfc(std::sqrt(n / (n - 1)) * student(z, n - 1) / std::sqrt(2.0));
    }
    return {quantileOfSorted(sorted, tail), quantileOfSorted(sorted, 1 - tail)};
}

}  // namespace

double quantile(std::span<const double> samples, double q) {
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    return quantileOfSorted(sorted, q);
}

double median(std::span<const double> samples) { return quantile(samples, 0.5); }

SampleSummary summarise(std::span<const double> samples, std::uint64_t seed) {
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
    Resampler resampler(samples, seed);
    std::vector<double> medians;
    for (int i = 0; i < kResamples; ++i) medians.push_back(resampler.next());
    std::sort(medians.begin(), medians.end());
    s.medianInterval = expandedInterval(medians, samples.size(), kNormal975);
    return s;
}

RatioIntervals ratioIntervals(std::span<const double> numerator, std::span<const double> denominator, std::uint64_t seed) {
    if (numerator.empty() || denominator.empty()) return {};
    Resampler a(numerator, seed), b(denominator, seed + 0x9e3779b97f4a7c15ULL);
    std::vector<double> ratios;
    for (int i = 0; i < kResamples; ++i) {
        const double top = a.next(), bottom = b.next();
        if (bottom > 0) ratios.push_back(top / bottom);
    }
    std::sort(ratios.begin(), ratios.end());
    const std::size_t samples = std::min(numerator.size(), denominator.size());
    return {expandedInterval(ratios, samples, kNormal975), expandedInterval(ratios, samples, kNormal995)};
}

Interval ratioInterval(std::span<const double> numerator, std::span<const double> denominator, std::uint64_t seed) {
    return ratioIntervals(numerator, denominator, seed).shown;
}

}  // namespace parallax
