// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"

namespace parallax::gpu {

/// The tuned variant; then the textbook variants, by the memory of the filters.
enum class WaveletVariant { fused, constant, shared, global };

struct WaveletVariantInfo {
    WaveletVariant variant;
    const char* name;
    const char* summary;
};
const WaveletVariantInfo& info(WaveletVariant variant);

std::unique_ptr<Implementation> makeWaveletTransform(WaveletVariant variant);         ///< dwt
std::unique_ptr<Implementation> makeInverseWaveletTransform(WaveletVariant variant);  ///< idwt
std::unique_ptr<Implementation> makeWaveletDenoise(WaveletVariant variant);           ///< wavelet-denoise
std::unique_ptr<Implementation> makeWaveletCompress(WaveletVariant variant);          ///< wavelet-compress

}  // namespace parallax::gpu
