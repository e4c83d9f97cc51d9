// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/operations/convolution/volume/plan.hpp"

namespace parallax {

std::unique_ptr<Implementation> makeOpenmpVolumeDirect();     ///< convolve / openmp / direct with axes=xyz
std::unique_ptr<Implementation> makeOpenmpVolumeSeparable();  ///< convolve / openmp / separable with axes=xyz
std::unique_ptr<Implementation> makeOpenmpVolumeFft();        ///< convolve / openmp / fft with axes=xyz
std::unique_ptr<Implementation> makeOpenmpVolumeScalar();     ///< convolve / openmp / scalar with axes=xyz

}  // namespace parallax
