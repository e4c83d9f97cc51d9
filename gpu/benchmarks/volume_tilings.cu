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
    return {tiling<3, 4, 16, 1, 2>(), tiling<3, 4, 8, 2, 2>(), tiling<3, 2, 8, 4, 2>(), tiling<3, 8, 8, 1, 3>(),  tiling<5, 4, 16, 1, 2>(),
            tiling<5, 4, 8, 2, 2>(),  tiling<5, 6, 8, 1, 2>(), tiling<5, 8, 8, 1, 3>(), tiling<7, 4, 12, 1, 2>(), tiling<7, 4, 12, 1, 3>(),
            tiling<7, 3, 16, 1, 2>(), tiling<7, 4, 8, 1, 2>(), tiling<7, 4, 8, 1, 3>(), tiling<7, 4, 8, 1, 4>(),  tiling<7, 5, 8, 1, 2>(),
            tiling<7, 6, 8, 1, 2>(),  tiling<7, 6, 8, 1, 3>(), tiling<7, 8, 8, 1, 2>(), tiling<7, 2, 8, 2, 2>(),  tiling<9, 2, 16, 1, 3>(),
            tiling<9, 4, 8, 1, 2>(),  tiling<9, 4, 8, 1, 4>(), tiling<9, 5, 8, 1, 3>(), tiling<9, 6, 8, 1, 2>(),  tiling<9, 2, 8, 2, 2>()};
}

}  // namespace parallax::gpu
