// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/error_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace parallax {
namespace {

/// One pass along one axis.
struct PassGain {
    double lo = 0, hi = 0;  ///< largest |row sum| or row norm of the low-pass and the high-pass rows
    double roundings = 0;   ///< largest sum of magnitudes of what a row adds up, before terms of one sample are merged
};

PassGain analysisPass(const WaveletPlan& plan, std::size_t axis, int level) {
    const std::int64_t n = plan.axes[axis].count[static_cast<std::size_t>(level) - 1],
                       m = plan.axes[axis].count[static_cast<std::size_t>(level)];
    const int taps = plan.taps(), shift = analysisShift(taps, plan.mode);
    PassGain gain;
    const auto row = [&](std::int64_t o, const std::vector<double>& filter, double& largest) {
        std::map<std::int64_t, double> weights;
        double met = 0;
        for (int j = 0; j < taps; ++j) {
            const auto e = extendedSample<std::int64_t>(2 * o + shift - j, n, plan.mode);
            for (int k = 0; k < e.count; ++k) {
                const double w = filter[static_cast<std::size_t>(j)] * e.factor[k];
                weights[e.index[k]] += w;
                met += std::fabs(w);
            }
        }
        double sum = 0, squares = 0;
        for (const auto& [index, w] : weights) {
            sum += w;
            squares += w * w;
        }
        largest = std::max({largest, std::fabs(sum), std::sqrt(squares)});
        gain.roundings = std::max(gain.roundings, met);
    };
    // Rows differ near the ends only; one between them stands for all others.
    const std::int64_t near = taps / 2 + 1;
    for (std::int64_t o = 0; o < m; ++o) {
        if (o > near && o < m - near) o = m - near;
        row(o, plan.bank.decLo, gain.lo);
        row(o, plan.bank.decHi, gain.hi);
    }
    return gain;
}

struct SynthesisGain {
    double norm = 0;              ///< of a row, both filters
    double loSum = 0, hiSum = 0;  ///< of magnitudes
    double loTap = 0, hiTap = 0;  ///< largest
};

SynthesisGain synthesisPass(const FilterBank& b) {
    SynthesisGain gain;
    for (std::size_t p = 0; p < 2; ++p) {
        double squares = 0, lo = 0, hi = 0;
        for (std::size_t j = p; j < b.recLo.size(); j += 2) {
            squares += b.recLo[j] * b.recLo[j] + b.recHi[j] * b.recHi[j];
            lo += std::fabs(b.recLo[j]);
            hi += std::fabs(b.recHi[j]);
            gain.loTap = std::max(gain.loTap, std::fabs(b.recLo[j]));
            gain.hiTap = std::max(gain.hiTap, std::fabs(b.recHi[j]));
        }
        gain.norm = std::max(gain.norm, std::sqrt(squares));
        gain.loSum = std::max(gain.loSum, lo);
        gain.hiSum = std::max(gain.hiSum, hi);
    }
    return gain;
}

/// Roundings of a sum of n products in float, as standard deviations: fused multiply-adds round once a term, and the taps are rounded to
/// float.
double roundingsOfSum(int taps) { return 1 + 0.25 * std::sqrt(static_cast<double>(taps)); }

/// Roundings of the passes up to a level relative to the sum of magnitudes, for two implementations: a sum of n products rounds n + 1
/// times, samples beyond the border are sums of up to four themselves (Higham, Accuracy and Stability of Numerical Algorithms, 2002, ch.
/// 3).
double sumRoundings(const WaveletPlan& plan, int level, double unitRoundoff) {
    return 2 * unitRoundoff * level * plan.transformedAxes() * (plan.taps() + 5);
}
double doubleRoundings(const WaveletPlan& plan) { return sumRoundings(plan, plan.levels, 0x1p-53); }

/// Largest error of coefficients of a level that no border influences, relative to the largest sample.
double interiorError(const WaveletPlan& plan, int level, double unitRoundoff) {
    double lo = 0, hi = 0;
    for (const double h : plan.bank.decLo) lo += std::fabs(h);
    for (const double g : plan.bank.decHi) hi += std::fabs(g);
    return sumRoundings(plan, level, unitRoundoff) * std::pow(std::max({lo, hi, 1.0}), level * plan.transformedAxes());
}

/// Standard deviations that an error may reach among many samples.
constexpr double kDeviations = 6;

std::string passesText(const WaveletPlan& plan) {
    return std::to_string(plan.levels * plan.transformedAxes()) + " passes of " + std::to_string(plan.taps()) + " taps";
}

}  // namespace

WaveletGains waveletGains(const WaveletPlan& plan) {
    WaveletGains g;
    const int axes = plan.transformedAxes();
    double approximation = 1, worst = 0, ratio = 1;
    g.forwardSum = 1;
    for (int level = 1; level <= plan.levels; ++level) {
        double lo = 1, any = 1;
        for (std::size_t a = 0; a < 3; ++a) {
            if (!plan.axes[a].transformed) continue;
            const PassGain p = analysisPass(plan, a, level);
            lo *= std::max(p.lo, 1.0);
            any *= std::max({p.lo, p.hi, 1.0});
            ratio = std::max(ratio, p.roundings / std::max({p.lo, p.hi, 1e-30}));
            g.forwardSum *= std::max(p.roundings, 1.0);
        }
        worst = std::max(worst, approximation * any);
        approximation *= lo;
    }
    const double passes = plan.levels * axes;
    g.forward = worst;
    g.forwardRoundings = kDeviations * roundingsOfSum(plan.taps()) * std::sqrt(passes) * ratio * worst;

    const SynthesisGain s = synthesisPass(plan.bank);
    const double norm = std::max(s.norm, 1.0);
    g.inverse = std::pow(norm, passes);
    const double loAll = std::pow(s.loSum, axes), all = std::pow(s.loSum + s.hiSum, axes);
    g.inverseSum = std::pow(loAll, plan.levels);
    g.largestWeight = 0;
    for (int level = 1; level <= plan.levels; ++level) {
        g.inverseSum += std::pow(loAll, level - 1) * (all - loAll);
        g.largestWeight = std::max(g.largestWeight, std::pow(s.loTap, axes * (level - 1)) * std::pow(std::max(s.loTap, s.hiTap), axes));
    }
    g.inverseRoundings =
        kDeviations * roundingsOfSum(plan.taps()) * std::sqrt(passes) * std::max((s.loSum + s.hiSum) / norm, 1.0) * g.inverse;
    return g;
}

Tolerance forwardTolerance(const WaveletPlan& plan, double magnitude) {
    const WaveletGains g = waveletGains(plan);
    return {g.forwardRoundings * 0x1p-24 * magnitude,
            "passes in float32, " + passesText(plan) +
                ": six deviations of the roundings, 6 (1 + sqrt(n) / 4) sqrt(passes) 2^-24 of the largest value"};
}

Tolerance inverseTolerance(const WaveletPlan& plan, double magnitude) {
    const WaveletGains g = waveletGains(plan);
    return {g.inverseRoundings * 0x1p-24 * magnitude,
            "passes in float32, " + passesText(plan) +
                ": six deviations of the roundings, 6 (1 + sqrt(n) / 4) sqrt(passes) 2^-24 of the "
                "largest coefficient"};
}

Tolerance roundTripTolerance(const WaveletPlan& plan, double magnitude, double slope) {
    const WaveletGains g = waveletGains(plan);
    return {forwardTolerance(plan, magnitude).absolute * slope * g.inverse + inverseTolerance(plan, g.forward * magnitude).absolute,
            "passes in float32, " + passesText(plan) +
                " round trip: six deviations of the roundings of both transforms; thresholds that rounding "
                "moves, and what it decides near them, are added by the run"};
}

StoredError coefficientError(const WaveletPlan& plan, const WaveletGains& gains, double magnitude) {
    return {.absolute = doubleRoundings(plan) * gains.forwardSum * magnitude};
}

StoredError sampleError(const WaveletPlan& plan, const WaveletGains& gains, double magnitude) {
    return {.absolute = doubleRoundings(plan) * gains.inverseSum * magnitude};
}

double zeroDetail(const WaveletPlan& plan, int level, double magnitude) { return interiorError(plan, level, 0x1p-53) * magnitude; }

ZeroDetails zeroDetailsInFloat(const WaveletPlan& plan, int level, double magnitude) {
    return {std::pow(4 * plan.taps() * 0x1p-24, std::max(2, plan.transformedAxes())) * magnitude,
            std::min(interiorError(plan, level, 0x1p-24) * magnitude, forwardTolerance(plan, magnitude).absolute)};
}

double decisionTolerance(const WaveletPlan& plan, const WaveletGains& gains, std::int64_t ambiguous, double magnitude) {
    if (ambiguous <= 0) return 0;
    // Of so many coefficients anywhere, those that reach one sample: taps^axes of each level could. Six deviations of a Poisson
    // distribution, and some more that lie together by chance.
    const auto count = static_cast<double>(ambiguous);
    const double reaching = count / static_cast<double>(plan.mosaic.pixels()) * plan.levels *
                            std::pow(static_cast<double>(plan.taps()), plan.transformedAxes());
    const double together = std::min(count, 8 + reaching + 6 * std::sqrt(reaching));
    return magnitude * std::min(together * gains.largestWeight, gains.inverseSum);
}

double waveletFlops(const WaveletPlan& plan) {
    double flops = 0;
    for (std::size_t l = 1; l <= static_cast<std::size_t>(plan.levels); ++l) {
        double samples[3];
        for (std::size_t a = 0; a < 3; ++a) samples[a] = static_cast<double>(plan.axes[a].count[l - 1]);
        for (std::size_t a = 0; a < 3; ++a) {
            if (!plan.axes[a].transformed) continue;
            samples[a] = 2 * static_cast<double>(plan.axes[a].count[l]);
            flops += 2.0 * plan.taps() * samples[0] * samples[1] * samples[2];
        }
    }
    return flops;
}

namespace {

using Indices = std::vector<std::int64_t>;

/// For each of n samples the coefficients of a band that depend on it, ascending.
std::vector<Indices> dependents(std::int64_t n, int taps, WaveletMode rule) {
    std::vector<Indices> all(static_cast<std::size_t>(n));
    const std::int64_t count = coefficientCount<std::int64_t>(n, taps, rule);
    for (std::int64_t o = 0; o < count; ++o)
        for (int j = 0; j < taps; ++j) {
            const auto e = extendedSample<std::int64_t>(2 * o + analysisShift(taps, rule) - j, n, rule);
            for (int k = 0; k < e.count; ++k) {
                Indices& of = all[static_cast<std::size_t>(e.index[k])];
                if (of.empty() || of.back() != o) of.push_back(o);
            }
        }
    return all;
}

}  // namespace

std::vector<std::int64_t> influencedCoefficients(std::int64_t n, int taps, int levels, WaveletMode rule) {
    // Counts repeat along the inside of a long signal every 2^levels samples: a shorter one with the same borders has the same maximum.
    const std::int64_t period = std::int64_t{1} << levels, window = (period - 1) * (taps - 1) + 1;
    n -= std::max<std::int64_t>(0, (n - 3 * window) / period - 1) * period;
    std::vector<Indices> reached;  // by each sample, at the present level
    for (std::int64_t i = 0; i < n; ++i) reached.push_back({i});
    std::vector<std::int64_t> most{1};
    for (int level = 1; level <= levels; ++level) {
        const std::vector<Indices> next = dependents(n, taps, rule);
        n = static_cast<std::int64_t>(coefficientCount<std::int64_t>(n, taps, rule));
        std::size_t largest = 0;
        for (Indices& indices : reached) {
            Indices merged;
            for (const std::int64_t i : indices) {
                const Indices& more = next[static_cast<std::size_t>(i)];
                merged.insert(merged.end(), more.begin(), more.end());
            }
            std::sort(merged.begin(), merged.end());
            merged.erase(std::unique(merged.begin(), merged.end()), merged.end());
            indices = std::move(merged);
            largest = std::max(largest, indices.size());
        }
        most.push_back(static_cast<std::int64_t>(largest));
    }
    return most;
}

double forwardInfluence(const WaveletPlan& plan) {
    const auto levels = static_cast<std::size_t>(plan.levels);
    std::vector<double> approximation(levels + 1, 1), all(levels + 1, 1);  // samples of one band and of all bands of a level
    for (const WaveletAxis& axis : plan.axes) {
        if (!axis.transformed) continue;
        const auto most = influencedCoefficients(axis.count[0], plan.taps(), plan.levels, plan.mode);
        for (std::size_t l = 1; l <= levels; ++l) {
            approximation[l] *= static_cast<double>(most[l]);
            all[l] *= 2 * static_cast<double>(most[l]);
        }
    }
    double sum = approximation[levels];
    for (std::size_t l = 1; l <= levels; ++l) sum += all[l] - approximation[l];
    return sum;
}

}  // namespace parallax
