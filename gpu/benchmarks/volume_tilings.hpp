// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "gpu/operations/convolution/volume/launchers.hpp"

namespace parallax::gpu {

/// The fused kernel for a cube of `size` with another tile than that of tuning.hpp: rows of a warp, warps, blocks of a
/// multiprocessor, slices in shared memory.
struct VolumeTiling {
    int size, rows, warps, blocks, stages;
    void (*launch)(const VolumeLaunch&, cudaStream_t);
};
std::vector<VolumeTiling> volumeTilings();

}  // namespace parallax::gpu
