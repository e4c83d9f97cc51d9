// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "parallax/engine/implementation.hpp"

namespace parallax::gpu {

enum class ConvolutionVariant { direct, separable, tiled, naive };

std::unique_ptr<Implementation> makeConvolution(ConvolutionVariant variant);

}  // namespace parallax::gpu
