// SPDX-License-Identifier: GPL-3.0-or-later
// The launch of the kernel of the edge magnitude.
#pragma once

#include <cuda_runtime_api.h>

#include "core/image/view.hpp"
#include "core/operations/edges/plan.hpp"

namespace parallax::gpu {

/// One channel. Output row y is computed from the windows around input row y + top.
struct EdgesLaunch {
    View<const float> in;
    View<float> out;
    std::int64_t top = 0;
    EdgeWeights weights;
    BorderMode border = BorderMode::replicate;
    float borderValue = 0;
};

/// Enqueues the kernel on the stream; returns before it has run.
void launchEdges(const EdgesLaunch& launch, bool acrossSlices, cudaStream_t stream);
/// Loads its code onto the current device, so that the first timed run need not.
void preloadEdges();

}  // namespace parallax::gpu
