// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"

namespace parallax {

// dwt, idwt, wavelet-denoise and wavelet-compress / reference: serial, in double precision throughout, the oracle.
std::unique_ptr<Implementation> makeReferenceWaveletTransform();
std::unique_ptr<Implementation> makeReferenceInverseWaveletTransform();
std::unique_ptr<Implementation> makeReferenceWaveletDenoise();
std::unique_ptr<Implementation> makeReferenceWaveletCompress();

}  // namespace parallax
