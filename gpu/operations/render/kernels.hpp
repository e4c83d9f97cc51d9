// SPDX-License-Identifier: GPL-3.0-or-later
// The border between code for the host's compiler (.cpp) and for nvcc (.cu).
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/image/view.hpp"
#include "core/operations/render/parameters.hpp"
#include "core/operations/render/rays.hpp"

namespace parallax::gpu {

/// Bricks of 8 x 8 x 8 cells. A cell lies between two samples along each axis; brick i reads samples 8 i to 8 i + 8.
inline constexpr int kBrickBits = 3, kBrick = 1 << kBrickBits;

/// Results of the pass over the volume, in device memory. Floats as integers of the same order: see orderedBits().
struct VolumeFacts {
    int low, high;  ///< of the finite samples; low > high if there are none
    int gaps;       ///< 1 if a sample is not finite
};

/// The transfer table in device memory: see TransferTable.
struct DeviceTable {
    double low = 0, perUnit = 0;
    const float4* entries = nullptr;
    const std::int32_t* opaque = nullptr;
};

/// Copied for each launch.
struct RenderSetup {
    render::RayFrame frame;
    RenderMode mode = RenderMode::maximum;
    float threshold = 0;
    bool shading = true;
    float halfPerSpacing[3] = {};  ///< 1 / (2 spacing), per mm
    double finestSpacing = 1;
    DeviceTable table;
    int bricks[3] = {1, 1, 1};
    /// For each brick a number that samples of interest exceed: the largest sample, or the smallest times -1 for minima; with a transfer
    /// function 1 if any opacity is above 0, else 0.
    float* keys = nullptr;
    VolumeFacts* facts = nullptr;
};

/// Enqueues the pass over one channel of the volume, which fills keys and facts, and the rays of its pictures: channel 0 of `out`, or all
/// three for surfaces and transfer functions.
void launchRender(const RenderSetup& setup, const View<const float>& volume, const View<float>& out, cudaStream_t stream);
void preloadRender(RenderMode mode);

}  // namespace parallax::gpu
