// SPDX-License-Identifier: GPL-3.0-or-later
// Gaps between the bands of a mosaic, and copies of boxes. The copies are kernels, since the copy engines are busy with transfers to and
// from the host while slabs are computed.
#include "gpu/operations/wavelet/kernels/fused_parts.cuh"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

/// Sets boxes to 0; `warps` warps take the rows in turn.
__device__ __forceinline__ void clearBoxes(const Strided<float>& mosaic, const BandBox* boxes, int count, int warp, int warps) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll 1
    for (int b = 0; b < count; ++b) {
        const BandBox& box = boxes[b];
        const int width = static_cast<int>(box.extent[0]), height = static_cast<int>(box.extent[1]);
        const std::int64_t rows = box.extent[1] * box.extent[2];
        std::int64_t row = warp;
#pragma unroll 1
        for (; row < rows; row += warps) {
            const int z = static_cast<int>(row / height), y = static_cast<int>(row - std::int64_t{z} * height);
            float* const to = mosaic.data + box.first[0] + (box.first[1] + y) * mosaic.rowStride + (box.first[2] + z) * mosaic.sliceStride;
            const int lead = min(static_cast<int>(-(reinterpret_cast<std::uintptr_t>(to) / sizeof(float)) & 3U), width);
            const int fours = (width - lead) / 4, rest = width - lead - 4 * fours;
            if (lane < lead) to[lane] = 0;
            if (lane < rest) to[width - 1 - lane] = 0;
#pragma unroll 1
            for (int i = lane; i < fours; i += 32) reinterpret_cast<float4*>(to + lead)[i] = float4{};
        }
        warp = static_cast<int>(row - rows);  // the turn continues with the next box
    }
}

__global__ void __launch_bounds__(kClearThreads) clearKernel(const Strided<float> mosaic, const BandBox* boxes, const int count) {
    admitNextKernel();
    constexpr int kWarps = kClearThreads / 32;
    clearBoxes(mosaic, boxes, count, static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x) / 32,
               static_cast<int>(gridDim.x) * kWarps);
    awaitEarlierKernels();
}

/// Pieces of rows are assigned in turn to the warps of all blocks.
__global__ void __launch_bounds__(kBoxThreads)
    copyKernel(const Strided<float> to, const Strided<const float> from, const BoxExtent extent, const std::int64_t pieces) {
    const std::int64_t units = pieces * extent.rows * extent.slices;
    const int lane = static_cast<int>(threadIdx.x) % 32, warps = kBoxThreads / 32;
    for (std::int64_t unit = std::int64_t{blockIdx.x} * warps + static_cast<int>(threadIdx.x) / 32; unit < units;
         unit += std::int64_t{gridDim.x} * warps) {
        const std::int64_t row = unit / pieces, first = unit % pieces * kBoxPiece, y = row % extent.rows, z = row / extent.rows;
        const int count = static_cast<int>(first + kBoxPiece < extent.width ? kBoxPiece : extent.width - first);
        const float* const source = from.data + z * from.sliceStride + y * from.rowStride + first;
        float* const target = to.data + z * to.sliceStride + y * to.rowStride + first;
#pragma unroll 8
        for (int x = lane; x < count; x += 32) target[x] = __ldg(source + x);
    }
}

}  // namespace

void launchCopy(const Strided<float>& to, const Strided<const float>& from, const BoxExtent& extent, cudaStream_t stream) {
    if (extent.width <= 0 || extent.rows <= 0 || extent.slices <= 0) return;
    const std::int64_t pieces = (extent.width + kBoxPiece - 1) / kBoxPiece, units = pieces * extent.rows * extent.slices;
    constexpr std::int64_t kMaxBlocks = 4 * kMaxBoxBlocks;
    const std::int64_t blocks = (units + kBoxThreads / 32 - 1) / (kBoxThreads / 32);
    copyKernel<<<dim3(static_cast<unsigned>(blocks < kMaxBlocks ? blocks : kMaxBlocks)), kBoxThreads, 0, stream>>>(to, from, extent,
                                                                                                                   pieces);
    checkLaunch("Slices could not be copied on the device");
}

void launchClear(const Strided<float>& mosaic, const BandBoxes& boxes, int blocks, cudaStream_t stream, bool early) {
    if (boxes.count == 0) return;
    launchFused(&clearKernel, dim3(static_cast<unsigned>(blocks)), kClearThreads, 0, stream, early, mosaic, boxes.data, boxes.count);
}

bool preloadClear() {
    const void* const kernel = reinterpret_cast<const void*>(&clearKernel);
    // A multiprocessor can change the division between level-1 cache and shared memory only while it is idle. With another division than
    // the level that it runs beside, one of the two kernels would wait for the other.
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared),
          "The attributes of a kernel could not be set");
    return prepareFused(kernel, 0);
}
void preloadCopy() { preload(reinterpret_cast<const void*>(&copyKernel)); }

}  // namespace parallax::gpu
