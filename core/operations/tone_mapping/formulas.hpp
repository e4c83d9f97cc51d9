// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of one pixel, for host and device, in float or double. README.md has the definitions. Sources:
//   [R02] Reinhard, Stark, Shirley, Ferwerda: Photographic Tone Reproduction for Digital Images. ACM TOG 21 (3), 2002
//   [RD05] Reinhard, Devlin: Dynamic Range Reduction Inspired by Photoreceptor Physiology. IEEE TVCG 11 (1), 2005
//   [WRP97] Ward Larson, Rushmeier, Piatko: A Visibility Matching Tone Reproduction Operator for High Dynamic Range Scenes. IEEE TVCG 3
//           (4), 1997
// NaN passes through every one of them; no other sample makes a NaN, and nothing divides by zero.
#pragma once

#include <cfloat>
#include <cmath>

#include "core/image/host_device.hpp"

namespace parallax::tone {

/// Samples above this value count as brighter than white; rounding of exact white must not count.
inline constexpr double kBrighterThanWhite = 1 + 1e-5;
/// The smallest luminance whose logarithm [RD05] is given, of an image scaled to [0, 1]: that of OpenCV.
inline constexpr double kPhotoreceptorFloor = 1e-4;
/// Added to each luminance whose logarithm [RD05] is given, of an image that is not scaled: that of the authors' program and pfstools.
inline constexpr double kPhotoreceptorDelta = 2.3e-5;

template <class T>
struct ColourWeights {
    T c[3] = {0, 0, 0};  ///< of the colour channels that there are, in their order; 1 for grey
};

/// Infinities count as +-limit, the largest finite luminance of the image.
template <class T>
PARALLAX_HOST_DEVICE T withoutInfinity(T sample, T limit) {
    constexpr T largest = FLT_MAX;
    return sample > largest ? limit : sample < -largest ? -limit : sample;
}

/// 0 for negative values; NaN stays.
template <class T>
PARALLAX_HOST_DEVICE T positive(T value) {
    return value < T(0) ? T(0) : value;
}

/// Sum of the weighted samples, held within the range of float.
template <class T>
PARALLAX_HOST_DEVICE T luminance(const ColourWeights<T>& w, const T* sample, int channels) {
    T sum = w.c[0] * sample[0];
    for (int i = 1; i < channels; ++i) sum += w.c[i] * sample[i];
    constexpr T largest = FLT_MAX;
    return sum > largest ? largest : sum < -largest ? -largest : sum;
}

/// Keeps the luminance and multiplies the distance of a colour from grey: Mantiuk, Tomaszewska, Heidrich: Color correction for tone
/// mapping. CGF 28 (2), 2009, the formula that keeps luminance; with saturation 1 the ratios of the channels stay, as in [R02].
template <class T>
PARALLAX_HOST_DEVICE T saturated(T sample, T luminance, T saturation) {
    return saturation == T(1) ? sample : luminance + saturation * (sample - luminance);
}

/// [R02] equation 4 divided by the luminance: with L = luminance / q and Lwhite^2 = 1 / (q k), Ld / luminance.
/// `luminance`: its magnitude, so that negative values are mapped like positive ones; q = log-average / key > 0; k = q / white^2 >= 0.
template <class T>
PARALLAX_HOST_DEVICE T globalFactor(T luminance, T q, T k) {
    return (T(1) + k * luminance) / (q + luminance);
}

/// [R02] equation 9 divided by the luminance. `surround`: the weighted mean luminance around the pixel, >= 0.
template <class T>
PARALLAX_HOST_DEVICE T localFactor(T surround, T q) {
    return T(1) / (q + surround);
}

/// |V| of [R02] equation 7, from luminances that are not scaled: sharpening = 2^phi * log-average / scale^2 > 0.
template <class T>
PARALLAX_HOST_DEVICE T activity(T centre, T surround, T sharpening) {
    return std::fabs(centre - surround) / (sharpening + centre);
}

/// Ia of [RD05]: between the pixel (light 1) and the image (light 0), between the channel (chromatic 1) and the
/// luminance (chromatic 0). `average`: chromatic * mean of the channel + (1 - chromatic) * mean luminance.
template <class T>
PARALLAX_HOST_DEVICE T adaptation(T sample, T luminance, T average, T chromatic, T light) {
    return light * (chromatic * sample + (T(1) - chromatic) * luminance) + (T(1) - light) * average;
}

/// Light whose logarithm [RD05] is given: `delta` and `floor` are those of ToneControls.
template <class T>
PARALLAX_HOST_DEVICE T receptorLight(T luminance, T delta, T floor) {
    return luminance + delta < floor ? floor : luminance + delta;
}

/// V of [RD05]: I / (I + sigma), sigma = (f Ia)^m; 0 for black. On every backend f Ia is at least the smallest normal float, and so is
/// sigma: the luminance of a subnormal sample may round to 0, and without a sigma the sample would be white.
template <class T>
PARALLAX_HOST_DEVICE T photoreceptor(T sample, T adaptation, T f, T m) {
    return sample == T(0) ? T(0) : sample / (sample + std::pow(f * adaptation < T(FLT_MIN) ? T(FLT_MIN) : f * adaptation, m));
}

/// Brightness of [WRP97], with the delta of [R02], so that black has one.
template <class T>
PARALLAX_HOST_DEVICE T brightness(T luminance, T delta) {
    return std::log(delta + luminance);
}

/// [WRP97]: the display's log luminance follows the cumulative distribution P. As light from the display's black (0) to its white (1):
/// (R^P - 1) / (R - 1), R = exp(logRange), perRange = 1 / (R - 1).
template <class T>
PARALLAX_HOST_DEVICE T displayed(T cumulative, T logRange, T perRange) {
    return (std::exp(cumulative * logRange) - T(1)) * perRange;
}

/// The colour of a sample for a display luminance that is not proportional to its own: the ratio (sample - luminance) / luminance is kept
/// within what colours without negative parts can have, and below `delta` it fades out. `display`: of the magnitude of the luminance.
template <class T>
PARALLAX_HOST_DEVICE T coloured(T display, T sample, T luminance, T delta, T largestRatio, T saturation) {
    const T sign = luminance < T(0) ? T(-1) : T(1);
    T ratio = (sign * sample - sign * luminance) / (sign * luminance > delta ? sign * luminance : delta);
    ratio = ratio < T(-1) ? T(-1) : ratio > largestRatio ? largestRatio : ratio;
    return sign * (display + saturation * ratio * display);
}

/// IEC 61966-2-1; negative values stay on the linear part.
template <class T>
PARALLAX_HOST_DEVICE T encodedSrgb(T x) {
    return x > T(0.0031308) ? T(1.055) * std::pow(x, T(1 / 2.4)) - T(0.055) : T(12.92) * x;
}

/// The inverse of encodedSrgb().
template <class T>
PARALLAX_HOST_DEVICE T decodedSrgb(T x) {
    return x > T(0.04045) ? std::pow((x + T(0.055)) * T(1 / 1.055), T(2.4)) : x * T(1 / 12.92);
}

/// x^(1 / gamma); 0 for negative values.
template <class T>
PARALLAX_HOST_DEVICE T encodedGamma(T x, T inverseGamma) {
    return x > T(0) ? std::pow(x, inverseGamma) : x < T(0) ? T(0) : x;
}

}  // namespace parallax::tone
