// SPDX-License-Identifier: GPL-3.0-or-later
// Separable windows in three dimensions. Cubes up to 9: one fused pass. A warp filters rows along x as they arrive, neighbours by shuffles;
// rows meet along y in shared memory; sums along z stay in registers. Other windows: a pass along each axis.
#include <type_traits>

#include "gpu/operations/convolution/volume/march.cuh"
#include "gpu/operations/convolution/volume/tuning.hpp"

namespace parallax::gpu {
namespace {

template <int N>
struct CubeFactors {
    float x[N], y[N], z[N];
};

/// A quad and the quads beside it: those of the neighbouring lanes, or the halo that the first and the last lane loaded.
__device__ __forceinline__ void gather(const float4& own, const float4& halo, int lane, float (&v)[12]) {
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

template <int N, int Rows, int Warps>
__global__ void __launch_bounds__(kWarp* Warps, blocksThatFit(kWarp* Warps, marchTuning(N).blocks))
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
            gather(own[i], halo[i], lane, v);
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

/// Any factor along one axis: a thread a voxel. `outside` replaces samples beyond the axis of a constant border.
template <int Axis>
__global__ void __launch_bounds__(256)
    lineKernel(const __grid_constant__ VolumeSlices s, const float* factor, int length, int anchor, float outside) {
    const int x = static_cast<int>(blockIdx.x) * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(blockIdx.y) * static_cast<int>(blockDim.y) + static_cast<int>(threadIdx.y);
    if (x >= s.width || y >= s.height) return;
    const int n = Axis == 0 ? s.width : Axis == 1 ? s.height : s.depth;
    const std::int64_t stride = Axis == 0 ? 1 : Axis == 1 ? s.inRowStride : s.inSliceStride;
    for (int z = s.zBegin + static_cast<int>(blockIdx.z); z < s.zEnd; z += static_cast<int>(gridDim.z)) {
        const int at = (Axis == 0 ? x : Axis == 1 ? y : z) - anchor;
        const float* line = s.in + (Axis == 0 ? 0 : x) + (Axis == 1 ? 0 : y * s.inRowStride) + (Axis == 2 ? 0 : z * s.inSliceStride);
        float sum = 0;
        for (int i = 0; i < length; ++i) {
            const int from = borderIndex(at + i, n, s.border);
            sum += __ldg(factor + i) * (from < 0 ? outside : line[from * stride]);
        }
        s.out[z * s.outSliceStride + y * s.outRowStride + x] = withOffset(sum, s.offset);
    }
}

template <int Axis>
void enqueueLines(const VolumeSlices& slices, const float* factor, int length, int anchor, float outside, cudaStream_t stream) {
    const dim3 block(32, 8);
    // Rows beyond the grid's limit would need a launch of their own; z strides over it.
    VolumeSlices part = slices;
    const int rowsAtOnce = kGridLimit * static_cast<int>(block.y);
    if (slices.height > rowsAtOnce) throw Error(ErrorCode::failed, "The volume has too many rows for one launch");
    const dim3 grid(static_cast<unsigned>(divideUp(slices.width, 32)), static_cast<unsigned>(divideUp(slices.height, 8)),
                    static_cast<unsigned>(std::min(kGridLimit, slices.zEnd - slices.zBegin)));
    lineKernel<Axis><<<grid, block, 0, stream>>>(part, factor, length, anchor, outside);
    checkLaunch("A convolution kernel could not be started");
}

template <int N>
CubeFactors<N> factorsOf(const VolumeWindow& window) {
    CubeFactors<N> k{};
    std::copy_n(window.hostFactors, N, k.x);
    std::copy_n(window.hostFactors + N, N, k.y);
    std::copy_n(window.hostFactors + 2 * N, N, k.z);
    return k;
}

/// Calls f(std::integral_constant<int, N>()) for the size of a fused kernel.
template <class F>
void withFusedSize(int size, F&& f) {
    switch (size) {
        case 3: return f(std::integral_constant<int, 3>());
        case 5: return f(std::integral_constant<int, 5>());
        case 7: return f(std::integral_constant<int, 7>());
        case 9: return f(std::integral_constant<int, 9>());
        default: throw Error(ErrorCode::failed, "This window has no fused kernel");
    }
}

/// Sum of a factor, in float as kernels make it.
float sumOf(const float* factor, int length, float value) {
    float sum = 0;
    for (int i = 0; i < length; ++i) sum += factor[i] * value;
    return sum;
}

void launchLines(const VolumeLaunch& launch, cudaStream_t stream) {
    const VolumeWindow& w = launch.window;
    const VolumeSlices& all = launch.slices;
    // in -> out -> filtered -> out: each pass reads what the one before wrote.
    VolumeSlices pass = all;
    pass.offset = 0;
    enqueueLines<0>(pass, w.factors, w.width, w.anchorX, all.borderValue, stream);
    const float afterX = sumOf(w.hostFactors, w.width, all.borderValue);
    pass.in = all.out;
    pass.inRowStride = all.outRowStride;
    pass.inSliceStride = all.outSliceStride;
    pass.out = launch.filtered;
    pass.outRowStride = all.width;
    pass.outSliceStride = std::int64_t{all.width} * all.height;
    enqueueLines<1>(pass, w.factors + w.width, w.height, w.anchorY, afterX, stream);
    const float afterY = sumOf(w.hostFactors + w.width, w.height, afterX);
    pass.in = launch.filtered;
    pass.inRowStride = pass.outRowStride;
    pass.inSliceStride = pass.outSliceStride;
    pass.out = all.out;
    pass.outRowStride = all.outRowStride;
    pass.outSliceStride = all.outSliceStride;
    pass.offset = all.offset;
    enqueueLines<2>(pass, w.factors + w.width + w.height, w.depth, w.anchorZ, afterY, stream);
}

}  // namespace

bool hasFusedKernel(const VolumeWindow& window) {
    return window.isCentredCube() && window.width >= 3 && window.width <= kLargestFusedWindow;
}

void launchVolumeSeparable(const VolumeLaunch& launch, cudaStream_t stream) {
    if (!hasFusedKernel(launch.window)) return launchLines(launch, stream);
    withFusedSize(launch.window.width, [&](auto size) {
        constexpr int N = decltype(size)::value;
        constexpr MarchTuning tuning = marchTuning(N);
        using Tile = MarchTile<N, tuning.rows, tuning.warps>;
        const VolumeSlices& s = launch.slices;
        const int tiles = divideUp(s.width, kMarchColumns) * divideUp(s.height, Tile::outputRows);
        const int each = slicesOfBlock(launch, tiles, N, tuning.blocks);
        fusedKernel<N, tuning.rows, tuning.warps>
            <<<marchGrid(s, Tile::outputRows, each), dim3(kWarp, tuning.warps), 0, stream>>>(s, each, factorsOf<N>(launch.window));
        checkLaunch("A convolution kernel could not be started");
    });
}

void preloadVolumeSeparable(const VolumeLaunch& launch) {
    if (!hasFusedKernel(launch.window)) {
        preload(&lineKernel<0>);
        preload(&lineKernel<1>);
        preload(&lineKernel<2>);
        return;
    }
    withFusedSize(launch.window.width, [](auto size) {
        constexpr int N = decltype(size)::value;
        constexpr MarchTuning tuning = marchTuning(N);
        preload(&fusedKernel<N, tuning.rows, tuning.warps>);
    });
}

}  // namespace parallax::gpu
