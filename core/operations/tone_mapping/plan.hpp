// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of tone mapping, made before any sample is read, and the constants that follow from the statistics of the image.
#pragma once

#include <vector>

#include "core/engine/operation/operation.hpp"
#include "core/operations/tone_mapping/constants.hpp"
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
    ToneControls controls;
    std::vector<ToneScale> scales;  ///< local: parameters.scales + 1 of them, the last one being the surround of the one before

    bool grey() const { return colour.size() == 1; }
    int channels() const { return static_cast<int>(colour.size()); }
};

/// Throws Error(usage) for volumes, for images without a known colour, and for scales beyond kLargestToneScale.
ToneMappingPlan planToneMapping(const Problem& problem);

/// Returns the sample for light of a display, 0 (black) to 1 (white), in the encoding of the output.
template <class T>
T encodedValue(const ToneMappingParameters& parameters, T x) {
    switch (parameters.encoding) {
        case ToneEncoding::linear: break;
        case ToneEncoding::srgb: return tone::encodedSrgb(x);
        case ToneEncoding::gamma: return tone::encodedGamma(x, static_cast<T>(1 / parameters.gamma));
        case ToneEncoding::decode: return tone::decodedSrgb(x);
    }
    return x;
}

/// Over the pixels whose luminance is finite.
struct ToneStatistics {
    Reduction samples;                  ///< photoreceptor: of the colour samples as they are
    Reduction luminance;                ///< of |luminance|; photoreceptor: of the image scaled to [0, 1]
    Reduction logarithms;               ///< of log(delta + |luminance|); photoreceptor: of tone::receptorLight()
    double channelSums[3] = {0, 0, 0};  ///< photoreceptor: of the scaled samples

    void merge(const ToneStatistics& next);
};

/// Global, local and histogram adjustment, from their one pass.
ToneConstants toneConstants(const ToneMappingPlan& plan, const ToneStatistics& statistics);

/// Photoreceptor. Three passes, each of which needs the result of the one before: the range of the samples, the statistics of the image
/// scaled to it, and the range of the output.
ToneConstants photoreceptorRange(const ToneMappingPlan& plan, const ToneStatistics& ofSamples);
void photoreceptorAdaptation(const ToneMappingPlan& plan, const ToneStatistics& ofScaled, ToneConstants& constants);
void photoreceptorOutput(const Reduction& mapped, ToneConstants& constants);

/// Roundings of a response of the photoreceptor model.
inline constexpr double kPhotoreceptorRoundings = 80;
/// Photoreceptor: tolerance that scaling the responses to [0, 1] adds where they differ by less than half of that, as those of an image of
/// little contrast do without scaling of the samples.
double roundingOfScaledOutput(const ToneMappingPlan& plan, const ToneConstants& constants);

}  // namespace parallax
