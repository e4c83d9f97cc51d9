// SPDX-License-Identifier: GPL-3.0-or-later
// Textbook: one thread per pixel, every sample from global memory.
#include <type_traits>

#include "gpu/operations/convolution/kernels/kernel_parts.cuh"

namespace parallax::gpu {
namespace {

constexpr int kBlockX = 32, kBlockY = 8;

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

template <class Weights, BorderMode Rule>
void launchRule(const ConvolutionLaunch& l, const Weights& weights, cudaStream_t stream) {
    forGrids(l.planes, kBlockY, [&](const Planes& part) {
        const dim3 grid(static_cast<unsigned>(divideUp(part.width, kBlockX)),
                        static_cast<unsigned>(divideUp(part.rowEnd - part.rowBegin, kBlockY)), static_cast<unsigned>(part.depth));
        naiveKernel<Weights, Rule><<<grid, dim3(kBlockX, kBlockY), 0, stream>>>(part, l.kernelWidth, l.kernelHeight, l.anchorX, l.anchorY,
                                                                                l.borderValue, l.offset, weights);
    });
}

/// Calls f with the border mode as a compile-time constant.
template <class F>
auto withRule(BorderMode rule, F&& f) {
    switch (rule) {
        case BorderMode::constant: return f(std::integral_constant<BorderMode, BorderMode::constant>());
        case BorderMode::reflect: return f(std::integral_constant<BorderMode, BorderMode::reflect>());
        case BorderMode::reflect101: return f(std::integral_constant<BorderMode, BorderMode::reflect101>());
        case BorderMode::wrap: return f(std::integral_constant<BorderMode, BorderMode::wrap>());
        case BorderMode::replicate: break;
    }
    return f(std::integral_constant<BorderMode, BorderMode::replicate>());
}

template <class Weights>
void launchWith(const ConvolutionLaunch& l, const Weights& weights, cudaStream_t stream) {
    withRule(l.rule, [&](auto rule) { launchRule<Weights, decltype(rule)::value>(l, weights, stream); });
}

template <class Weights>
const void* kernelFor(BorderMode rule) {
    return withRule(rule, [](auto r) { return reinterpret_cast<const void*>(&naiveKernel<Weights, decltype(r)::value>); });
}

}  // namespace

void launchNaive(const ConvolutionLaunch& launch, cudaStream_t stream) {
    if (launch.taps() <= kParameterTaps) launchWith(launch, parameterWeights<kParameterTaps>(launch), stream);
    else launchWith(launch, GlobalWeights{launch.weights}, stream);
}

void preloadNaive(const ConvolutionLaunch& launch) {
    preload(launch.taps() <= kParameterTaps ? kernelFor<ParameterWeights<kParameterTaps>>(launch.rule)
                                            : kernelFor<GlobalWeights>(launch.rule));
}

}  // namespace parallax::gpu
