// SPDX-License-Identifier: GPL-3.0-or-later
// The hot loops of the vector implementation, compiled for each instruction set. Logarithms and exponentials are Highway's: at most 4
// and 1 units in the last place. A mean of logarithms needs none of them: mantissas are multiplied and exponents added, and one
// logarithm is taken for each lane of a run.
#pragma once

#include <cstdint>
#include <limits>

#include "core/operations/tone_mapping/parameters.hpp"

namespace parallax::tone {

/// Contiguous pixels, at most kLongestRun of them.
struct PixelRun {
    const float* in[3] = {nullptr, nullptr, nullptr};
    float* out[3] = {nullptr, nullptr, nullptr};
    std::int64_t count = 0;
    bool stream = false;  ///< past the caches; each out must then be 64-byte aligned
};
inline constexpr std::int64_t kLongestRun = std::int64_t{1} << 18;

/// Plan, constants and curve as the loops need them: see formulas.hpp for the names.
struct PixelNumbers {
    int channels = 1;
    float weights[3] = {1, 0, 0};
    bool allFinite = false;  ///< no pixel has a NaN or an infinity
    float limit = 1, delta = 0, saturation = 1;
    float q = 1, k = 0;
    bool receptor = false;
    float receptorDelta = 0, receptorFloor = 0;
    float low = 0, perRange = 1, f = 1, m = 1, chromatic = 0, light = 1, average[3] = {0, 0, 0};
    float mappedLow = 0, mappedPerRange = 1;
    float first = 0, perUnit = 0, logRange = 0, perDisplayRange = 0, linear = 0, largestRatio = 0;
    int bins = 1;
    const float* cumulative = nullptr;  ///< bins + 1
    ToneEncoding encoding = ToneEncoding::linear;
    float inverseGamma = 1;
};

/// Sums over the pixels of a run whose luminance is finite.
struct RunSums {
    double logarithms = 0, luminance = 0, channels[3] = {0, 0, 0};
    float minimum = std::numeric_limits<float>::infinity(), maximum = -std::numeric_limits<float>::infinity();  ///< of the luminance
    float minimumSample = minimum, maximumSample = maximum;
    std::int64_t finite = 0;
};

/// Range of samples and luminance as they are.
void sumSamples(const PixelRun& run, const PixelNumbers& k, RunSums& sums);
/// Luminance and logarithms; for the photoreceptor model of the scaled image, with the means of the channels. `plane`: receives
/// the luminance, NaN for pixels that are not finite; or null.
void sumLuminance(const PixelRun& run, const PixelNumbers& k, float* plane, RunSums& sums);
/// counts: 2 (bins + 1), the last of each half for pixels that are not finite.
void countBrightness(const PixelRun& run, const PixelNumbers& k, std::uint32_t* counts);
/// Photoreceptor: range of the output, in minimumSample and maximumSample.
void rangeOfMapped(const PixelRun& run, const PixelNumbers& k, RunSums& sums);

/// These write the pixels and return how many of them are brighter than white.
std::int64_t mapGlobal(const PixelRun& run, const PixelNumbers& k);
std::int64_t mapPhotoreceptor(const PixelRun& run, const PixelNumbers& k);
std::int64_t mapHistogram(const PixelRun& run, const PixelNumbers& k);
std::int64_t mapLocal(const PixelRun& run, const PixelNumbers& k, const float* surround);

/// One step of the local operator's choice for `count` pixels, a multiple of 16: those whose scale is `index` - 1 get `index` and the
/// surround `smaller` where the activity between `smaller` and `larger` is within epsilon. Returns whether any did.
bool climb(const float* smaller, const float* larger, float* surround, float* chosen, std::int64_t count, float sharpening, float epsilon,
           float index);

/// Called after streaming stores, before another thread reads.
void finishStores();

}  // namespace parallax::tone
