// SPDX-License-Identifier: GPL-3.0-or-later
// Windows of any size, anchor and alignment. A block loads its tile and a band of the weights into shared memory; each thread computes
// 4 columns x 8 rows. Four taps of a row at a time: one 16-byte read of samples serves 8 output rows, whose weights are 16-byte
// broadcasts. A window whose tile does not fit is processed in bands of its rows.
#include "gpu/operations/convolution/kernels/kernel_parts.cuh"
#include "gpu/operations/convolution/kernels/tuning.hpp"

namespace parallax::gpu {
namespace {

constexpr int kRows = kAnySizeTuning.rows, kWarps = kAnySizeTuning.warps;
constexpr int kBlockColumns = kWarp * 4, kBlockRows = kRows * kWarps;

struct AnySizeArguments {
    Planes planes;
    EdgeTable columns, rows;
    const float* weights;
    int kernelWidth, kernelHeight, anchorX, anchorY;
    int band;   ///< window rows at a time
    int pitch;  ///< of the tile
    float borderValue, offset;
    bool vectorStores;
};

/// Adds row i of the tile to the outputs that need it: output o takes window row i - o. With Checked, only if 0 <= i - o < bandRows.
template <bool Checked, int WeightsPitch>
__device__ __forceinline__ void addRow(float (&sums)[kRows][4], const float* row, const float* weights, int i, int bandRows,
                                       int kernelWidth) {
    float4 current = *reinterpret_cast<const float4*>(row);
    const int whole = kernelWidth & ~3;
    const float* w = weights + i * WeightsPitch;
    int u = 0;
#pragma unroll 2
    for (; u < whole; u += 4) {
        const float4 next = *reinterpret_cast<const float4*>(row + u + 4);
        const float s[7] = {current.x, current.y, current.z, current.w, next.x, next.y, next.z};
#pragma unroll
        for (int o = 0; o < kRows; ++o) {
            if (Checked && static_cast<unsigned>(i - o) >= static_cast<unsigned>(bandRows)) continue;
            const float4 k = *reinterpret_cast<const float4*>(w + u - o * WeightsPitch);
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                sums[o][j] = fmaf(k.x, s[j], sums[o][j]);
                sums[o][j] = fmaf(k.y, s[j + 1], sums[o][j]);
                sums[o][j] = fmaf(k.z, s[j + 2], sums[o][j]);
                sums[o][j] = fmaf(k.w, s[j + 3], sums[o][j]);
            }
        }
        current = next;
    }
    const int rest = kernelWidth - whole;
    if (rest == 0) return;
    const float4 next = *reinterpret_cast<const float4*>(row + u + 4);
    const float s[6] = {current.x, current.y, current.z, current.w, next.x, next.y};
#pragma unroll
    for (int o = 0; o < kRows; ++o) {
        if (Checked && static_cast<unsigned>(i - o) >= static_cast<unsigned>(bandRows)) continue;
        const float4 k = *reinterpret_cast<const float4*>(w + u - o * WeightsPitch);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            sums[o][j] = fmaf(k.x, s[j], sums[o][j]);
            if (rest > 1) sums[o][j] = fmaf(k.y, s[j + 1], sums[o][j]);
            if (rest > 2) sums[o][j] = fmaf(k.z, s[j + 2], sums[o][j]);
        }
    }
}

/// WeightsPitch, the distance of the window's rows in shared memory, is a constant, so that the weights of all output rows are read
/// relative to one address.
template <int WeightsPitch>
__global__ void __launch_bounds__(kWarp* kWarps) anySizeKernel(const __grid_constant__ AnySizeArguments a) {
    extern __shared__ __align__(16) float shared[];
    float* const weights = shared;
    float* const tile = shared + a.band * WeightsPitch;
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
    const int blockX = static_cast<int>(blockIdx.x) * kBlockColumns;
    const int blockY = a.planes.rowBegin + static_cast<int>(blockIdx.y) * kBlockRows;
    const float* in = a.planes.in + blockIdx.z * a.planes.inSliceStride;
    float sums[kRows][4];
#pragma unroll
    for (int o = 0; o < kRows; ++o)
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[o][j] = 0;

    for (int v0 = 0; v0 < a.kernelHeight; v0 += a.band) {
        const int bandRows = min(a.band, a.kernelHeight - v0);
        if (v0 > 0) __syncthreads();  // all threads have read the previous band
        for (int r = warp; r < bandRows; r += kWarps)
            for (int u = lane; u < a.kernelWidth; u += kWarp)
                weights[r * WeightsPitch + u] = __ldg(a.weights + (v0 + r) * a.kernelWidth + u);
        loadTile(tile, a.pitch, a.pitch, kBlockRows + bandRows - 1, blockX - a.anchorX, blockY - a.anchorY + v0, in, a.planes, a.columns,
                 a.rows, a.borderValue, lane, kWarp, warp, kWarps);
        __syncthreads();
        // Tile row i is needed by outputs i - bandRows + 1 .. i; by all outputs of the thread only in the middle.
        const float* row = tile + warp * kRows * a.pitch + 4 * lane;
        const int inputRows = kRows + bandRows - 1;
#pragma unroll 1
        for (int i = 0; i < inputRows; ++i) {
            if (i >= kRows - 1 && i < bandRows) {
                addRow<false, WeightsPitch>(sums, row, weights, i, bandRows, a.kernelWidth);
            } else {
                addRow<true, WeightsPitch>(sums, row, weights, i, bandRows, a.kernelWidth);
            }
            row += a.pitch;
        }
    }

    const int x = blockX + 4 * lane;
#pragma unroll
    for (int o = 0; o < kRows; ++o) {
        const int y = blockY + warp * kRows + o;
        if (y >= a.planes.rowEnd || x >= a.planes.width) return;
        float* out = a.planes.out + blockIdx.z * a.planes.outSliceStride + y * a.planes.outRowStride + x;
        if (a.vectorStores) {
            __stwb(reinterpret_cast<float4*>(out), float4{withOffset(sums[o][0], a.offset), withOffset(sums[o][1], a.offset),
                                                          withOffset(sums[o][2], a.offset), withOffset(sums[o][3], a.offset)});
        } else {
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (x + j < a.planes.width) out[j] = withOffset(sums[o][j], a.offset);
        }
    }
}

template <int WeightsPitch>
void launchWith(const ConvolutionLaunch& l, cudaStream_t stream) {
    AnySizeArguments a{.planes = l.planes,
                       .columns = l.columns,
                       .rows = l.rows,
                       .weights = l.weights,
                       .kernelWidth = l.kernelWidth,
                       .kernelHeight = l.kernelHeight,
                       .anchorX = l.anchorX,
                       .anchorY = l.anchorY,
                       .band = 0,
                       .pitch = 0,
                       .borderValue = l.borderValue,
                       .offset = l.offset,
                       .vectorStores = false};
    // Threads read whole vectors up to here.
    a.pitch = kBlockColumns + roundUp(l.kernelWidth, 4);
    const int fixed = (kBlockRows - 1) * a.pitch;
    const int available = kAnySizeTuning.sharedBytes / static_cast<int>(sizeof(float)) - fixed;
    a.band = std::min(l.kernelHeight, available / (a.pitch + WeightsPitch));
    const auto sharedBytes = sizeof(float) * (static_cast<std::size_t>(a.band) * WeightsPitch +
                                              static_cast<std::size_t>(kBlockRows + a.band - 1) * static_cast<std::size_t>(a.pitch));
    const Planes& p = l.planes;
    a.vectorStores =
        p.width % 4 == 0 && p.outRowStride % 4 == 0 && p.outSliceStride % 4 == 0 && reinterpret_cast<std::uintptr_t>(p.out) % 16 == 0;
    forGrids(p, kBlockRows, [&](const Planes& part) {
        a.planes = part;
        const dim3 grid(static_cast<unsigned>(divideUp(part.width, kBlockColumns)),
                        static_cast<unsigned>(divideUp(part.rowEnd - part.rowBegin, kBlockRows)), static_cast<unsigned>(part.depth));
        anySizeKernel<WeightsPitch><<<grid, dim3(kWarp, kWarps), sharedBytes, stream>>>(a);
    });
}

}  // namespace

void launchAnySize(const ConvolutionLaunch& l, cudaStream_t stream) {
    if (l.kernelWidth <= 32) launchWith<32>(l, stream);
    else if (l.kernelWidth <= 64) launchWith<64>(l, stream);
    else launchWith<128>(l, stream);
}

void preloadAnySize(const ConvolutionLaunch& l) {
    preload(l.kernelWidth <= 32   ? reinterpret_cast<const void*>(&anySizeKernel<32>)
            : l.kernelWidth <= 64 ? reinterpret_cast<const void*>(&anySizeKernel<64>)
                                  : reinterpret_cast<const void*>(&anySizeKernel<128>));
}

}  // namespace parallax::gpu
