// SPDX-License-Identifier: GPL-3.0-or-later
// The textbook variants, with one thread per pixel. `naive` reads every sample from global memory. `tiled`: a block of 16 x 16 threads
// loads its tile with a halo into shared memory; a window whose tile does not fit is processed in bands of its rows.
#include <type_traits>

#include "gpu/operations/convolution/kernels/kernel_parts.cuh"
#include "gpu/operations/convolution/kernels/tuning.hpp"

namespace parallax::gpu {
namespace {

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kTile = kTextbookTile;

// The border mode is a template argument, since a switch in the innermost loop would cost more than the sum.
template <class Weights, BorderMode Rule>
__global__ void __launch_bounds__(kBlockX* kBlockY)
    naiveKernel(const __grid_constant__ Planes planes, int kernelWidth, int kernelHeight, int anchorX, int anchorY, float borderValue,
                float offset, const __grid_constant__ Weights weights) {
    const int x = static_cast<int>(blockIdx.x) * kBlockX + static_cast<int>(threadIdx.x);
    const int y = planes.rowBegin + static_cast<int>(blockIdx.y) * kBlockY + static_cast<int>(threadIdx.y);
    if (x >= planes.width || y >= planes.rowEnd) return;
    const float* in = planes.in + blockIdx.z * planes.inSliceStride;
    float sum = 0;
    for (int v = 0; v < kernelHeight; ++v) {
        const int sy = borderIndex(y + v - anchorY, static_cast<int>(planes.height), Rule);
        for (int u = 0; u < kernelWidth; ++u) {
            const int sx = borderIndex(x + u - anchorX, static_cast<int>(planes.width), Rule);
            const float sample = Rule == BorderMode::constant && (sx < 0 || sy < 0) ? borderValue : in[sy * planes.inRowStride + sx];
            sum += weights[v * kernelWidth + u] * sample;
        }
    }
    planes.out[blockIdx.z * planes.outSliceStride + y * planes.outRowStride + x] = sum + offset;
}

template <class Weights>
__global__ void __launch_bounds__(kTile* kTile)
    tiledKernel(const __grid_constant__ Planes planes, int kernelWidth, int kernelHeight, int anchorX, int anchorY, int band,
                const __grid_constant__ EdgeTable columns, const __grid_constant__ EdgeTable rows, float borderValue, float offset,
                const __grid_constant__ Weights weights) {
    extern __shared__ float tile[];
    const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
    const int tileX = static_cast<int>(blockIdx.x) * kTile, tileY = planes.rowBegin + static_cast<int>(blockIdx.y) * kTile;
    const float* in = planes.in + blockIdx.z * planes.inSliceStride;
    const int pitch = kTile + kernelWidth - 1;
    float sum = 0;
    for (int v0 = 0; v0 < kernelHeight; v0 += band) {
        const int bandRows = min(band, kernelHeight - v0);
        if (v0 > 0) __syncthreads();  // all threads have read the previous band
        loadTile(tile, pitch, pitch, kTile + bandRows - 1, tileX - anchorX, tileY - anchorY + v0, in, planes, columns, rows, borderValue,
                 tx, kTile, ty, kTile);
        __syncthreads();
        for (int v = 0; v < bandRows; ++v)
            for (int u = 0; u < kernelWidth; ++u) sum += weights[(v0 + v) * kernelWidth + u] * tile[(ty + v) * pitch + tx + u];
    }
    const int x = tileX + tx, y = tileY + ty;
    if (x < planes.width && y < planes.rowEnd) planes.out[blockIdx.z * planes.outSliceStride + y * planes.outRowStride + x] = sum + offset;
}

/// Calls f with the border mode as a compile-time constant.
template <class F>
void withRule(BorderMode rule, F&& f) {
    switch (rule) {
        case BorderMode::constant: return f(std::integral_constant<BorderMode, BorderMode::constant>());
        case BorderMode::reflect: return f(std::integral_constant<BorderMode, BorderMode::reflect>());
        case BorderMode::reflect101: return f(std::integral_constant<BorderMode, BorderMode::reflect101>());
        case BorderMode::wrap: return f(std::integral_constant<BorderMode, BorderMode::wrap>());
        case BorderMode::replicate: return f(std::integral_constant<BorderMode, BorderMode::replicate>());
    }
}

/// Calls f(kernel's weights, border mode) with both as types.
template <class F>
void withWeightsAndRule(const ConvolutionLaunch& launch, F&& f) {
    withWeights(launch, [&](const auto& weights) { withRule(launch.rule, [&](auto rule) { f(weights, rule); }); });
}

}  // namespace

void launchNaive(const ConvolutionLaunch& launch, cudaStream_t stream) {
    withWeightsAndRule(launch, [&]<class Weights>(const Weights& weights, auto rule) {
        forGrids(launch, kBlockX, kBlockY, [&](const ConvolutionLaunch& part, dim3 grid) {
            naiveKernel<Weights, decltype(rule)::value><<<grid, dim3(kBlockX, kBlockY), 0, stream>>>(
                part.planes, part.kernelWidth, part.kernelHeight, part.anchorX, part.anchorY, part.borderValue, part.offset, weights);
        });
    });
}

void preloadNaive(const ConvolutionLaunch& launch) {
    withWeightsAndRule(launch, []<class Weights>(const Weights&, auto rule) { preload(&naiveKernel<Weights, decltype(rule)::value>); });
}

void launchTiled(const ConvolutionLaunch& launch, cudaStream_t stream) {
    const int pitch = kTile + launch.kernelWidth - 1;
    const int fittingRows = kTextbookSharedBytes / (pitch * static_cast<int>(sizeof(float)));
    const int band = std::min(launch.kernelHeight, fittingRows - kTile + 1);
    const auto sharedBytes = sizeof(float) * static_cast<std::size_t>(pitch) * static_cast<std::size_t>(kTile + band - 1);
    withWeights(launch, [&]<class Weights>(const Weights& weights) {
        forGrids(launch, kTile, kTile, [&](const ConvolutionLaunch& part, dim3 grid) {
            tiledKernel<Weights><<<grid, dim3(kTile, kTile), sharedBytes, stream>>>(part.planes, part.kernelWidth, part.kernelHeight,
                                                                                    part.anchorX, part.anchorY, band, part.columns,
                                                                                    part.rows, part.borderValue, part.offset, weights);
        });
    });
}

void preloadTiled(const ConvolutionLaunch& launch) {
    withWeights(launch, []<class Weights>(const Weights&) { preload(&tiledKernel<Weights>); });
}

}  // namespace parallax::gpu
