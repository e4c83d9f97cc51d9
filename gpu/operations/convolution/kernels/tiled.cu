// SPDX-License-Identifier: GPL-3.0-or-later
// Textbook: a block of 16 x 16 threads loads its tile with a halo into shared memory, then each thread computes one pixel. A window whose
// tile does not fit is processed in bands of its rows.
#include "gpu/operations/convolution/kernels/kernel_parts.cuh"
#include "gpu/operations/convolution/kernels/tuning.hpp"

namespace parallax::gpu {
namespace {

constexpr int kTile = kTextbookTile;

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

template <class Weights>
void launchWith(const ConvolutionLaunch& l, const Weights& weights, cudaStream_t stream) {
    const int pitch = kTile + l.kernelWidth - 1;
    const int fittingRows = kTextbookSharedBytes / (pitch * static_cast<int>(sizeof(float)));
    const int band = std::min(l.kernelHeight, fittingRows - kTile + 1);
    const auto sharedBytes = sizeof(float) * static_cast<std::size_t>(pitch) * static_cast<std::size_t>(kTile + band - 1);
    forGrids(l.planes, kTile, [&](const Planes& part) {
        const dim3 grid(static_cast<unsigned>(divideUp(part.width, kTile)),
                        static_cast<unsigned>(divideUp(part.rowEnd - part.rowBegin, kTile)), static_cast<unsigned>(part.depth));
        tiledKernel<Weights><<<grid, dim3(kTile, kTile), sharedBytes, stream>>>(part, l.kernelWidth, l.kernelHeight, l.anchorX, l.anchorY,
                                                                                band, l.columns, l.rows, l.borderValue, l.offset, weights);
    });
}

}  // namespace

void launchTiled(const ConvolutionLaunch& launch, cudaStream_t stream) {
    if (launch.taps() <= kParameterTaps) launchWith(launch, parameterWeights<kParameterTaps>(launch), stream);
    else launchWith(launch, GlobalWeights{launch.weights}, stream);
}

void preloadTiled(const ConvolutionLaunch& launch) {
    preload(launch.taps() <= kParameterTaps ? reinterpret_cast<const void*>(&tiledKernel<ParameterWeights<kParameterTaps>>)
                                            : reinterpret_cast<const void*>(&tiledKernel<GlobalWeights>));
}

}  // namespace parallax::gpu
