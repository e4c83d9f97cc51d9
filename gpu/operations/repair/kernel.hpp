// SPDX-License-Identifier: GPL-3.0-or-later
// The launch of the kernel that replaces NaN and infinity.
#pragma once

#include <cuda_runtime_api.h>

#include "core/image/view.hpp"
#include "core/operations/repair/formulas.hpp"

namespace parallax::gpu {

/// Enqueues the kernel on the stream; returns before it has run.
void launchRepair(const View<const float>& in, const View<float>& out, const repairing::Replacements& replacements, cudaStream_t stream);
/// Loads its code onto the current device, so that the first timed run need not.
void preloadRepair();

}  // namespace parallax::gpu
