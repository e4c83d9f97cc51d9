// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of the edges, for host and device code alike. Samples that are not finite, in any channel, have no edges: they keep their
// values and influence none.
#pragma once

#include <cmath>

#include "core/image/host_device.hpp"
#include "core/operations/diffuse/parameters.hpp"

namespace parallax::diffusion {

/// Weights of the filtered channels: Rec. 709 luminance if they are R, G and B; else the mean, 1 / n each.
inline constexpr double kLuminance[3] = {0.2126, 0.7152, 0.0722};

// `p`: DiffuseParameters, or a struct with those of its members that a function reads.

/// Guide of Farbman et al. at a sample with this luminance.
template <class P>
PARALLAX_HOST_DEVICE double guideValue(double luminance, const P& p) {
    return p.guide == DiffusionGuide::linear ? luminance : log((luminance > 0 ? luminance : 0.0) + p.black);
}

/// Weight of the edge between neighbours whose guides differ by `difference`; `axisWeight` is 1 / spacing^2. Farbman, Fattal, Lischinski,
/// Szeliski, "Edge-preserving decompositions for multi-scale tone and detail manipulation", SIGGRAPH 2008: lambda / (|l_x|^alpha +
/// epsilon).
template <class P>
PARALLAX_HOST_DEVICE double edgePreservingWeight(double difference, double axisWeight, const P& p) {
    return p.lambda * axisWeight / (pow(fabs(difference) * sqrt(axisWeight), p.alpha) + p.epsilon);
}

/// Weight of the edge between neighbours for a step of time `step`; `meanSquare` is the mean over the channels of the squared difference.
/// Perona and Malik, "Scale-space and edge detection using anisotropic diffusion", PAMI 1990: 1 / (1 + (s / K)^2) or exp(-(s / K)^2).
template <class P>
PARALLAX_HOST_DEVICE double peronaMalikWeight(double meanSquare, double axisWeight, double step, const P& p) {
    const double ratio = meanSquare * axisWeight / (p.contrast * p.contrast);
    return step * axisWeight * (p.conductivity == Conductivity::rational ? 1 / (1 + ratio) : exp(-ratio));
}

}  // namespace parallax::diffusion
