// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"

namespace parallax::gpu {

/// The variants `direct`, `separable` and `naive` of convolve / cuda with axes=xyz.
enum class VolumeVariant { direct, separable, naive };
std::unique_ptr<Implementation> makeVolumeConvolution(VolumeVariant variant);

}  // namespace parallax::gpu
