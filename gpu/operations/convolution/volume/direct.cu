// SPDX-License-Identifier: GPL-3.0-or-later
// Windows in three dimensions without use of factors. Cubes of 3, 5 and 7: a block marches along z, and each sample in shared memory is
// added to all slices of the result that it belongs to, with weights in the constant bank. Other windows: a thread computes four slices of
// one column. `naive`: a thread a voxel, every sample from global memory.
#include <type_traits>

#include "gpu/operations/convolution/volume/march.cuh"
#include "gpu/operations/convolution/volume/tuning.hpp"

namespace parallax::gpu {
namespace {

template <int N>
__global__ void __launch_bounds__(kWarp* kDirectWarps, blocksThatFit(kWarp* kDirectWarps, kDirectBlocks))
    unrolledKernel(const __grid_constant__ VolumeSlices s, int slicesOfBlock, const __grid_constant__ ParameterWeights<N * N * N> k) {
    using Tile = MarchTile<N, 1, kDirectWarps>;
    constexpr int quads = kWarp + 2 * kMarchHalo / 4;  // of a row with its halo
    __shared__ float4 tile[2 * Tile::inputRows * quads];
    __shared__ int columnMap[kMarchColumns + 2 * kMarchHalo];
    __shared__ std::int64_t rowMap[Tile::inputRows];
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y), thread = warp * kWarp + lane;
    const int x0 = static_cast<int>(blockIdx.x) * kMarchColumns, y0 = static_cast<int>(blockIdx.y) * Tile::outputRows;
    const int zBegin = s.zBegin + static_cast<int>(blockIdx.z) * slicesOfBlock, zEnd = min(zBegin + slicesOfBlock, s.zEnd);
    fillMaps<Tile>(TileMaps<std::int64_t>{columnMap, rowMap}, s, x0, y0);
    __syncthreads();

    constexpr int threads = kWarp * kDirectWarps, quadsOfThread = (Tile::inputRows * quads + threads - 1) / threads;
    float4 ahead[quadsOfThread];
    const auto load = [&](int z) {
        const float* slice = inputSlice(s, z);
#pragma unroll
        for (int i = 0; i < quadsOfThread; ++i) {
            const int q = thread + i * threads;
            if (q >= Tile::inputRows * quads) break;
            const int column = q % quads * 4, x = x0 - kMarchHalo + column;
            const std::int64_t offset = rowMap[q / quads];
            const bool inside = s.vectors && x >= 0 && x + 3 < s.width;
            ahead[i] = loadQuad(slice && offset >= 0 ? slice + offset : nullptr, x, columnMap + column, inside, s.borderValue);
        }
    };

    // sums[j]: slice z + 1 - radius + j of the result, without the input slices from z + 1 on.
    float sums[N][4];
#pragma unroll
    for (int j = 0; j < N; ++j)
#pragma unroll
        for (int c = 0; c < 4; ++c) sums[j][c] = 0;
    load(zBegin - Tile::radius);
    const int count = zEnd - zBegin + N - 1;
    for (int step = 0; step < count; ++step) {
        float4* const buffer = tile + (step & 1) * (Tile::inputRows * quads);
#pragma unroll
        for (int i = 0; i < quadsOfThread; ++i)
            if (const int q = thread + i * threads; q < Tile::inputRows * quads) buffer[q] = ahead[i];
        if (step + 1 < count) load(zBegin - Tile::radius + step + 1);
        __syncthreads();
#pragma unroll
        for (int v = 0; v < N; ++v) {
            const float4* row = buffer + (warp + v) * quads + lane;
            const float4 a = row[0], b = row[1], d = row[2];
            const float samples[12] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, d.x, d.y, d.z, d.w};
#pragma unroll
            for (int j = 0; j < N; ++j)
#pragma unroll
                for (int u = 0; u < N; ++u)
#pragma unroll
                    for (int c = 0; c < 4; ++c) sums[j][c] += k[((N - 1 - j) * N + v) * N + u] * samples[kMarchHalo - Tile::radius + u + c];
        }
        const int z = zBegin + step - (N - 1);
        if (z >= zBegin) storeQuad(s, x0 + 4 * lane, y0 + warp, z, make_float4(sums[0][0], sums[0][1], sums[0][2], sums[0][3]));
#pragma unroll
        for (int j = 0; j < N; ++j)
#pragma unroll
            for (int c = 0; c < 4; ++c) sums[j][c] = j + 1 < N ? sums[j + 1 < N ? j + 1 : 0][c] : 0;
    }
}

constexpr int kBlockX = 32, kBlockY = 8;

/// A thread computes kSlices slices of a column: a sample is loaded once for all of them.
template <class Weights, int kSlices>
__global__ void __launch_bounds__(kBlockX* kBlockY)
    anySizeKernel(const __grid_constant__ VolumeSlices s, int width, int height, int depth, int anchorX, int anchorY, int anchorZ,
                  const __grid_constant__ Weights weights) {
    const int x = static_cast<int>(blockIdx.x) * kBlockX + static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(blockIdx.y) * kBlockY + static_cast<int>(threadIdx.y);
    if (x >= s.width || y >= s.height) return;
    for (int z = s.zBegin + static_cast<int>(blockIdx.z) * kSlices; z < s.zEnd; z += static_cast<int>(gridDim.z) * kSlices) {
        float sum[kSlices] = {};
        for (int t = 0; t < depth + kSlices - 1; ++t) {
            const float* slice = inputSlice(s, z + t - anchorZ);
            float ofSlice[kSlices] = {};
            for (int v = 0; v < height; ++v) {
                const int sy = borderIndex(y + v - anchorY, s.height, s.border);
                const float* row = slice && sy >= 0 ? slice + sy * s.inRowStride : nullptr;
                for (int u = 0; u < width; ++u) {
                    const int sx = row ? borderIndex(x + u - anchorX, s.width, s.border) : -1;
                    const float sample = sx < 0 ? s.borderValue : __ldg(row + sx);
#pragma unroll
                    for (int j = 0; j < kSlices; ++j)
                        if (const int w = t - j; w >= 0 && w < depth) ofSlice[j] += weights[(w * height + v) * width + u] * sample;
                }
            }
            // A sum a slice of the window: a single one over thousands of equal products would round in one direction only.
#pragma unroll
            for (int j = 0; j < kSlices; ++j) sum[j] += ofSlice[j];
        }
#pragma unroll
        for (int j = 0; j < kSlices; ++j)
            if (z + j < s.zEnd) s.out[(z + j) * s.outSliceStride + y * s.outRowStride + x] = withOffset(sum[j], s.offset);
    }
}

template <int kSlices>
void enqueueAnySize(const VolumeLaunch& launch, cudaStream_t stream) {
    const VolumeSlices& s = launch.slices;
    const VolumeWindow& w = launch.window;
    const dim3 grid(static_cast<unsigned>(divideUp(s.width, kBlockX)), static_cast<unsigned>(divideUp(s.height, kBlockY)),
                    static_cast<unsigned>(std::min(kGridLimit, divideUp(s.zEnd - s.zBegin, kSlices))));
    const auto enqueue = [&]<class Weights>(const Weights& weights) {
        anySizeKernel<Weights, kSlices>
            <<<grid, dim3(kBlockX, kBlockY), 0, stream>>>(s, w.width, w.height, w.depth, w.anchorX, w.anchorY, w.anchorZ, weights);
        checkLaunch("A convolution kernel could not be started");
    };
    if (w.taps() <= kParameterTaps) {
        ParameterWeights<kParameterTaps> weights{};
        std::copy_n(w.hostWeights, w.taps(), weights.values);
        enqueue(weights);
    } else {
        enqueue(GlobalWeights{w.weights});
    }
}

template <int kSlices>
void preloadAnySize(const VolumeWindow& window) {
    if (window.taps() <= kParameterTaps) preload(&anySizeKernel<ParameterWeights<kParameterTaps>, kSlices>);
    else preload(&anySizeKernel<GlobalWeights, kSlices>);
}

/// Calls f(std::integral_constant<int, N>()) for the size of an unrolled kernel.
template <class F>
void withUnrolledCube(int size, F&& f) {
    switch (size) {
        case 3: return f(std::integral_constant<int, 3>());
        case 5: return f(std::integral_constant<int, 5>());
        case 7: return f(std::integral_constant<int, 7>());
        default: throw Error(ErrorCode::failed, "This window has no unrolled kernel");
    }
}

}  // namespace

bool hasUnrolledKernel(const VolumeWindow& window) {
    return window.isCentredCube() && window.width >= 3 && window.width <= kLargestUnrolledCube;
}

void launchVolumeDirect(const VolumeLaunch& launch, cudaStream_t stream) {
    if (!hasUnrolledKernel(launch.window)) return enqueueAnySize<kAnySizeSlices>(launch, stream);
    withUnrolledCube(launch.window.width, [&](auto size) {
        constexpr int N = decltype(size)::value;
        const VolumeSlices& s = launch.slices;
        ParameterWeights<N * N * N> weights{};
        std::copy_n(launch.window.hostWeights, N * N * N, weights.values);
        const int tiles = divideUp(s.width, kMarchColumns) * divideUp(s.height, kDirectWarps);
        const int each = slicesOfBlock(launch, tiles, N, kDirectBlocks);
        unrolledKernel<N><<<marchGrid(s, kDirectWarps, each), dim3(kWarp, kDirectWarps), 0, stream>>>(s, each, weights);
        checkLaunch("A convolution kernel could not be started");
    });
}

void preloadVolumeDirect(const VolumeLaunch& launch) {
    if (!hasUnrolledKernel(launch.window)) return preloadAnySize<kAnySizeSlices>(launch.window);
    withUnrolledCube(launch.window.width, [](auto size) { preload(&unrolledKernel<decltype(size)::value>); });
}

void launchVolumeNaive(const VolumeLaunch& launch, cudaStream_t stream) { enqueueAnySize<1>(launch, stream); }

void preloadVolumeNaive(const VolumeLaunch& launch) { preloadAnySize<1>(launch.window); }

}  // namespace parallax::gpu
