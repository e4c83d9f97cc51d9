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

LevelSlab forwardSlab(std::int64_t first, std::int64_t end, std::int64_t samples, int taps, WaveletMode rule) {
    const std::int64_t n = samples, shift = analysisShift(taps, rule);
    LevelSlab s{.first = first, .end = end, .from = 0, .to = n};
    if (first == 0 && end == forwardResults(n, taps, rule)) return s;
    const bool mirrorsEdge = rule != WaveletMode::reflect && rule != WaveletMode::antireflect;
    const std::int64_t before = 2 * first + shift - taps + 1, last = 2 * (end - 1) + shift;
    s.from = floorToEven(before);
    s.to = last + 1;
    if (!repeats(rule)) {
        // A slab at an end of the volume extends the signal itself and must contain the samples that the extension uses.
        if (s.from <= 0) s.from = 0, s.to = std::max({s.to, mirrorsEdge ? -before : 1 - before, std::int64_t{2}});
        if (last >= n) s.from = std::min(s.from, floorToEven(n - taps));
        s.to = std::min(s.to, n);
    }
    s.skip = first - s.from / 2;
    return s;
}

LevelSlab inverseSlab(std::int64_t first, std::int64_t end, std::int64_t samples, int taps, WaveletMode rule) {
    if (first == 0 && end == inverseResults(samples, taps, rule))
        return {.first = 0, .end = end, .from = 0, .to = forwardResults(samples, taps, rule)};
    const SynthesisPhase phase = synthesisPhase(taps, rule);
    const std::int64_t half = taps / 2;
    return {.first = first, .end = end, .from = first + phase.shift - half + 1, .to = end + phase.shift, .skip = half - 1 - phase.shift};
}

std::int64_t inverseSamples(const LevelSlab& slab, std::int64_t samples, int taps, WaveletMode rule) {
    if (slab.first == 0 && slab.end == inverseResults(samples, taps, rule)) return samples;
    return 2 * (slab.skip + slab.results()) - synthesisPhase(taps, rule).offset;
}

std::vector<LevelSlab> forwardSlabs(std::int64_t samples, int taps, WaveletMode rule, std::span<const std::int64_t> sizes) {
    std::vector<LevelSlab> slabs;
    // Shorter signals are repeated more than once beyond a border.
    if (sizes.size() == 1 || samples < 2 * taps) return {forwardSlab(0, forwardResults(samples, taps, rule), samples, taps, rule)};
    for (const std::int64_t size : sizes) {
        const std::int64_t first = slabs.empty() ? 0 : slabs.back().end;
        LevelSlab s = forwardSlab(first, first + size, samples, taps, rule);
        if (!slabs.empty()) {
            s.to = std::max(s.to, slabs.back().to);
            s.carried = slabs.back().to - s.from;
        }
        slabs.push_back(s);
    }
    return slabs;
}

std::vector<LevelSlab> inverseSlabs(std::int64_t samples, int taps, WaveletMode rule, std::span<const std::int64_t> sizes) {
    std::vector<LevelSlab> slabs;
    if (sizes.size() == 1) return {inverseSlab(0, inverseResults(samples, taps, rule), samples, taps, rule)};
    for (const std::int64_t size : sizes) {
        const std::int64_t first = slabs.empty() ? 0 : slabs.back().end;
        LevelSlab s = inverseSlab(first, first + size, samples, taps, rule);
        if (!slabs.empty()) s.carried = slabs.back().to - s.from;
        slabs.push_back(s);
    }
    return slabs;
}

}  // namespace parallax::gpu
