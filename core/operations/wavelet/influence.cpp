// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/influence.hpp"

#include <algorithm>

namespace parallax {
namespace {

using Indices = std::vector<std::int64_t>;

/// For each of n samples the coefficients of a band that depend on it, ascending.
std::vector<Indices> dependents(std::int64_t n, int taps, ExtensionRule rule) {
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

std::vector<std::int64_t> influencedCoefficients(std::int64_t n, int taps, int levels, ExtensionRule rule) {
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
        const auto most = influencedCoefficients(axis.count[0], plan.taps(), plan.levels, plan.rule());
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
