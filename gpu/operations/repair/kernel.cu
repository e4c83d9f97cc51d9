// SPDX-License-Identifier: GPL-3.0-or-later
// A block takes a piece of a row, and then of every so-many-th row, since a grid has at most 65,535 blocks along y. A thread loads several
// samples before it stores one, and finds its row once for them.
#include <algorithm>

#include "gpu/operations/repair/kernel.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

constexpr int kThreads = 256, kSamples = 8;

__global__ void __launch_bounds__(kThreads) repairKernel(View<const float> in, View<float> out, repairing::Replacements replacements) {
    const std::int64_t first = std::int64_t{blockIdx.x} * (kThreads * kSamples) + threadIdx.x;
    const std::int64_t rows = in.shape.height * in.shape.depth * in.shape.channels;
    for (std::int64_t row = blockIdx.y; row < rows; row += gridDim.y) {
        const std::int64_t y = row % in.shape.height, z = row / in.shape.height % in.shape.depth;
        const std::int64_t c = row / in.shape.height / in.shape.depth;
        const float* const from = in.row(y, z, c);
        float* const to = out.row(y, z, c);
        float values[kSamples];
#pragma unroll
        for (int k = 0; k < kSamples; ++k) {
            const std::int64_t x = first + k * kThreads;
            values[k] = x < in.shape.width ? from[x] : 0;
        }
#pragma unroll
        for (int k = 0; k < kSamples; ++k) {
            const std::int64_t x = first + k * kThreads;
            if (x < in.shape.width) to[x] = repairing::repaired(values[k], replacements);
        }
    }
}

}  // namespace

void launchRepair(const View<const float>& in, const View<float>& out, const repairing::Replacements& replacements, cudaStream_t stream) {
    const std::int64_t rows = in.shape.height * in.shape.depth * in.shape.channels;
    const dim3 grid(static_cast<unsigned>((in.shape.width + kThreads * kSamples - 1) / (kThreads * kSamples)),
                    static_cast<unsigned>(std::min<std::int64_t>(rows, 65535)));
    repairKernel<<<grid, kThreads, 0, stream>>>(in, out, replacements);
    checkLaunch("The kernel of repair could not be launched");
}

void preloadRepair() { preload(reinterpret_cast<const void*>(&repairKernel)); }

}  // namespace parallax::gpu
