// SPDX-License-Identifier: GPL-3.0-or-later
// Separable cubes up to 9 in one pass. A block marches along z; the next slice arrives in shared memory by asynchronous copies while one is
// filtered: along y from shared memory, along z into sums in registers, and, when a slice is complete, along x from shared memory. One more
// warp does the same for the columns on either side, which the others need along x.
#pragma once

#include <cuda_pipeline.h>

#include <type_traits>

#include "gpu/operations/convolution/volume/march.cuh"

namespace parallax::gpu {

template <int N>
struct CubeFactors {
    float x[N], y[N], z[N];
};

/// Four results along x from the quad at `at` and those on either side.
template <int N>
__device__ __forceinline__ float4 filterAcross(const float4* at, const float (&factor)[N]) {
    const float4 left = at[-1], own = at[0], right = at[1];
    const float v[12] = {left.x, left.y, left.z, left.w, own.x, own.y, own.z, own.w, right.x, right.y, right.z, right.w};
    float sum[4] = {0, 0, 0, 0};
#pragma unroll
    for (int u = 0; u < N; ++u)
#pragma unroll
        for (int c = 0; c < 4; ++c) sum[c] += factor[u] * v[kMarchHalo - N / 2 + u + c];
    return make_float4(sum[0], sum[1], sum[2], sum[3]);
}

__device__ __forceinline__ void addProduct(float4& sum, float factor, const float4& v) {
    sum.x += factor * v.x;
    sum.y += factor * v.y;
    sum.z += factor * v.z;
    sum.w += factor * v.w;
}

/// Shared memory of a block.
template <int N, int Rows, int Warps, int Stages>
struct FusedMemory {
    using Tile = MarchTile<N, Rows, Warps>;
    static constexpr int quads = kWarp + 2;  ///< of a row
    static constexpr int stageQuads = Tile::inputRows * quads;
    float4 stages[Stages * stageQuads];
    float4 lines[2][Tile::outputRows * quads];  ///< filtered along y and z
    int columns[kMarchColumns + 2 * kMarchHalo];
    unsigned rows[Tile::inputRows];
};

template <int N, int Rows, int Warps, int Blocks, int Stages>
__global__ void __launch_bounds__(kWarp*(Warps + 1), blocksThatFit(kWarp*(Warps + 1), Blocks))
    fusedKernel(const __grid_constant__ VolumeSlices s, int slicesOfBlock, const __grid_constant__ CubeFactors<N> k) {
    using Memory = FusedMemory<N, Rows, Warps, Stages>;
    using Tile = typename Memory::Tile;
    static_assert(2 * Warps <= kWarp, "one warp has the columns on both sides");
    constexpr int quads = Memory::quads;
    extern __shared__ float4 sharedMemory[];
    Memory& memory = *reinterpret_cast<Memory*>(sharedMemory);
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
    const int x0 = static_cast<int>(blockIdx.x) * kMarchColumns, y0 = static_cast<int>(blockIdx.y) * Tile::outputRows;
    const int zBegin = s.zBegin + static_cast<int>(blockIdx.z) * slicesOfBlock, zEnd = min(zBegin + slicesOfBlock, s.zEnd);
    fillMaps<Tile>(TileMaps<unsigned>{memory.columns, memory.rows}, s, x0, y0);
    // Samples beyond a constant border are never copied.
    const float4 border = make_float4(s.borderValue, s.borderValue, s.borderValue, s.borderValue);
    for (int i = warp * kWarp + lane; i < Stages * Memory::stageQuads; i += kWarp * (Warps + 1)) memory.stages[i] = border;
    __syncthreads();

    // The warp of the halo: two lanes for the rows of a warp.
    const bool ofHalo = warp == Warps;
    const int quad = ofHalo ? (lane & 1) * (kWarp + 1) : lane + 1, x = x0 - kMarchHalo + 4 * quad;
    const int firstRow = ofHalo ? lane / 2 : warp, group = ofHalo ? min(lane / 2, Warps - 1) : warp;
    const bool inside = s.vectors && x >= 0 && x + 3 < s.width;
    constexpr int rowsOfThread = (Tile::inputRows + Warps - 1) / Warps;
    constexpr unsigned none = ~0U;
    unsigned rowOffsets[rowsOfThread];
#pragma unroll
    for (int i = 0; i < rowsOfThread; ++i) {
        const int row = firstRow + i * (ofHalo ? kWarp / 2 : Warps);
        const unsigned offset = row < Tile::inputRows ? memory.rows[row] : none;
        rowOffsets[i] = offset == none ? none : offset + (inside ? x : 0);
    }
    const int firstPlace = firstRow * quads + quad;
    const float* plainSlice = s.in + (zBegin - Tile::radius) * s.inSliceStride;
    const auto load = [&](int step, int stageOfStep) {
        const int z = zBegin - Tile::radius + step;
        const float* const slice = z >= 0 && z < s.depth ? plainSlice : inputSlice(s, z);
        plainSlice += s.inSliceStride;
        float4* const stage = memory.stages + stageOfStep * Memory::stageQuads + firstPlace;
        const auto copyQuads = [&](auto apart) {
#pragma unroll
            for (int i = 0; i < rowsOfThread; ++i)
                if (rowOffsets[i] != none)
                    __pipeline_memcpy_async(stage + i * decltype(apart)::value * quads, slice + rowOffsets[i], sizeof(float4));
        };
        if (!slice) [[unlikely]] {
            for (int row = firstRow; row < Tile::inputRows; row += ofHalo ? kWarp / 2 : Warps) stage[(row - firstRow) * quads] = border;
        } else if (!inside) {
#pragma unroll
            for (int c = 0; c < 4; ++c)
                if (const int column = memory.columns[4 * quad + c]; column >= 0) {
#pragma unroll
                    for (int i = 0; i < rowsOfThread; ++i)
                        if (rowOffsets[i] != none)
                            __pipeline_memcpy_async(reinterpret_cast<float*>(stage + i * (ofHalo ? kWarp / 2 : Warps) * quads) + c,
                                                    slice + rowOffsets[i] + column, sizeof(float));
                }
        } else if (ofHalo) {
            copyQuads(std::integral_constant<int, kWarp / 2>());
        } else {
            copyQuads(std::integral_constant<int, Warps>());
        }
    };
    // Rows of the result that this thread stores; the warp of the halo has none.
    const int rowsToStore = ofHalo || x >= s.width ? 0 : min(Rows, s.height - (y0 + warp * Rows));
    float* target = s.out + (y0 + warp * Rows) * s.outRowStride + x + zBegin * s.outSliceStride;

    // sums[j]: slice z + 1 - radius + j of the result, without the input slices from z + 1 on.
    float4 sums[N - 1][Rows];
#pragma unroll
    for (int r = 0; r < Rows; ++r)
#pragma unroll
        for (int j = 0; j < N - 1; ++j) sums[j][r] = make_float4(0, 0, 0, 0);
    const int count = zEnd - zBegin + N - 1, place = group * Rows * quads + quad;
    // A group of copies a step, even if empty: so the wait is for the same number of later ones.
    const auto prefetch = [&](int step, int stageOfStep) {
        if (step < count) load(step, stageOfStep);
        __pipeline_commit();
    };
#pragma unroll
    for (int i = 0; i + 1 < Stages; ++i) prefetch(i, i);
    int stage = 0;
    for (int step = 0; step <= count; ++step) {
        __pipeline_wait_prior(Stages - 2);
        __syncthreads();
        prefetch(step + Stages - 1, stage > 0 ? stage - 1 : Stages - 1);
        if (step >= N && rowsToStore > 0) {
            // The slice that the step before completed, of which all lines are there since the barrier.
            const float4* const line = memory.lines[(step - 1) & 1] + place;
#pragma unroll
            for (int r = 0; r < Rows; ++r)
                if (r < rowsToStore) storeQuad<true>(target + r * s.outRowStride, s, x, inside, filterAcross<N>(line + r * quads, k.x));
            target += s.outSliceStride;
        }
        if (step == count) break;
        const float4* const rows = memory.stages + stage * Memory::stageQuads + place;
        stage = stage + 1 < Stages ? stage + 1 : 0;
        float4 f[Rows];
#pragma unroll
        for (int r = 0; r < Rows; ++r) f[r] = make_float4(0, 0, 0, 0);
#pragma unroll
        for (int j = 0; j < Rows + N - 1; ++j) {
            const float4 v = rows[j * quads];
#pragma unroll
            for (int r = 0; r < Rows; ++r)
                if (j >= r && j < r + N) addProduct(f[r], k.y[j - r], v);
        }
        float4* const line = memory.lines[step & 1] + place;
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            float4 complete = sums[0][r];
            addProduct(complete, k.z[N - 1], f[r]);
            line[r * quads] = complete;
#pragma unroll
            for (int j = 0; j < N - 1; ++j) {
                sums[j][r] = j + 1 < N - 1 ? sums[j + 1 < N - 1 ? j + 1 : 0][r] : make_float4(0, 0, 0, 0);
                addProduct(sums[j][r], k.z[N - 2 - j], f[r]);
            }
        }
    }
}

template <int N>
CubeFactors<N> cubeFactors(const VolumeWindow& window) {
    CubeFactors<N> k{};
    std::copy_n(window.hostFactors, N, k.x);
    std::copy_n(window.hostFactors + N, N, k.y);
    std::copy_n(window.hostFactors + 2 * N, N, k.z);
    return k;
}

/// Enqueues the kernel for cubes of N with a tile of Rows x Warps rows; Blocks must fit on a multiprocessor, which limits registers. A
/// slice is copied while the Stages - 1 before it are filtered.
template <int N, int Rows, int Warps, int Blocks, int Stages>
void launchFused(const VolumeLaunch& launch, cudaStream_t stream) {
    using Memory = FusedMemory<N, Rows, Warps, Stages>;
    const VolumeSlices& s = launch.slices;
    const int tiles = divideUp(s.width, kMarchColumns) * divideUp(s.height, Memory::Tile::outputRows);
    const int each = slicesOfBlock(launch, tiles, N, Blocks);
    const auto kernel = &fusedKernel<N, Rows, Warps, Blocks, Stages>;
    allowSharedMemory(reinterpret_cast<const void*>(kernel), static_cast<int>(sizeof(Memory)));
    kernel<<<marchGrid(s, Memory::Tile::outputRows, each), dim3(kWarp, Warps + 1), sizeof(Memory), stream>>>(s, each,
                                                                                                             cubeFactors<N>(launch.window));
    checkLaunch("A convolution kernel could not be started");
}

}  // namespace parallax::gpu
