// SPDX-License-Identifier: GPL-3.0-or-later
// Plans, statistics and thresholds of denoising and compression, defined once for every backend.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "core/operations/wavelet/error_model.hpp"
#include "core/operations/wavelet/layout.hpp"
#include "core/operations/wavelet/shrink_rule.hpp"

namespace parallax {

/// Median of |x| over the standard deviation, for normally distributed x: the quantile of 3/4.
inline constexpr double kMedianOfNormal = 0.67448975019608171;

/// Statistics of the finite coefficients of a band.
struct BandStatistics {
    std::int64_t finite = 0;
    double largest = 0;  ///< |d|
    /// Of |d|, without those that count as 0 (zeroDetail): the mean of the two middle ones of an even number. Only of bands from which
    /// noise is estimated.
    double median = 0;
    std::int64_t leftOut = 0;  ///< number of coefficients without which the median was taken
    double meanSquare = 0;     ///< of d
    /// How far the median may lie below and above if rounding decided which details count as 0.
    double medianBelow = 0, medianAbove = 0;
};

struct DenoisePlan {
    WaveletPlan wavelet;
    DenoiseParameters parameters;
    std::vector<double> factors;        ///< on the thresholds of level l: factors[l - 1]
    std::vector<int> filtered, copied;  ///< channel indices
    std::vector<WaveletBand> bands;     ///< thresholded: all but the approximation
    /// Band from which the noise of a level is estimated: details along all axes. Index into `bands`.
    std::vector<std::size_t> noiseBands;  ///< index l - 1
    bool estimatesNoise() const { return parameters.rule != ThresholdRule::manual && parameters.noise == 0; }
    /// Whether the rule needs the mean square of each band.
    bool needsEnergy() const { return parameters.rule == ThresholdRule::bayes; }
};
/// Throws Error(usage): factors that are not numbers, or negative.
DenoisePlan planDenoise(const Problem& problem);

/// Noise and thresholds of one channel.
struct Thresholds {
    std::vector<double> noise;      ///< standard deviation by level, index l - 1; empty for the manual rule
    std::vector<double> threshold;  ///< of each band; infinity: nothing is kept
    std::vector<double> low, high;  ///< bounds of the rounding errors of the thresholds
};
/// Computes thresholds from statistics in the order of `bands`, of coefficients with errors up to `error`.
///   universal  strength * factor * sigma sqrt(2 ln n), n samples of the channel (Donoho and Johnstone 1994)
///   bayes      strength * factor * sigma^2 / sqrt(max(mean square - sigma^2, 0)) of each band (Chang, Yu, Vetterli 2000)
///   manual     threshold * factor
/// with sigma = median |d| / 0.6745 of the noise band of the finest level, or of each, unless it is given. Zeros are left out.
Thresholds findThresholds(const DenoisePlan& plan, const std::vector<BandStatistics>& statistics, double error);
/// Returns the largest error of a sample that thresholds anywhere in [low, high] cause; decisions of hard thresholds come on top.
double thresholdTolerance(const DenoisePlan& plan, const WaveletGains& gains, const Thresholds& thresholds,
                          const std::vector<BandStatistics>& statistics);

struct CompressPlan {
    WaveletPlan wavelet;
    std::vector<int> filtered, copied;
    std::vector<WaveletBand> bands;  ///< all
    std::int64_t coefficients = 0;   ///< of a channel
    std::int64_t kept = 0;           ///< of a channel, rounded up; more if several have the same magnitude
};
CompressPlan planCompress(const Problem& problem);

/// Returns ", R" if several channels are filtered, else an empty text.
std::string statisticSuffix(const Problem& problem, const std::vector<int>& filtered, int channel);
/// Adds the statistics of a channel: noise, the share of details without which it was estimated if there are any, and the threshold of each
/// level (of BayesShrink the mean of its bands; the largest coefficient where nothing is kept).
void addStatistics(std::vector<Statistic>& result, const DenoisePlan& plan, const Thresholds& thresholds,
                   const std::vector<BandStatistics>& statistics, const std::string& suffix);

}  // namespace parallax
