// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/benchmarks/volume_tilings.hpp"

#include "gpu/operations/convolution/volume/fused.cuh"

namespace parallax::gpu {
namespace {

template <int Rows, int Warps, int Blocks>
VolumeTiling tiling() {
    return {Rows, Warps, Blocks, &launchFused<7, Rows, Warps, Blocks>};
}

}  // namespace

std::vector<VolumeTiling> volumeTilings() {
    return {tiling<2, 8, 2>(),  tiling<2, 4, 4>(), tiling<2, 4, 3>(), tiling<2, 16, 1>(), tiling<1, 8, 3>(),
            tiling<1, 16, 2>(), tiling<1, 8, 4>(), tiling<4, 4, 2>(), tiling<4, 8, 1>(),  tiling<3, 8, 1>()};
}

}  // namespace parallax::gpu
