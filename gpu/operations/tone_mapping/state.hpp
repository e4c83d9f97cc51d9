// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters and statistics of the tone mapping kernels, and the constants that follow from both: the device version of toneConstants() and
// related functions (operations/tone_mapping/plan.hpp), in double as there. Compiles without nvcc, so that tests compare the two.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/operations/tone_mapping/formulas.hpp"
#include "core/operations/tone_mapping/parameters.hpp"
#include "gpu/primitives/histogram.hpp"
#include "gpu/primitives/operators.hpp"

namespace parallax {
struct ToneMappingPlan;
struct ToneConstants;
}  // namespace parallax

namespace parallax::gpu {

/// The colour channels of the image. Passes without neighbours treat a contiguous image as a single row.
struct TonePlanes {
    const float* in[3] = {nullptr, nullptr, nullptr};
    float* out[3] = {nullptr, nullptr, nullptr};
    std::int64_t width = 0, height = 0;
    std::int64_t inRowStride = 0, outRowStride = 0;
    bool aligned = false;  ///< channels begin at multiples of 16 bytes, and so do rows unless they are contiguous
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
struct ToneSetup {
    int channels = 1;
    tone::ColourWeights<float> weights;
    ToneOperator op = ToneOperator::global;
    double key = 0.18, white = 0, delta = 0, contrast = 0, intensity = 0, chromatic = 0, light = 1, displayRange = 100;
    double sharpening[kMaximumToneScales] = {};  ///< divided by the log-average
    float saturation = 1, epsilon = 0.05F, largestRatio = 0;
    int scales = 0, bins = 0;
    bool ceiling = true, showScale = false;
    ToneCoding coding;
    std::int64_t pixels = 0;
};
ToneSetup toneSetup(const ToneMappingPlan& plan, std::int64_t pixels);

/// Statistics of the pixels with finite luminance, of a block or of all. Each pass fills those that it needs.
struct TonePart {
    double logarithms = 0;  ///< sum
    double luminance = 0;   ///< sum
    double channels[3] = {0, 0, 0};
    float low = kInfinity, high = -kInfinity;              ///< of the luminance
    float sampleLow = kInfinity, sampleHigh = -kInfinity;  ///< of samples or results
    std::int64_t count = 0;

    PARALLAX_HOST_DEVICE void merge(const TonePart& next) {
        logarithms += next.logarithms;
        luminance += next.luminance;
        for (int c = 0; c < 3; ++c) channels[c] += next.channels[c];
        low = std::fmin(low, next.low);
        high = std::fmax(high, next.high);
        sampleLow = std::fmin(sampleLow, next.sampleLow);
        sampleHigh = std::fmax(sampleHigh, next.sampleHigh);
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

/// Device state from the first pass to the download of the statistics. Names as in ToneConstants and AdjustmentCurve.
struct ToneState {
    double limit, logAverage, largest, smallest, white, q, k;
    double low, perRange, f, m, average[3], mappedLow, mappedPerRange;
    double sharpening[kMaximumToneScales];
    double first, perUnit, range;  ///< bins of brightness; largest - smallest brightness
    double linear, trimmed;        ///< of the curve
    HistogramLimits brightness;    ///< the same, for histograms of gpu/primitives
    std::int64_t count;            ///< finite pixels
    unsigned long long brighter;   ///< pixels brighter than white; the 64-bit type of atomicAdd
};

PARALLAX_HOST_DEVICE inline double withinFloat(double value) { return value < double{FLT_MAX} ? value : double{FLT_MAX}; }

/// Computes the constants that follow from the statistics of a pass.
PARALLAX_HOST_DEVICE inline void concludePass(TonePass pass, const ToneSetup& s, const TonePart& all, ToneState& state) {
    const bool any = all.count > 0;
    const double count = any ? static_cast<double>(all.count) : 1;
    const double low = any ? static_cast<double>(all.low) : 0, high = any ? static_cast<double>(all.high) : 0;
    switch (pass) {
        case TonePass::luminance: {
            state.brighter = 0;
            state.count = all.count;
            // Without finite pixels any positive average will do.
            state.logAverage = any ? std::exp(all.logarithms / count) : 1;
            state.largest = high;
            state.smallest = low;
            state.limit = high > 0 ? high : 1;
            state.white = s.white > 0 ? s.white : high;
            state.q = withinFloat(state.logAverage / s.key);
            state.k = state.white > 0 ? withinFloat(state.q / state.white / state.white) : 0;
            for (int i = 0; i < s.scales; ++i) state.sharpening[i] = withinFloat(s.sharpening[i] * state.logAverage);
            if (s.op != ToneOperator::histogram) break;
            state.first = any ? tone::brightness(low, s.delta) : 0;
            const double last = any ? tone::brightness(high, s.delta) : 0;
            state.range = last - state.first;
            state.perUnit = state.range > 0 ? s.bins / state.range : 0;
            state.brightness = {static_cast<float>(state.first), static_cast<float>(last)};
            break;
        }
        case TonePass::samples: {
            state.brighter = 0;
            state.count = all.count;
            state.largest = high;
            state.smallest = low;
            state.limit = high > 0 ? high : 1;
            state.low = 0;
            state.perRange = 1;
            // Images of a single value are left unchanged, with OpenCV's threshold.
            const double range = any ? static_cast<double>(all.sampleHigh) - static_cast<double>(all.sampleLow) : 0;
            if (range > DBL_EPSILON) {
                state.low = static_cast<double>(all.sampleLow);
                state.perRange = withinFloat(1 / range);
            }
            break;
        }
        case TonePass::scaled: {
            const auto logarithm = [](double x) { return std::log(x > tone::kPhotoreceptorFloor ? x : tone::kPhotoreceptorFloor); };
            const double range = any ? logarithm(high) - logarithm(low) : 0;
            double key = range > 0 ? (logarithm(high) - all.logarithms / count) / range : 0;
            key = key < 0 ? 0 : key > 1 ? 1 : key;
            state.logAverage = any ? std::exp(all.logarithms / count) : 1;
            state.m = s.contrast > 0 ? s.contrast : 0.3 + 0.7 * std::pow(key, 1.4);
            state.f = std::exp(-s.intensity);
            for (int c = 0; c < s.channels; ++c)
                state.average[c] = s.chromatic * all.channels[c] / count + (1 - s.chromatic) * all.luminance / count;
            break;
        }
        case TonePass::mapped: {
            state.mappedLow = 0;
            state.mappedPerRange = 1;
            const double range = any ? static_cast<double>(all.sampleHigh) - static_cast<double>(all.sampleLow) : 0;
            if (range > DBL_EPSILON) {
                state.mappedLow = static_cast<double>(all.sampleLow);
                state.mappedPerRange = withinFloat(1 / range);
            }
            break;
        }
    }
}

/// Statistics and curve for the host.
ToneConstants constantsOf(const ToneState& state, const ToneSetup& setup);

}  // namespace parallax::gpu
