// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/operation/operation.hpp"

namespace parallax {

std::unique_ptr<Operation> makeWaveletTransform();         ///< dwt
std::unique_ptr<Operation> makeInverseWaveletTransform();  ///< idwt
std::unique_ptr<Operation> makeWaveletDenoise();           ///< wavelet-denoise
std::unique_ptr<Operation> makeWaveletCompress();          ///< wavelet-compress

}  // namespace parallax
