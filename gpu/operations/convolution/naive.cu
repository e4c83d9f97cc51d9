// SPDX-License-Identifier: GPL-3.0-or-later
// As a textbook has it: one thread a pixel, every sample fetched from global memory.
#include "parallax/gpu/operations/convolution/kernel_parts.cuh"

namespace parallax::gpu {
namespace {

constexpr int kBlockX = 32, kBlockY = 8;

template <class Weights>
__global__ void __launch_bounds__(kBlockX* kBlockY) naiveKernel(const __grid_constant__ Planes planes, int kernelWidth, int kernelHeight,
                                                                int anchorX, int anchorY, BorderRule rule, float borderValue, float offset,
                                                                const __grid_constant__ Weights weights) {
    const int x = static_cast<int>(blockIdx.x) * kBlockX + static_cast<int>(threadIdx.x);
    const int y = planes.rowBegin + static_cast<int>(blockIdx.y) * kBlockY + static_cast<int>(threadIdx.y);
    if (x >= planes.width || y >= planes.rowEnd) return;
    const float* in = planes.in + blockIdx.z * planes.inSliceStride;
    float sum = 0;
    for (int v = 0; v < kernelHeight; ++v) {
        const std::int64_t sy = borderIndex(y + v - anchorY, planes.height, rule);
        for (int u = 0; u < kernelWidth; ++u) {
            const std::int64_t sx = borderIndex(x + u - anchorX, planes.width, rule);
            const float sample = sx < 0 || sy < 0 ? borderValue : in[sy * planes.inRowStride + sx];
            sum += weights[v * kernelWidth + u] * sample;
        }
    }
    planes.out[blockIdx.z * planes.outSliceStride + y * planes.outRowStride + x] = sum + offset;
}

template <class Weights>
void launchWith(const ConvolutionLaunch& l, const Weights& weights, cudaStream_t stream) {
    forGrids(l.planes, kBlockY, [&](const Planes& part) {
        const dim3 grid(static_cast<unsigned>(divideUp(part.width, kBlockX)), static_cast<unsigned>(divideUp(part.rowEnd - part.rowBegin, kBlockY)),
                        static_cast<unsigned>(part.depth));
        naiveKernel<Weights><<<grid, dim3(kBlockX, kBlockY), 0, stream>>>(part, l.kernelWidth, l.kernelHeight, l.anchorX, l.anchorY, l.rule,
                                                                          l.borderValue, l.offset, weights);
    });
}

}  // namespace

void launchNaive(const ConvolutionLaunch& launch, cudaStream_t stream) {
    if (launch.taps() <= kParameterTaps)
        launchWith(launch, parameterWeights<kParameterTaps>(launch), stream);
    else
        launchWith(launch, GlobalWeights{launch.weights}, stream);
}

void preloadNaive(const ConvolutionLaunch& launch) {
    preload(launch.taps() <= kParameterTaps ? reinterpret_cast<const void*>(&naiveKernel<ParameterWeights<kParameterTaps>>)
                                            : reinterpret_cast<const void*>(&naiveKernel<GlobalWeights>));
}

}  // namespace parallax::gpu
