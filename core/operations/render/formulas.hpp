// SPDX-License-Identifier: GPL-3.0-or-later
// Shading and limits, for host and device code alike.
#pragma once

#include <cmath>

#include "core/image/host_device.hpp"

namespace parallax::render {

/// Light of a surface that is seen edge-on, and what the light at the viewer adds to one that is seen from the front.
inline constexpr float kAmbient = 0.15F, kDiffuse = 0.85F;
/// Linear RGB of the surface.
PARALLAX_HOST_DEVICE constexpr float surfaceColour(int channel) { return channel == 0 ? 0.92F : channel == 1 ? 0.84F : 0.72F; }
/// A sample is left out if the finite ones of its eight neighbours have less than this share of the weight. Not a binary fraction: a sample
/// half-way between two others is never on the limit.
inline constexpr float kLeastWeight = 1.0F / 3;
/// Gradients below this share of contrast() per finest spacing fade to the ambient light.
inline constexpr double kSoftGradient = 1.0 / 512;
/// A ray of the transfer function ends when less light than this passes; the reference goes on.
inline constexpr float kOpaque = 0x1p-16F;

/// `along`: product of the gradient and the direction of the ray; `squares`: of the gradient's components; `soft`: see softGradient().
template <class T>
PARALLAX_HOST_DEVICE inline T shade(T along, T squares, T soft) {
    using std::fabs;
    using std::sqrt;
    return T(kAmbient) + T(kDiffuse) * fabs(along) / sqrt(squares + soft * soft);
}

/// Returns the range of a volume with finite samples in [low, high], or a part of the magnitude if that is larger, since rounding errors of
/// values would be gradients otherwise. Above 0, so that volumes of zeros have a shade.
PARALLAX_HOST_DEVICE inline double contrast(double low, double high) {
    const double magnitude = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    const double least = magnitude / 16 > 1e-12 ? magnitude / 16 : 1e-12;
    return high - low > least ? high - low : least;
}

/// kSoftGradient per mm.
PARALLAX_HOST_DEVICE inline double softGradient(double low, double high, double finestSpacing) {
    return kSoftGradient * contrast(low, high) / finestSpacing;
}

}  // namespace parallax::render
