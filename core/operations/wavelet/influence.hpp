// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/operations/wavelet/layout.hpp"

namespace parallax {

/// The most coefficients of one band, for each level from 0 to `levels`, that depend on one sample of a signal of n samples.
std::vector<std::int64_t> influencedCoefficients(std::int64_t n, int taps, int levels, ExtensionRule rule);

/// The most samples of the mosaic that depend on one sample of the image.
double forwardInfluence(const WaveletPlan& plan);

}  // namespace parallax
