// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace parallax {

/// Half of a filter along one axis: weights[k] belongs to the samples at distance k.
using HalfFilter = std::vector<float>;

/// The filters of FLIP for a number of pixels per degree. All are separable, or sums of two separable ones, and have the weights
/// radius + 1.
struct FlipFilters {
    int radius = 0;        ///< of the blue-yellow filter, the widest one
    int colourRadius = 0;  ///< of the other two contrast sensitivities: smaller weights than 2^-24 of the centre are left out
    int featureRadius = 0;
    // Contrast sensitivity of [ANSAM20], equation 3 and table 1: achromatic, red-green, and the two terms of blue-yellow.
    HalfFilter achromatic, redGreen, blueYellow[2];
    HalfFilter blueYellowAcross[2];  ///< the same, times the share of the term
    // Features, section 4.2: Gaussian, its first derivative (antisymmetric) and its second.
    HalfFilter gaussian, edge, point;
};

FlipFilters makeFlipFilters(double pixelsPerDegree);

}  // namespace parallax
