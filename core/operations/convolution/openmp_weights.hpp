// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <limits>
#include <vector>

namespace parallax {

/// Weights as float. One that is not zero never becomes zero, however small: where it meets an infinity the result is
/// infinite, and zero times infinity would be NaN.
inline std::vector<float> toFloatWeights(const std::vector<double>& weights) {
    std::vector<float> result;
    result.reserve(weights.size());
    for (const double w : weights) {
        auto f = static_cast<float>(w);
        if (f == 0 && w != 0) f = std::copysign(std::numeric_limits<float>::denorm_min(), static_cast<float>(w));
        result.push_back(f);
    }
    return result;
}

}  // namespace parallax
