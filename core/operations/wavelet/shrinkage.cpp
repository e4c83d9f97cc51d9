// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/shrinkage.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/engine/operation/plan_cache.hpp"
#include "core/image/error.hpp"

namespace parallax {
namespace {

std::vector<double> parseFactors(const std::string& text, int levels) {
    std::vector<double> factors;
    std::string_view rest = text;
    while (true) {
        while (!rest.empty() && std::string_view(" ,;\t\n\r").find(rest.front()) != std::string_view::npos) rest.remove_prefix(1);
        if (rest.empty()) break;
        double value = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
        if (error != std::errc{} || !(value >= 0 && value <= 1e6))
            throw Error(ErrorCode::usage, "Cannot read the factors by level",
                        "'" + std::string(rest.substr(0, 20)) + "' is no number from 0 to 1000000",
                        "Write one number for each level, the finest first, for example '1 0.5 0.25'");
        factors.push_back(value);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        if (factors.size() > static_cast<std::size_t>(kMaximumWaveletLevels))
            throw Error(ErrorCode::usage, "Cannot read the factors by level",
                        "there are more than " + std::to_string(kMaximumWaveletLevels) + " of them");
    }
    if (factors.empty()) factors.push_back(1);
    // The last one holds for all coarser levels.
    factors.resize(static_cast<std::size_t>(levels), factors.back());
    return factors;
}

double product(double factor, double threshold) { return factor == 0 ? 0 : factor * threshold; }

}  // namespace

namespace {
DenoisePlan makeDenoisePlan(const Problem& problem) {
    DenoisePlan plan;
    plan.parameters = problem.parameters.as<DenoiseParameters>();
    plan.wavelet = planWavelet(plan.parameters.transform(), problem.shape);
    plan.factors = parseFactors(plan.parameters.levelFactors, plan.wavelet.levels);
    plan.filtered = waveletChannels(problem, plan.parameters.channels);
    plan.copied = remainingChannels(problem, plan.filtered);
    unsigned all = 0;
    for (unsigned a = 0; a < 3; ++a) all |= plan.wavelet.axes[a].transformed ? 1U << a : 0U;
    plan.noiseBands.resize(static_cast<std::size_t>(plan.wavelet.levels));
    for (const WaveletBand& band : plan.wavelet.bands()) {
        if (band.details == 0) continue;
        if (band.details == all) plan.noiseBands[static_cast<std::size_t>(band.level) - 1] = plan.bands.size();
        plan.bands.push_back(band);
    }
    return plan;
}
}  // namespace

DenoisePlan planDenoise(const Problem& problem) {
    return planOnce<DenoisePlan>(problem, [&] { return makeDenoisePlan(problem); });
}

Thresholds findThresholds(const DenoisePlan& plan, const std::vector<BandStatistics>& statistics, double error) {
    const DenoiseParameters& p = plan.parameters;
    Thresholds t;
    struct Bounds {
        double low = 0, high = 0;
    };
    std::vector<Bounds> noise(static_cast<std::size_t>(plan.wavelet.levels));
    if (p.rule != ThresholdRule::manual)
        for (std::size_t l = 0; l < noise.size(); ++l) {
            const std::size_t source = plan.noiseBands[p.noiseSource == NoiseSource::eachLevel ? l : 0];
            const BandStatistics& s = statistics[source];
            t.noise.push_back(p.noise > 0 ? p.noise : s.median / kMedianOfNormal);
            noise[l] = p.noise > 0 ? Bounds{p.noise, p.noise}
                                   : Bounds{std::max(s.median - s.medianBelow - error, 0.0) / kMedianOfNormal,
                                            (s.median + s.medianAbove + error) / kMedianOfNormal};
        }
    const double universal = std::sqrt(2 * std::log(static_cast<double>(plan.wavelet.image.pixels())));
    for (std::size_t b = 0; b < plan.bands.size(); ++b) {
        const std::size_t l = static_cast<std::size_t>(plan.bands[b].level) - 1;
        const double factor = plan.factors[l] * (p.rule == ThresholdRule::manual ? 1 : p.strength);
        double threshold = p.threshold, low = p.threshold, high = p.threshold;
        if (p.rule == ThresholdRule::universal) {
            threshold = t.noise[l] * universal;
            low = noise[l].low * universal;
            high = noise[l].high * universal;
        } else if (p.rule == ThresholdRule::bayes) {
            const auto rule = [](double sigma, double meanSquare) {
                if (sigma <= 0) return 0.0;
                const double signal = meanSquare - sigma * sigma;
                return signal > 0 ? sigma * sigma / std::sqrt(signal) : std::numeric_limits<double>::infinity();
            };
            const double square = statistics[b].meanSquare, squareError = error * (2 * std::sqrt(square) + error);
            threshold = rule(t.noise[l], square);
            low = rule(noise[l].low, square + squareError);
            high = rule(noise[l].high, square - squareError);
        }
        t.threshold.push_back(product(factor, threshold));
        t.low.push_back(product(factor, low));
        t.high.push_back(product(factor, high));
    }
    return t;
}

double thresholdTolerance(const DenoisePlan& plan, const WaveletGains& gains, const Thresholds& t,
                          const std::vector<BandStatistics>& statistics) {
    double largest = 0;
    for (std::size_t b = 0; b < plan.bands.size(); ++b) {
        // Thresholds beyond the largest coefficient leave nothing, whatever they are.
        const double most = statistics[b].largest;
        largest = std::max(largest, std::min(t.high[b], most) - std::min(t.low[b], most));
    }
    // Decisions of hard thresholds come on top.
    const double slope = plan.parameters.method == ShrinkageMethod::hard ? 0 : plan.parameters.slope();
    return slope * largest * gains.inverseSum;
}

namespace {
CompressPlan makeCompressPlan(const Problem& problem) {
    const auto& p = problem.parameters.as<CompressParameters>();
    CompressPlan plan;
    plan.wavelet = planWavelet(p.transform(), problem.shape);
    plan.filtered = waveletChannels(problem, p.channels);
    plan.copied = remainingChannels(problem, plan.filtered);
    plan.bands = plan.wavelet.bands();
    for (const WaveletBand& band : plan.bands) plan.coefficients += band.samples();
    const double wanted = std::ceil(p.keep / 100 * static_cast<double>(plan.coefficients));
    plan.kept = std::min(plan.coefficients, static_cast<std::int64_t>(wanted));
    return plan;
}
}  // namespace

CompressPlan planCompress(const Problem& problem) {
    return planOnce<CompressPlan>(problem, [&] { return makeCompressPlan(problem); });
}

std::string statisticSuffix(const Problem& problem, const std::vector<int>& filtered, int channel) {
    return filtered.size() < 2 ? std::string() : ", " + problem.channelNames.at(static_cast<std::size_t>(channel));
}

void addStatistics(std::vector<Statistic>& result, const DenoisePlan& plan, const Thresholds& t,
                   const std::vector<BandStatistics>& statistics, const std::string& suffix) {
    const bool eachLevel = plan.parameters.noiseSource == NoiseSource::eachLevel;
    for (std::size_t l = 0; l < static_cast<std::size_t>(plan.wavelet.levels); ++l) {
        if (t.noise.empty() || (l > 0 && !eachLevel)) continue;
        const std::string where = eachLevel ? ", level " + std::to_string(l + 1) + suffix : suffix;
        result.push_back({"noise", t.noise[l], "Noise, standard deviation" + where, {}});
        const BandStatistics& source = statistics[plan.noiseBands[l]];
        if (source.leftOut == 0) continue;
        const char* const title =
            source.leftOut == source.finite ? "Noise unknown, all details are 0" : "Details of 0, left out of the noise";
        result.push_back({"left-out", 100 * static_cast<double>(source.leftOut) / static_cast<double>(source.finite), title + where, {}});
    }
    for (std::size_t l = 0; l < static_cast<std::size_t>(plan.wavelet.levels); ++l) {
        double sum = 0;
        int bands = 0;
        for (std::size_t b = 0; b < plan.bands.size(); ++b) {
            if (plan.bands[b].level != static_cast<int>(l) + 1) continue;
            sum += std::isfinite(t.threshold[b]) ? t.threshold[b] : statistics[b].largest;
            ++bands;
        }
        result.push_back({"threshold", sum / bands, "Threshold, level " + std::to_string(l + 1) + suffix, {}});
    }
}

}  // namespace parallax
