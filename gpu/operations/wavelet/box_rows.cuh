// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parallax/gpu/operations/wavelet/launchers.hpp"

namespace parallax::gpu {

/// Threads of a block of the kernels that walk over boxes, each warp a row at a time.
inline constexpr int kBoxThreads = 256;

/// Calls f(pointer to a sample) for all samples of a box that are this thread's: rows go round the warps of all blocks along x of the
/// grid, samples of a row round the lanes. Which thread gets which follows from the sizes alone.
template <class T, class F>
__device__ __forceinline__ void forBoxSamples(const Strided<T>& mosaic, const BandBox& box, F&& f) {
    const std::int64_t rows = box.extent[1] * box.extent[2];
    const int lane = static_cast<int>(threadIdx.x) % 32, warps = kBoxThreads / 32;
    for (std::int64_t row = std::int64_t{blockIdx.x} * warps + static_cast<int>(threadIdx.x) / 32; row < rows;
         row += std::int64_t{gridDim.x} * warps) {
        T* const first = mosaic.data + box.first[0] + (box.first[1] + row % box.extent[1]) * mosaic.rowStride +
                         (box.first[2] + row / box.extent[1]) * mosaic.sliceStride;
        for (std::int64_t x = lane; x < box.extent[0]; x += 32) f(first + x);
    }
}

}  // namespace parallax::gpu
