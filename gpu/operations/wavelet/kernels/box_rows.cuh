// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/operations/wavelet/kernels/launchers.hpp"

namespace parallax::gpu {

inline dim3 gridOf(const BandBoxes& boxes) { return dim3(static_cast<unsigned>(boxes.blocks), static_cast<unsigned>(boxes.count)); }

/// Calls f(pointer to a sample) for this thread's samples of a box: pieces of rows are assigned in turn to the warps of all blocks along x
/// of the grid, samples of a piece to the lanes. The assignment depends on the sizes alone.
template <class T, class F>
__device__ __forceinline__ void forBoxSamples(const Strided<T>& mosaic, const BandBox& box, F&& f) {
    const std::int64_t pieces = (box.extent[0] + kBoxPiece - 1) / kBoxPiece, units = pieces * box.extent[1] * box.extent[2];
    const int lane = static_cast<int>(threadIdx.x) % 32, warps = kBoxThreads / 32;
    for (std::int64_t unit = std::int64_t{blockIdx.x} * warps + static_cast<int>(threadIdx.x) / 32; unit < units;
         unit += std::int64_t{gridDim.x} * warps) {
        const std::int64_t row = unit / pieces, from = unit % pieces * kBoxPiece;
        const std::int64_t end = from + kBoxPiece < box.extent[0] ? from + kBoxPiece : box.extent[0];
        T* const first = mosaic.data + box.first[0] + (box.first[1] + row % box.extent[1]) * mosaic.rowStride +
                         (box.first[2] + row / box.extent[1]) * mosaic.sliceStride;
        for (std::int64_t x = from + lane; x < end; x += 32) f(first + x);
    }
}

}  // namespace parallax::gpu
