// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters and statistics of the tone mapping kernels, and the constants that follow from both. Compiles without nvcc, so that it is
// tested on the host.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/operations/tone_mapping/constants.hpp"
#include "gpu/primitives/histogram.hpp"
#include "gpu/primitives/operators.hpp"

namespace parallax {
struct ToneMappingPlan;
}  // namespace parallax

namespace parallax::gpu {

/// The colour channels of the image. Passes without neighbours treat a contiguous image as a single row.
struct TonePlanes {
    const float* in[3] = {nullptr, nullptr, nullptr};
    float* out[3] = {nullptr, nullptr, nullptr};
    std::int64_t width = 0, height = 0;
    std::int64_t inRowStride = 0, outRowStride = 0;
    bool aligned = false;  ///< channels begin at multiples of 16 bytes, and so do rows unless they are contiguous
    bool padded = false;   ///< aligned, and the last vector of a row may reach into its padding
};

/// All encodings as one formula: scale ((x + offset) factor)^exponent - subtrahend above `threshold`, slope x below.
struct ToneCoding {
    bool linear = true;  ///< no encoding
    float threshold = 0, offset = 0, factor = 1, exponent = 1, scale = 1, subtrahend = 0, slope = 1;
    static ToneCoding of(ToneEncoding encoding, double gamma) {
        switch (encoding) {
            case ToneEncoding::linear: break;
            case ToneEncoding::srgb: return {false, 0.0031308F, 0, 1, 1 / 2.4F, 1.055F, 0.055F, 12.92F};
            case ToneEncoding::gamma: return {false, 0, 0, 1, static_cast<float>(1 / gamma), 1, 0, 0};
            case ToneEncoding::decode: return {false, 0.04045F, 0.055F, 1 / 1.055F, 2.4F, 1, 0, 1 / 12.92F};
        }
        return {};
    }
};

/// Plan and parameters, copied for each launch.
struct ToneSetup : ToneControls {
    tone::ColourWeights<float> weights;
    ToneOperator op = ToneOperator::global;
    double delta = 0, light = 1, displayRange = 100;
    float saturation = 1, epsilon = 0.05F, largestRatio = 0;
    int bins = 0;
    bool ceiling = true, showScale = false;
    ToneCoding coding;
    std::int64_t pixels = 0;
};
ToneSetup toneSetup(const ToneMappingPlan& plan, std::int64_t pixels);

/// The range of the numbers added; NaN is left out.
struct Extent {
    float low = kInfinity, high = -kInfinity;
    PARALLAX_HOST_DEVICE void add(float x) {
        low = std::fmin(low, x);
        high = std::fmax(high, x);
    }
    PARALLAX_HOST_DEVICE void merge(const Extent& next) {
        low = std::fmin(low, next.low);
        high = std::fmax(high, next.high);
    }
    PARALLAX_HOST_DEVICE double width() const { return static_cast<double>(high) - static_cast<double>(low); }
};

/// Statistics of the pixels with finite luminance, of a block or of all. Each pass fills those that it needs.
struct TonePart {
    double logarithms = 0;  ///< sum
    double luminance = 0;   ///< sum
    double channels[3] = {0, 0, 0};
    Extent light;    ///< luminance
    Extent samples;  ///< samples or results
    std::int64_t count = 0;

    PARALLAX_HOST_DEVICE void merge(const TonePart& next) {
        logarithms += next.logarithms;
        luminance += next.luminance;
        for (int c = 0; c < 3; ++c) channels[c] += next.channels[c];
        light.merge(next.light);
        samples.merge(next.samples);
        count += next.count;
    }
};

/// Passes that gather statistics; each uses the results of the one before.
enum class TonePass {
    luminance,  ///< global, local and histogram: luminance and its logarithms
    samples,    ///< photoreceptor: range of samples and luminance
    scaled,     ///< photoreceptor: luminance, its logarithms and channels of the image scaled to [0, 1]
    mapped      ///< photoreceptor: range of the results
};

inline std::vector<TonePass> passesOf(ToneOperator op) {
    if (op == ToneOperator::photoreceptor) return {TonePass::samples, TonePass::scaled, TonePass::mapped};
    return {TonePass::luminance};
}

/// Device state from the first pass to the download of the statistics. Further names as in AdjustmentCurve.
struct ToneState : ToneConstants {
    double smallest;               ///< luminance
    double first, perUnit, range;  ///< bins of brightness; largest - smallest brightness
    double linear, trimmed;        ///< of the curve
    HistogramLimits brightness;    ///< the same, for histograms of gpu/primitives
    std::int64_t count;            ///< finite pixels
    unsigned long long brighter;   ///< pixels brighter than white; the 64-bit type of atomicAdd
};

/// Starts the state of a run, in its first pass.
PARALLAX_HOST_DEVICE inline void beginState(ToneState& state, const TonePart& all) {
    state.brighter = 0;
    state.count = all.count;
    state.smallest = all.count > 0 ? static_cast<double>(all.light.low) : 0;
}

/// Computes the constants that follow from the statistics of a pass.
PARALLAX_HOST_DEVICE inline void concludePass(TonePass pass, const ToneSetup& s, const TonePart& all, ToneState& state) {
    const bool any = all.count > 0;
    const double count = any ? static_cast<double>(all.count) : 1, meanLogarithm = any ? all.logarithms / count : 0;
    const double low = any ? static_cast<double>(all.light.low) : 0, high = any ? static_cast<double>(all.light.high) : 0;
    const double sampleLow = static_cast<double>(all.samples.low), range = any ? all.samples.width() : 0;
    switch (pass) {
        case TonePass::luminance: {
            beginState(state, all);
            tone::concludeLuminance(state, s, high, meanLogarithm);
            if (s.op != ToneOperator::histogram) break;
            state.first = any ? tone::brightness(low, s.delta) : 0;
            const double last = any ? tone::brightness(high, s.delta) : 0;
            state.range = last - state.first;
            state.perUnit = state.range > 0 ? s.bins / state.range : 0;
            state.brightness = {static_cast<float>(state.first), static_cast<float>(last)};
            break;
        }
        case TonePass::samples:
            beginState(state, all);
            tone::concludeRange(state, s, high, sampleLow, range);
            break;
        case TonePass::scaled: tone::concludeAdaptation(state, s, low, high, meanLogarithm, all.luminance, all.channels, count); break;
        case TonePass::mapped: tone::fillUnit(state.mappedLow, state.mappedPerRange, sampleLow, range); break;
    }
}

}  // namespace parallax::gpu
