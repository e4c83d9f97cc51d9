// SPDX-License-Identifier: GPL-3.0-or-later
// What every implementation of tone mapping needs to know before it sees a sample, and what follows from the statistics of the image.
#pragma once

#include <string>
#include <vector>

#include "core/engine/operation/operation.hpp"
#include "core/operations/tone_mapping/formulas.hpp"
#include "core/operations/tone_mapping/parameters.hpp"
#include "core/primitives/reduction.hpp"

namespace parallax {

/// One of the Gaussians of the local operator: [R02] equation 5 with alpha1 = 1 / (2 sqrt 2), integrated over each pixel, cut off at
/// 3 alpha1 scale (where 2e-5 of it lies outside) and made to sum up to 1. The two-dimensional one is the product of two of these.
struct ToneScale {
    double size = 1;  ///< s of [R02], pixels
    int radius = 0;
    std::vector<double> weights;  ///< 2 radius + 1
};

struct ToneMappingPlan {
    ToneMappingParameters parameters;
    std::vector<int> colour;              ///< the channels that are mapped: one (grey), or two or three of R, G and B
    std::vector<int> copied;              ///< all others
    tone::ColourWeights<double> weights;  ///< of the luminance, for `colour`
    double largestRatio = 0;              ///< of tone::coloured(): 1 / (smallest weight) - 1
    std::vector<ToneScale> scales;        ///< local: parameters.scales + 1 of them, the last one being the surround of the one before

    bool grey() const { return colour.size() == 1; }
    int channels() const { return static_cast<int>(colour.size()); }
};

/// Throws Error(usage) for volumes, for images without a known colour, and for scales beyond kLargestToneScale.
ToneMappingPlan planToneMapping(const Problem& problem);

/// Light of a display as the samples that `encoding` asks for.
double encodedValue(const ToneMappingParameters& parameters, double x);

/// Over the pixels whose luminance is finite.
struct ToneStatistics {
    Reduction samples;                  ///< photoreceptor: of the colour samples as they are
    Reduction luminance;                ///< of |luminance|; photoreceptor: of the image scaled to [0, 1]
    Reduction logarithms;               ///< of log(delta + |luminance|); photoreceptor: of log(max(luminance, kPhotoreceptorFloor))
    double channelSums[3] = {0, 0, 0};  ///< photoreceptor: of the scaled samples

    void merge(const ToneStatistics& next);
};

/// What maps a luminance or a sample: everything that the formulas need besides the pixel. Backends round it to float.
struct ToneConstants {
    double limit = 1;  ///< that infinite samples count as
    // global and local
    double logAverage = 1, largest = 0, white = 0;  ///< as found or asked for, in the image's own luminance
    double q = 1, k = 0;                            ///< see tone::globalFactor()
    std::vector<double> sharpening;                 ///< see tone::activity(), one a scale
    // photoreceptor
    double low = 0, perRange = 1;  ///< sample -> max(0, (sample - low) * perRange)
    double f = 1, m = 1;
    double average[3] = {0, 0, 0};             ///< see tone::adaptation()
    double mappedLow = 0, mappedPerRange = 1;  ///< of the last step, which fills [0, 1]
};

/// Global, local and histogram adjustment, from their one pass.
ToneConstants toneConstants(const ToneMappingPlan& plan, const ToneStatistics& statistics);

/// Photoreceptor. Three passes, since each needs what the one before found: the range of the samples, then the statistics of the
/// image scaled to it, then the range of what comes out.
ToneConstants photoreceptorRange(const ToneStatistics& ofSamples);
void photoreceptorAdaptation(const ToneMappingPlan& plan, const ToneStatistics& ofScaled, ToneConstants& constants);
void photoreceptorOutput(const Reduction& mapped, ToneConstants& constants);

}  // namespace parallax
