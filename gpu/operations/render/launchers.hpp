// SPDX-License-Identifier: GPL-3.0-or-later
// Between the kernels of rendering.
#pragma once

#include "gpu/operations/render/kernels.hpp"

namespace parallax::gpu {

void launchBricks(const RenderSetup& setup, const View<const float>& volume, cudaStream_t stream);
void preloadBricks();

}  // namespace parallax::gpu
