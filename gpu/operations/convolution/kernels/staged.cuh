// SPDX-License-Identifier: GPL-3.0-or-later
// The register-blocked computation from shared memory, into which the block first loads its tile with aligned rows. Used for images whose
// rows are not aligned to 16 bytes, with coalesced 4-byte loads and stores; and where it is faster (tuning.hpp), with 16-byte asynchronous
// copies.
#pragma once

#include <cuda_pipeline.h>

#include "gpu/operations/convolution/kernels/register_blocked.cuh"

namespace parallax::gpu {

template <int K, int Rows, int Warps = 8, int Blocks = 3>
struct StagedTile {
    static constexpr int kWarps = Warps, kRows = Rows;
    static constexpr int kBlocks = Blocks;  ///< that must fit on a multiprocessor: limits registers
    static constexpr int kReach = K / 2;
    static constexpr int kLead = (kReach + 3) / 4 * 4;  ///< columns before the block's first output
    static constexpr int kBlockColumns = kWarp * 4, kBlockRows = kRows * kWarps;
    static constexpr int kPitch = kBlockColumns + 2 * kLead;
    static constexpr int kTileRows = kBlockRows + K - 1;
};

// One function, longer than others: with loading and storing as functions of their own, small images take 5 % longer (H200).
template <int K, class Tile>
__global__ void __launch_bounds__(kWarp* Tile::kWarps, blocksThatFit(kWarp* Tile::kWarps, Tile::kBlocks))
    stagedKernel(const __grid_constant__ BlockedArguments a, const __grid_constant__ WindowWeights<K> weights) {
    constexpr int rows = Tile::kRows;
    __shared__ __align__(16) float tile[Tile::kTileRows * Tile::kPitch];
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
    const int blockX = static_cast<int>(blockIdx.x) * Tile::kBlockColumns;
    const int blockY = a.planes.rowBegin + static_cast<int>(blockIdx.y) * Tile::kBlockRows;
    const float* in = a.planes.in + blockIdx.z * a.planes.inSliceStride;
    const int x0 = blockX - Tile::kLead, y0 = blockY - Tile::kReach;
    if (a.aligned) [[likely]] {
        // Each thread copies a column of vectors, so that the next address is an addition.
        constexpr int vectors = Tile::kPitch / 4, together = kWarp * Tile::kWarps / vectors;
        const int id = warp * kWarp + lane, firstRow = id / vectors, x = x0 + 4 * (id % vectors);
        float* target = tile + 4 * id;
        if (firstRow >= together) {
            // Remaining threads.
        } else if (x0 >= 0 && y0 >= 0 && x0 + Tile::kPitch <= a.planes.width && y0 + Tile::kTileRows <= a.planes.height) [[likely]] {
            const float* source = at(in, a.inStep, x, y0 + firstRow);
#pragma unroll
            for (int r = 0; r < Tile::kTileRows; r += together) {
                if (r + together <= Tile::kTileRows || r + firstRow < Tile::kTileRows)
                    __pipeline_memcpy_async(target + r * Tile::kPitch, at(source, a.inStep, 0, r), sizeof(float4));
            }
        } else {
#pragma unroll 1
            for (int r = firstRow; r < Tile::kTileRows; r += together, target += together * Tile::kPitch) {
                const int y = a.rows.at(min(y0 + r, a.planes.height + kEdgeReach - 1));
                const float* source = in + (y < 0 ? 0 : y) * a.planes.inRowStride;
                if (y >= 0 && x >= 0 && x + 4 <= a.planes.width) {
                    __pipeline_memcpy_async(target, source + x, sizeof(float4));
                    continue;
                }
#pragma unroll 1
                for (int j = 0; j < 4; ++j) {
                    const int column = a.columns.at(min(x + j, a.planes.width + kEdgeReach - 1));
                    // These too are waited for only when the tile is complete.
                    if (column < 0 || y < 0) target[j] = a.borderValue;
                    else __pipeline_memcpy_async(target + j, source + column, sizeof(float));
                }
            }
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
    } else {
        loadTile(tile, Tile::kPitch, Tile::kPitch, Tile::kTileRows, x0, y0, in, a.planes, a.columns, a.rows, a.borderValue, lane, kWarp,
                 warp, Tile::kWarps);
    }
    __syncthreads();

    Accumulators<rows> sums;
    const float* p = tile + warp * rows * Tile::kPitch + 4 * lane;
#pragma unroll
    for (int i = 0; i < rows + K - 1; ++i) {
        RowSpan<K> span;
        span.loadShared(p + i * Tile::kPitch);
        accumulate<K>(sums, span, i, weights);
    }

    if (a.aligned) {
        const int x = blockX + 4 * lane;
        if (x >= a.planes.width) return;
        const int y = blockY + warp * rows;
        storeResults<rows>(a, sums, blockY + Tile::kBlockRows <= a.planes.rowEnd, y,
                           a.planes.out + blockIdx.z * a.planes.outSliceStride + y * a.planes.outRowStride + x);
        return;
    }
    // Results go through the tile, so that the 4-byte stores are coalesced. Each warp has its own rows.
    __syncthreads();
    float* mine = tile + warp * rows * Tile::kPitch;
#pragma unroll
    for (int o = 0; o < rows; ++o)
        *reinterpret_cast<float4*>(mine + o * Tile::kPitch + 4 * lane) =
            float4{withOffset(sums.values[o][0], a.offset), withOffset(sums.values[o][1], a.offset),
                   withOffset(sums.values[o][2], a.offset), withOffset(sums.values[o][3], a.offset)};
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

template <int K, class Tile>
void launchStagedTile(const ConvolutionLaunch& launch, cudaStream_t stream) {
    const WindowWeights<K> weights = parameterWeights<K * K>(launch);
    forGrids(launch, Tile::kBlockColumns, Tile::kBlockRows, [&](const ConvolutionLaunch& part, dim3 grid) {
        stagedKernel<K, Tile><<<grid, dim3(kWarp, Tile::kWarps), 0, stream>>>(BlockedArguments(part, rowsAreAligned(part.planes)), weights);
    });
}

template <int K, Fit F>
void Staged<K, F>::launch(const ConvolutionLaunch& l, cudaStream_t stream) {
    launchStagedTile<K, StagedTile<K, stagedRows(K, F)>>(l, stream);
}
template <int K, Fit F>
void Staged<K, F>::preload(const ConvolutionLaunch&) {
    gpu::preload(&stagedKernel<K, StagedTile<K, stagedRows(K, F)>>);
}

}  // namespace parallax::gpu
