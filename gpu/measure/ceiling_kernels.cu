// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/measure/ceiling_kernels.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

constexpr float kFactor = 3;

template <int Vectors>
__global__ void copyKernel(float4* __restrict__ a, const float4* __restrict__ b) {
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x * Vectors + threadIdx.x;
    // All loads precede the first store, so that they are in flight together.
    float4 v[Vectors];
#pragma unroll
    for (int i = 0; i < Vectors; ++i) v[i] = b[first + static_cast<std::size_t>(i) * blockDim.x];
#pragma unroll
    for (int i = 0; i < Vectors; ++i) a[first + static_cast<std::size_t>(i) * blockDim.x] = v[i];
}

template <int Vectors>
__global__ void triadKernel(float4* __restrict__ a, const float4* __restrict__ b, const float4* __restrict__ c) {
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x * Vectors + threadIdx.x;
    float4 v[Vectors], w[Vectors];
#pragma unroll
    for (int i = 0; i < Vectors; ++i) {
        v[i] = b[first + static_cast<std::size_t>(i) * blockDim.x];
        w[i] = c[first + static_cast<std::size_t>(i) * blockDim.x];
    }
#pragma unroll
    for (int i = 0; i < Vectors; ++i)
        a[first + static_cast<std::size_t>(i) * blockDim.x] = {v[i].x + kFactor * w[i].x, v[i].y + kFactor * w[i].y,
                                                               v[i].z + kFactor * w[i].z, v[i].w + kFactor * w[i].w};
}

template <int Chains>
__global__ void fmaKernel(float* sink, int loops, float factor, float summand) {
    float x[Chains];
#pragma unroll
    for (int k = 0; k < Chains; ++k) x[k] = static_cast<float>(threadIdx.x + k);
    for (int i = 0; i < loops; ++i) {
#pragma unroll
        for (int u = 0; u < kFmaUnroll; ++u) {
#pragma unroll
            for (int k = 0; k < Chains; ++k) x[k] = fmaf(x[k], factor, summand);
        }
    }
    float sum = 0;
#pragma unroll
    for (int k = 0; k < Chains; ++k) sum += x[k];
    sink[static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x] = sum;
}

/// Blocks that cover `count` floats exactly.
unsigned blocksFor(std::size_t count, StreamShape shape) {
    return static_cast<unsigned>(count / (static_cast<std::size_t>(shape.threads) * static_cast<std::size_t>(shape.vectors) * 4));
}

/// Calls f with a number as a compile-time constant, the last of the list if it is none of the others.
template <int First, int... Rest, class F>
void withConstant(int number, F&& f) {
    if constexpr (sizeof...(Rest) == 0) f(std::integral_constant<int, First>());
    else if (number == First) f(std::integral_constant<int, First>());
    else withConstant<Rest...>(number, f);
}
template <class F>
void withVectors(StreamShape shape, F&& f) {
    withConstant<4, 2, 1>(shape.vectors, f);
}
template <class F>
void withChains(FmaShape shape, F&& f) {
    withConstant<8, 4>(shape.chains, f);
}

}  // namespace

void launchCopy(float* a, const float* b, std::size_t count, StreamShape shape, cudaStream_t stream) {
    withVectors(shape, [&](auto vectors) {
        copyKernel<vectors()><<<blocksFor(count, shape), static_cast<unsigned>(shape.threads), 0, stream>>>(
            reinterpret_cast<float4*>(a), reinterpret_cast<const float4*>(b));
    });
    checkLaunch("A copy could not be started");
}

void launchTriad(float* a, const float* b, const float* c, std::size_t count, StreamShape shape, cudaStream_t stream) {
    withVectors(shape, [&](auto vectors) {
        triadKernel<vectors()><<<blocksFor(count, shape), static_cast<unsigned>(shape.threads), 0, stream>>>(
            reinterpret_cast<float4*>(a), reinterpret_cast<const float4*>(b), reinterpret_cast<const float4*>(c));
    });
    checkLaunch("A triad could not be started");
}

void launchFma(float* sink, int loops, FmaShape shape, int multiprocessors, cudaStream_t stream) {
    // Arguments, because the compiler could evaluate chains of constants.
    constexpr float kShrink = 0.999F, kSummand = 0.001F;
    const auto blocks = static_cast<unsigned>(multiprocessors * shape.blocksPerUnit), threads = static_cast<unsigned>(shape.threads);
    withChains(shape, [&](auto chains) { fmaKernel<chains()><<<blocks, threads, 0, stream>>>(sink, loops, kShrink, kSummand); });
    checkLaunch("The multiply-adds could not be started");
}

double fmaOperations(int loops, FmaShape shape, int multiprocessors) {
    return 2.0 * kFmaUnroll * loops * shape.chains * shape.threads * shape.blocksPerUnit * multiprocessors;
}

void preloadCeilingKernels() {
    for (const StreamShape& shape : kStreamShapes)
        withVectors(shape, [](auto vectors) {
            preload(&copyKernel<vectors()>);
            preload(&triadKernel<vectors()>);
        });
    for (const FmaShape& shape : kFmaShapes) withChains(shape, [](auto chains) { preload(&fmaKernel<chains()>); });
}

}  // namespace parallax::gpu
