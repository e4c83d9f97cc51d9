// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/wavelet/level_slabs.hpp"

#include <algorithm>

namespace parallax::gpu {
namespace {

bool repeats(WaveletMode rule) { return rule == WaveletMode::periodic || rule == WaveletMode::periodization; }
std::int64_t floorToEven(std::int64_t i) { return i - (i % 2 + 2) % 2; }

}  // namespace

std::int64_t repeatedIndex(std::int64_t i, std::int64_t n, WaveletMode rule, bool forward) {
    if (i >= 0 && i < n) return i;
    // An odd signal is made even by repeating its last sample.
    const std::int64_t period = forward && rule == WaveletMode::periodization ? n + n % 2 : n;
    return std::min((i % period + period) % period, n - 1);
}

std::int64_t forwardResults(std::int64_t samples, int taps, WaveletMode rule) {
    return coefficientCount<std::int64_t>(samples, taps, rule);
}
std::int64_t inverseResults(std::int64_t samples, int taps, WaveletMode rule) {
    return (samples - 1 + synthesisPhase(taps, rule).offset) / 2 + 1;
}

std::vector<LevelSlab> forwardSlabs(std::int64_t samples, int taps, WaveletMode rule, std::span<const std::int64_t> sizes) {
    const std::int64_t n = samples, shift = analysisShift(taps, rule);
    std::vector<LevelSlab> slabs;
    // Shorter signals are repeated more than once beyond a border.
    if (sizes.size() == 1 || n < 2 * taps) return {{.first = 0, .end = forwardResults(n, taps, rule), .from = 0, .to = n}};
    const bool mirrorsEdge = rule != WaveletMode::reflect && rule != WaveletMode::antireflect;
    for (const std::int64_t size : sizes) {
        LevelSlab s{.first = slabs.empty() ? 0 : slabs.back().end};
        s.end = s.first + size;
        const std::int64_t before = 2 * s.first + shift - taps + 1, last = 2 * (s.end - 1) + shift;
        s.from = floorToEven(before);
        s.to = last + 1;
        if (!repeats(rule)) {
            // A slab at an end of the volume extends the signal itself and must contain the samples that the extension uses.
            if (s.from <= 0) s.from = 0, s.to = std::max({s.to, mirrorsEdge ? -before : 1 - before, std::int64_t{2}});
            if (last >= n) s.from = std::min(s.from, floorToEven(n - taps));
            s.to = std::min(s.to, n);
        }
        s.skip = s.first - s.from / 2;
        if (!slabs.empty()) {
            s.to = std::max(s.to, slabs.back().to);
            s.carried = slabs.back().to - s.from;
        }
        slabs.push_back(s);
    }
    return slabs;
}

std::vector<LevelSlab> inverseSlabs(std::int64_t samples, int taps, WaveletMode rule, std::span<const std::int64_t> sizes) {
    const SynthesisPhase phase = synthesisPhase(taps, rule);
    const std::int64_t half = taps / 2, skip = half - 1 - phase.shift;
    std::vector<LevelSlab> slabs;
    if (sizes.size() == 1)
        return {{.first = 0, .end = inverseResults(samples, taps, rule), .from = 0, .to = forwardResults(samples, taps, rule)}};
    for (const std::int64_t size : sizes) {
        LevelSlab s{.first = slabs.empty() ? 0 : slabs.back().end};
        s.end = s.first + size;
        s.from = s.first + phase.shift - half + 1;
        s.to = s.end + phase.shift;
        s.skip = skip;
        if (!slabs.empty()) s.carried = slabs.back().to - s.from;
        slabs.push_back(s);
    }
    return slabs;
}

}  // namespace parallax::gpu
