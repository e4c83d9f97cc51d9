// SPDX-License-Identifier: GPL-3.0-or-later
// The border between code for the host's compiler (.cpp) and for nvcc (.cu).
#pragma once

#include <cuda_runtime_api.h>

#include "core/image/view.hpp"

namespace parallax::gpu {

/// Enqueues the kernel on the stream; returns before it has run.
void launchExampleScale(const View<const float>& in, const View<float>& out, float factor, float offset, cudaStream_t stream);
/// Loads its code onto the current device, so that the first timed run need not.
void preloadExampleScale();

}  // namespace parallax::gpu
