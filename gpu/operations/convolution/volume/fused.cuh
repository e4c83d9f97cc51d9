// SPDX-License-Identifier: GPL-3.0-or-later
// Separable cubes up to 9 in one pass. A warp filters rows along x as they arrive, neighbours by shuffles; rows meet along y in shared
// memory; sums along z stay in registers.
#pragma once

#include "gpu/operations/convolution/volume/march.cuh"

namespace parallax::gpu {

template <int N>
struct CubeFactors {
    float x[N], y[N], z[N];
};

/// A quad and the quads beside it: those of the neighbouring lanes, or the halo that the first and the last lane loaded.
__device__ __forceinline__ void gatherQuads(const float4& own, const float4& halo, int lane, float (&v)[12]) {
    constexpr unsigned all = 0xffffffffU;
    const float4 before = make_float4(__shfl_up_sync(all, own.x, 1), __shfl_up_sync(all, own.y, 1), __shfl_up_sync(all, own.z, 1),
                                      __shfl_up_sync(all, own.w, 1));
    const float4 after = make_float4(__shfl_down_sync(all, own.x, 1), __shfl_down_sync(all, own.y, 1), __shfl_down_sync(all, own.z, 1),
                                     __shfl_down_sync(all, own.w, 1));
    const float4 left = lane == 0 ? halo : before, right = lane == kWarp - 1 ? halo : after;
    v[0] = left.x, v[1] = left.y, v[2] = left.z, v[3] = left.w;
    v[4] = own.x, v[5] = own.y, v[6] = own.z, v[7] = own.w;
    v[8] = right.x, v[9] = right.y, v[10] = right.z, v[11] = right.w;
}

template <int N, int Rows, int Warps, int Blocks>
__global__ void __launch_bounds__(kWarp* Warps, blocksThatFit(kWarp* Warps, Blocks))
    fusedKernel(const __grid_constant__ VolumeSlices s, int slicesOfBlock, const __grid_constant__ CubeFactors<N> k) {
    using Tile = MarchTile<N, Rows, Warps>;
    __shared__ float4 filtered[2 * Tile::inputRows * kWarp];
    __shared__ int columnMap[kMarchColumns + 2 * kMarchHalo];
    __shared__ std::int64_t rowMap[Tile::inputRows];
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
    const int x0 = static_cast<int>(blockIdx.x) * kMarchColumns, y0 = static_cast<int>(blockIdx.y) * Tile::outputRows;
    const int zBegin = s.zBegin + static_cast<int>(blockIdx.z) * slicesOfBlock, zEnd = min(zBegin + slicesOfBlock, s.zEnd);
    const TileMaps maps{columnMap, rowMap};
    fillMaps<Tile>(maps, s, x0, y0);
    __syncthreads();

    const int x = x0 + 4 * lane, haloColumn = lane == 0 ? 0 : kMarchHalo + kMarchColumns;
    const bool hasHalo = lane == 0 || lane == kWarp - 1, inside = s.vectors && x + 3 < s.width;
    const int haloX = x0 - kMarchHalo + haloColumn;
    const bool haloInside = s.vectors && haloX >= 0 && haloX + 3 < s.width;
    float4 own[Tile::rowsOfWarp], halo[Tile::rowsOfWarp];
    const auto load = [&](int z) {
        const float* slice = inputSlice(s, z);
#pragma unroll
        for (int i = 0; i < Tile::rowsOfWarp; ++i) {
            const int r = warp + i * Warps;
            if (r >= Tile::inputRows) break;
            const std::int64_t offset = rowMap[r];
            const float* row = slice && offset >= 0 ? slice + offset : nullptr;
            own[i] = loadQuad(row, x, columnMap + kMarchHalo + 4 * lane, inside, s.borderValue);
            if (hasHalo) halo[i] = loadQuad(row, haloX, columnMap + haloColumn, haloInside, s.borderValue);
        }
    };

    // sums[j]: slice z + 1 - radius + j of the result, without the input slices from z + 1 on.
    float4 sums[N - 1][Rows];
#pragma unroll
    for (int j = 0; j < N - 1; ++j)
#pragma unroll
        for (int r = 0; r < Rows; ++r) sums[j][r] = make_float4(0, 0, 0, 0);
#pragma unroll
    for (int i = 0; i < Tile::rowsOfWarp; ++i) halo[i] = make_float4(0, 0, 0, 0);

    load(zBegin - Tile::radius);
    const int count = zEnd - zBegin + N - 1;
    for (int step = 0; step < count; ++step) {
        float4* const buffer = filtered + (step & 1) * (Tile::inputRows * kWarp);
#pragma unroll
        for (int i = 0; i < Tile::rowsOfWarp; ++i) {
            const int r = warp + i * Warps;
            if (r >= Tile::inputRows) break;
            float v[12];
            gatherQuads(own[i], halo[i], lane, v);
            float sum[4] = {0, 0, 0, 0};
#pragma unroll
            for (int u = 0; u < N; ++u)
#pragma unroll
                for (int c = 0; c < 4; ++c) sum[c] += k.x[u] * v[kMarchHalo - Tile::radius + u + c];
            buffer[r * kWarp + lane] = make_float4(sum[0], sum[1], sum[2], sum[3]);
        }
        // In flight during the rest of this slice.
        if (step + 1 < count) load(zBegin - Tile::radius + step + 1);
        // One barrier a slice: when the rows of the other buffer are written again, every thread has read them.
        __syncthreads();
        float4 f[Rows];
#pragma unroll
        for (int r = 0; r < Rows; ++r) f[r] = make_float4(0, 0, 0, 0);
#pragma unroll
        for (int j = 0; j < Rows + N - 1; ++j) {
            const float4 v = buffer[(warp * Rows + j) * kWarp + lane];
#pragma unroll
            for (int r = 0; r < Rows; ++r) {
                if (j < r || j >= r + N) continue;
                const float w = k.y[j - r];
                f[r].x += w * v.x;
                f[r].y += w * v.y;
                f[r].z += w * v.z;
                f[r].w += w * v.w;
            }
        }
        const int z = zBegin + step - (N - 1);
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            const float4 a = f[r], done = sums[0][r];
            const float last = k.z[N - 1];
            const float4 result = make_float4(done.x + last * a.x, done.y + last * a.y, done.z + last * a.z, done.w + last * a.w);
            if (z >= zBegin) storeQuad(s, x, y0 + warp * Rows + r, z, result);
#pragma unroll
            for (int j = 0; j < N - 1; ++j) {
                const float w = k.z[N - 2 - j];
                const float4 before = j + 1 < N - 1 ? sums[j + 1 < N - 1 ? j + 1 : 0][r] : make_float4(0, 0, 0, 0);
                sums[j][r] = make_float4(before.x + w * a.x, before.y + w * a.y, before.z + w * a.z, before.w + w * a.w);
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

/// Enqueues the kernel for cubes of N with a tile of Rows x Warps rows; Blocks must fit on a multiprocessor, which limits registers.
template <int N, int Rows, int Warps, int Blocks>
void launchFused(const VolumeLaunch& launch, cudaStream_t stream) {
    using Tile = MarchTile<N, Rows, Warps>;
    const VolumeSlices& s = launch.slices;
    const int tiles = divideUp(s.width, kMarchColumns) * divideUp(s.height, Tile::outputRows);
    const int each = slicesOfBlock(launch, tiles, N, Blocks);
    fusedKernel<N, Rows, Warps, Blocks>
        <<<marchGrid(s, Tile::outputRows, each), dim3(kWarp, Warps), 0, stream>>>(s, each, cubeFactors<N>(launch.window));
    checkLaunch("A convolution kernel could not be started");
}

}  // namespace parallax::gpu
