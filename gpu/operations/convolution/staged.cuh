// SPDX-License-Identifier: GPL-3.0-or-later
// The register-blocked computation from shared memory: the block first brings its tile there with coalesced 4-byte loads
// (borders resolved on the way), where every row is aligned; results take the same way back. For images whose rows are not
// aligned to 16 bytes, and where tuning.hpp says that it is faster.
#pragma once

#include "parallax/gpu/operations/convolution/register_blocked.cuh"

namespace parallax::gpu {

template <int K>
struct StagedTile {
    static constexpr int kWarps = 8, kRows = 4;
    static constexpr int kReach = K / 2;
    static constexpr int kLead = (kReach + 3) / 4 * 4;  ///< columns before the block's first output
    static constexpr int kBlockColumns = kWarp * 4, kBlockRows = kRows * kWarps;
    static constexpr int kPitch = kBlockColumns + 2 * kLead;
    static constexpr int kTileRows = kBlockRows + K - 1;
};

template <int K>
__global__ void __launch_bounds__(kWarp* StagedTile<K>::kWarps, blocksThatFit(kWarp* StagedTile<K>::kWarps, 3))
    stagedKernel(const __grid_constant__ BlockedArguments a, const __grid_constant__ WindowWeights<K> weights) {
    using Tile = StagedTile<K>;
    constexpr int rows = Tile::kRows;
    __shared__ __align__(16) float tile[Tile::kTileRows * Tile::kPitch];
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
    const int blockX = static_cast<int>(blockIdx.x) * Tile::kBlockColumns;
    const int blockY = a.planes.rowBegin + static_cast<int>(blockIdx.y) * Tile::kBlockRows;
    const float* in = a.planes.in + blockIdx.z * a.planes.inSliceStride;
    loadTile(tile, Tile::kPitch, Tile::kPitch, Tile::kTileRows, blockX - Tile::kLead, blockY - Tile::kReach, in, a.planes, a.columns,
             a.rows, a.borderValue, lane, kWarp, warp, Tile::kWarps);
    __syncthreads();

    Accumulators<rows> sums;
    const float* p = tile + warp * rows * Tile::kPitch + 4 * lane;
#pragma unroll
    for (int i = 0; i < rows + K - 1; ++i) {
        RowSpan<K> span;
        span.loadShared(p + i * Tile::kPitch);
        accumulate<K>(sums, span, i, weights);
    }

    // Back through the tile, so that the 4-byte stores are coalesced as well. Each warp has rows of its own.
    __syncthreads();
    float* mine = tile + warp * rows * Tile::kPitch;
#pragma unroll
    for (int o = 0; o < rows; ++o)
        *reinterpret_cast<float4*>(mine + o * Tile::kPitch + 4 * lane) =
            float4{sums.values[o][0] + a.offset, sums.values[o][1] + a.offset, sums.values[o][2] + a.offset, sums.values[o][3] + a.offset};
    __syncwarp();
#pragma unroll
    for (int o = 0; o < rows; ++o) {
        const int y = blockY + warp * rows + o;
        if (y >= a.planes.rowEnd) break;
        float* out = a.planes.out + blockIdx.z * a.planes.outSliceStride + y * a.planes.outRowStride + blockX;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int column = j * kWarp + lane;
            if (blockX + column < a.planes.width) out[column] = mine[o * Tile::kPitch + column];
        }
    }
}

template <int K>
void launchStaged(const ConvolutionLaunch& l, cudaStream_t stream) {
    using Tile = StagedTile<K>;
    const WindowWeights<K> weights = parameterWeights<K * K>(l);
    forGrids(l.planes, Tile::kBlockRows, [&](const Planes& part) {
        const dim3 grid(static_cast<unsigned>(divideUp(part.width, Tile::kBlockColumns)),
                        static_cast<unsigned>(divideUp(part.rowEnd - part.rowBegin, Tile::kBlockRows)), static_cast<unsigned>(part.depth));
        stagedKernel<K><<<grid, dim3(kWarp, Tile::kWarps), 0, stream>>>(
            BlockedArguments{part, l.columns, l.rows, l.borderValue, l.offset, l.streaming}, weights);
    });
}

template <int K>
void preloadStaged() {
    preload(reinterpret_cast<const void*>(&stagedKernel<K>));
}

}  // namespace parallax::gpu
