// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/benchmarks/volume_tilings.hpp"

#include "gpu/operations/convolution/volume/fused.cuh"

namespace parallax::gpu {
namespace {

template <int N, int Rows, int Warps, int Blocks, int Stages>
VolumeTiling tiling() {
    return {N, Rows, Warps, Blocks, Stages, &launchFused<N, Rows, Warps, Blocks, Stages>};
}

}  // namespace

std::vector<VolumeTiling> volumeTilings() {
    return {tiling<3, 2, 7, 4, 2>(),  tiling<3, 2, 7, 4, 3>(), tiling<3, 4, 7, 2, 2>(), tiling<3, 4, 7, 3, 2>(), tiling<5, 2, 7, 2, 3>(),
            tiling<5, 2, 7, 3, 3>(),  tiling<5, 2, 7, 4, 3>(), tiling<5, 4, 7, 2, 3>(), tiling<5, 3, 7, 3, 3>(), tiling<7, 2, 7, 2, 2>(),
            tiling<7, 2, 7, 2, 3>(),  tiling<7, 2, 7, 3, 3>(), tiling<7, 2, 8, 2, 3>(), tiling<7, 3, 7, 2, 3>(), tiling<7, 2, 5, 4, 3>(),
            tiling<7, 2, 11, 2, 3>(), tiling<7, 2, 3, 6, 3>(), tiling<7, 3, 5, 2, 3>(), tiling<7, 4, 3, 3, 3>(), tiling<9, 2, 7, 2, 3>(),
            tiling<9, 2, 7, 2, 2>(),  tiling<9, 2, 8, 2, 3>(), tiling<9, 2, 3, 4, 3>()};
}

}  // namespace parallax::gpu
