// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"

namespace parallax {

std::unique_ptr<Implementation> makeOpenmpDirectConvolution();     ///< convolve / openmp / direct
std::unique_ptr<Implementation> makeOpenmpSeparableConvolution();  ///< convolve / openmp / separable
std::unique_ptr<Implementation> makeOpenmpFftConvolution();        ///< convolve / openmp / fft
std::unique_ptr<Implementation> makeOpenmpScalarConvolution();     ///< convolve / openmp / scalar

}  // namespace parallax
