// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"

namespace parallax {

std::unique_ptr<Implementation> makeOpenmpWaveletTransform();         ///< dwt / openmp / simd
std::unique_ptr<Implementation> makeOpenmpInverseWaveletTransform();  ///< idwt / openmp / simd
std::unique_ptr<Implementation> makeOpenmpWaveletDenoise();           ///< wavelet-denoise / openmp / simd
std::unique_ptr<Implementation> makeOpenmpWaveletCompress();          ///< wavelet-compress / openmp / simd

}  // namespace parallax
