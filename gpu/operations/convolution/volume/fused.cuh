// SPDX-License-Identifier: GPL-3.0-or-later
// Separable cubes up to 9 in one pass. A block marches along z; the next slices arrive in shared memory by asynchronous copies while one is
// filtered: along x into shared memory, and, a step later, along y from there and along z into sums in registers.
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
    float4 lines[2][Tile::inputRows * kWarp];  ///< filtered along x
    int columns[kMarchColumns + 2 * kMarchHalo];
    unsigned rows[Tile::inputRows];
};

template <int N, int Rows, int Warps, int Blocks, int Stages>
__global__ void __launch_bounds__(kWarp* Warps, blocksThatFit(kWarp* Warps, Blocks))
    fusedKernel(const __grid_constant__ VolumeSlices s, int slicesOfBlock, const __grid_constant__ CubeFactors<N> k) {
    using Memory = FusedMemory<N, Rows, Warps, Stages>;
    using Tile = typename Memory::Tile;
    constexpr int quads = Memory::quads, inputRows = Tile::inputRows;
    extern __shared__ float4 sharedMemory[];
    Memory& memory = *reinterpret_cast<Memory*>(sharedMemory);
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y), thread = warp * kWarp + lane;
    const int x0 = static_cast<int>(blockIdx.x) * kMarchColumns, y0 = static_cast<int>(blockIdx.y) * Tile::outputRows;
    const int zBegin = s.zBegin + static_cast<int>(blockIdx.z) * slicesOfBlock, zEnd = min(zBegin + slicesOfBlock, s.zEnd);
    fillMaps<Tile>(TileMaps<unsigned>{memory.columns, memory.rows}, s, x0, y0);
    // Samples beyond a constant border are never copied.
    const float4 border = make_float4(s.borderValue, s.borderValue, s.borderValue, s.borderValue);
    for (int i = thread; i < Stages * Memory::stageQuads; i += kWarp * Warps) memory.stages[i] = border;
    __syncthreads();

    // A thread copies a quad of every Warps-th row, and the first threads one of those on either side, too.
    const auto isInside = [&](int column) { return s.vectors && column >= 0 && column + 3 < s.width; };
    const int x = x0 + 4 * lane, sideRow = thread / 2, sideQuad = thread % 2 * (kWarp + 1), sideX = x0 - kMarchHalo + 4 * sideQuad;
    const bool inside = isInside(x), sideInside = isInside(sideX);
    constexpr int rowsOfThread = (inputRows + Warps - 1) / Warps;
    constexpr unsigned none = ~0U;
    static_assert(2 * inputRows <= kWarp * Warps, "a thread copies one quad of the sides at most");
    // True at compile time for all but the last i, so that no branches separate the rows.
    const auto isInputRow = [&](int i) { return (i + 1) * Warps <= inputRows || warp + i * Warps < inputRows; };
    const auto offsetOf = [&](int row, int column) {
        const unsigned offset = row < inputRows ? memory.rows[row] : none;
        return offset == none ? none : offset + column;
    };
    unsigned offsets[rowsOfThread];
#pragma unroll
    for (int i = 0; i < rowsOfThread; ++i) offsets[i] = offsetOf(warp + i * Warps, inside ? x : 0);
    const unsigned sideOffset = offsetOf(sideRow, sideInside ? sideX : 0);
    const float* plainSlice = s.in + (zBegin - Tile::radius) * s.inSliceStride;
    const auto copySingly = [&](float4* to, const float* row, int quad) {
#pragma unroll
        for (int c = 0; c < 4; ++c)
            if (const int column = memory.columns[4 * quad + c]; column >= 0)
                __pipeline_memcpy_async(reinterpret_cast<float*>(to) + c, row + column, sizeof(float));
    };
    const auto load = [&](int step, int stageOfStep) {
        const int z = zBegin - Tile::radius + step;
        const float* const slice = z >= 0 && z < s.depth ? plainSlice : inputSlice(s, z);
        plainSlice += s.inSliceStride;
        float4* const stage = memory.stages + stageOfStep * Memory::stageQuads;
        if (!slice) [[unlikely]] {
            for (int i = thread; i < Memory::stageQuads; i += kWarp * Warps) stage[i] = border;
            return;
        }
        float4* const to = stage + warp * quads + lane + 1;
        if (inside) {
#pragma unroll
            for (int i = 0; i < rowsOfThread; ++i)
                if (offsets[i] != none) __pipeline_memcpy_async(to + i * Warps * quads, slice + offsets[i], sizeof(float4));
        } else {
#pragma unroll
            for (int i = 0; i < rowsOfThread; ++i)
                if (offsets[i] != none) copySingly(to + i * Warps * quads, slice + offsets[i], lane + 1);
        }
        if (sideOffset == none) return;
        float4* const side = stage + sideRow * quads + sideQuad;
        if (sideInside) __pipeline_memcpy_async(side, slice + sideOffset, sizeof(float4));
        else copySingly(side, slice + sideOffset, sideQuad);
    };
    const int rowsToStore = x >= s.width ? 0 : min(Rows, s.height - (y0 + warp * Rows));
    const bool storesAll = inside && rowsToStore == Rows && s.offset == 0;
    float* target = s.out + (y0 + warp * Rows) * s.outRowStride + x + zBegin * s.outSliceStride;

    // sums[j]: slice z + 1 - radius + j of the result, without the input slices from z + 1 on.
    float4 sums[N - 1][Rows];
#pragma unroll
    for (int r = 0; r < Rows; ++r)
#pragma unroll
        for (int j = 0; j < N - 1; ++j) sums[j][r] = make_float4(0, 0, 0, 0);
    const int count = zEnd - zBegin + N - 1;
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
        if (step < count) {
            const float4* const from = memory.stages + stage * Memory::stageQuads + warp * quads + lane + 1;
            float4* const line = memory.lines[step & 1] + warp * kWarp + lane;
            stage = stage + 1 < Stages ? stage + 1 : 0;
            // All loads come before the stores: the compiler cannot know that they are in different memory, and would not reorder them.
            float4 filtered[rowsOfThread];
#pragma unroll
            for (int i = 0; i < rowsOfThread; ++i)
                if (isInputRow(i)) filtered[i] = filterAcross<N>(from + i * Warps * quads, k.x);
#pragma unroll
            for (int i = 0; i < rowsOfThread; ++i)
                if (isInputRow(i)) line[i * Warps * kWarp] = filtered[i];
        }
        if (step == 0) continue;
        // The slice of the step before, of which all lines are there since the barrier.
        const float4* const lines = memory.lines[(step - 1) & 1] + warp * Rows * kWarp + lane;
        float4 f[Rows];
#pragma unroll
        for (int r = 0; r < Rows; ++r) f[r] = make_float4(0, 0, 0, 0);
#pragma unroll
        for (int j = 0; j < Rows + N - 1; ++j) {
            const float4 v = lines[j * kWarp];
#pragma unroll
            for (int r = 0; r < Rows; ++r)
                if (j >= r && j < r + N) addProduct(f[r], k.y[j - r], v);
        }
#pragma unroll
        for (int r = 0; r < Rows; ++r) addProduct(sums[0][r], k.z[N - 1], f[r]);
        if (step >= N) {
            if (storesAll) [[likely]] {
#pragma unroll
                for (int r = 0; r < Rows; ++r) *reinterpret_cast<float4*>(target + r * s.outRowStride) = sums[0][r];
            } else {
#pragma unroll
                for (int r = 0; r < Rows; ++r)
                    if (r < rowsToStore) storeQuad<false>(target + r * s.outRowStride, s, x, inside, sums[0][r]);
            }
            target += s.outSliceStride;
        }
#pragma unroll
        for (int r = 0; r < Rows; ++r)
#pragma unroll
            for (int j = 0; j < N - 1; ++j) {
                sums[j][r] = j + 1 < N - 1 ? sums[j + 1 < N - 1 ? j + 1 : 0][r] : make_float4(0, 0, 0, 0);
                addProduct(sums[j][r], k.z[N - 2 - j], f[r]);
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
    kernel<<<marchGrid(s, Memory::Tile::outputRows, each), dim3(kWarp, Warps), sizeof(Memory), stream>>>(s, each,
                                                                                                         cubeFactors<N>(launch.window));
    checkLaunch("A convolution kernel could not be started");
}

}  // namespace parallax::gpu
