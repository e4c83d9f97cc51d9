// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "gpu/operations/convolution/volume/launchers.hpp"

namespace parallax::gpu {

/// The fused kernel for cubes of 7 with another tile than that of tuning.hpp: rows of a warp, warps and blocks of a multiprocessor.
struct VolumeTiling {
    int rows, warps, blocks;
    void (*launch)(const VolumeLaunch&, cudaStream_t);
};
std::vector<VolumeTiling> volumeTilings();

}  // namespace parallax::gpu
