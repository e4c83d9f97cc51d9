// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of the gradient operator, for host and device, in float or double. README.md has the definitions. Source:
//   [FLW02] Fattal, Lischinski, Werman: Gradient Domain High Dynamic Range Compression. ACM TOG 21 (3), 2002
#pragma once

#include <cstdint>

#include "core/operations/tone_mapping/formulas.hpp"

namespace parallax::tone {

/// Display luminances are at most this: three stops above white.
inline constexpr double kBrightestDisplay = 8;
/// Black is at most this share of white, so that images of little contrast are not stretched to their noise.
inline constexpr double kLargestBlack = 0.5;
/// Smallest mean magnitude of the gradients of a level, in logarithms: levels without contrast hold rounding errors only.
inline constexpr double kSmallestMeanGradient = 0.01;
/// Weight of the pyramid along an axis, for the samples from 2 before (0) to 2 behind (4).
PARALLAX_HOST_DEVICE constexpr double reductionWeight(std::int64_t i) { return (i == 2 ? 6 : i == 1 || i == 3 ? 4 : 1) / 16.0; }

/// The luminance of which the logarithm is taken, relative to the log-average of the image. `luminance`: its magnitude.
template <class T>
PARALLAX_HOST_DEVICE T relativeLuminance(T luminance, T average, T delta) {
    const T relative = luminance / average;
    return (relative < T(FLT_MAX) ? relative : T(FLT_MAX)) + delta;
}

/// phi_k of [FLW02] for one level: (g / alpha mean)^(beta - 1), where noise is added to the magnitude g.
template <class T>
struct Attenuation {
    T added = 0;         ///< noise times the mean
    T perThreshold = 1;  ///< 1 / (alpha mean)
    T exponent = 0;      ///< beta - 1

    PARALLAX_HOST_DEVICE static Attenuation of(double mean, double alpha, double beta, double noise) {
        const double level = mean > kSmallestMeanGradient ? mean : kSmallestMeanGradient;
        return {static_cast<T>(noise * level), static_cast<T>(1 / (alpha * level)), static_cast<T>(beta - 1)};
    }
    PARALLAX_HOST_DEVICE T operator()(T magnitude) const { return std::pow((magnitude + added) * perThreshold, exponent); }
};

/// The logarithm of the luminance that is white, and the black level as a share of it.
struct DisplayRange {
    double white = 0, black = 0;
    PARALLAX_HOST_DEVICE double perRange() const { return 1 / (1 - black); }
    /// From two order statistics of the logarithms.
    PARALLAX_HOST_DEVICE static DisplayRange of(double whiteLogarithm, double blackLogarithm) {
        const double black = std::exp(blackLogarithm - whiteLogarithm);
        return {whiteLogarithm, black < kLargestBlack ? black : kLargestBlack};
    }
};

/// Number of values that lie above white, or below black, given their share in percent.
PARALLAX_HOST_DEVICE inline std::int64_t clippedCount(double percent, std::int64_t count) {
    return count > 0 ? static_cast<std::int64_t>(percent / 100 * static_cast<double>(count - 1)) : 0;
}

/// Display luminance for a logarithm relative to that of white.
template <class T>
PARALLAX_HOST_DEVICE T displayOf(T logarithm, T black, T perRange) {
    const T light = (std::exp(logarithm) - black) * perRange;
    return light < T(0) ? T(0) : light > T(kBrightestDisplay) ? T(kBrightestDisplay) : light;
}

/// (C / L)^s Ld of [FLW02], with the sign of C. The ratio is at most that of colours without negative parts, and at least the smallest
/// normal float unless the sample is 0. `relative`: of relativeLuminance(). With saturation 0 the sample counts for nothing.
template <class T>
PARALLAX_HOST_DEVICE T gradientColour(T sample, T average, T relative, T display, T largestRatio, T saturation) {
    if (saturation == T(0)) return display;
    T ratio = std::fabs(sample) / average / relative;
    ratio = ratio < largestRatio ? ratio : largestRatio;
    if (saturation != T(1) && sample != T(0)) ratio = std::pow(ratio < T(FLT_MIN) ? T(FLT_MIN) : ratio, saturation);
    return std::copysign(ratio * display, sample);
}

}  // namespace parallax::tone
