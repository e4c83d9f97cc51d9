// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "parallax/engine/implementation.hpp"

namespace parallax {

std::unique_ptr<Implementation> makeOpenmpDirectConvolution();     ///< convolve / openmp / direct
std::unique_ptr<Implementation> makeOpenmpSeparableConvolution();  ///< convolve / openmp / separable
std::unique_ptr<Implementation> makeOpenmpFftConvolution();        ///< convolve / openmp / fft
std::unique_ptr<Implementation> makeOpenmpScalarConvolution();     ///< convolve / openmp / scalar

/// The instruction set that this processor gets: "AVX3" (AVX-512), "AVX2", ...
std::string openmpVectorInstructions();
/// Floats of a vector of it.
int openmpVectorLanes();
/// Uses nothing better than "AVX-512", "AVX2" or "SSE4"; empty: the best there is. Before the first run. Throws
/// Error(usage) for another name.
void limitVectorInstructions(std::string_view best);

}  // namespace parallax
