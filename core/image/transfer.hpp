// SPDX-License-Identifier: GPL-3.0-or-later
// Transfer functions between stored or displayed values and linear light, both in [0, 1] and beyond.
#pragma once

#include <cmath>

namespace parallax {

/// IEC 61966-2-1. Odd-symmetric, so that colours outside the gamut are preserved.
inline double srgbToLinear(double v) {
    const double a = std::fabs(v);
    const double l = a <= 0.04045 ? a / 12.92 : std::pow((a + 0.055) / 1.055, 2.4);
    return v < 0 ? -l : l;
}
inline double linearToSrgb(double v) {
    const double a = std::fabs(v);
    const double s = a <= 0.0031308 ? a * 12.92 : 1.055 * std::pow(a, 1 / 2.4) - 0.055;
    return v < 0 ? -s : s;
}

}  // namespace parallax
