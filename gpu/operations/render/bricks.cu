// SPDX-License-Identifier: GPL-3.0-or-later
// The pass over the volume: what each brick holds. A block reads a row of 32 bricks; neighbouring blocks share their outermost samples.
#include "core/operations/render/transfer_curve.hpp"
#include "gpu/operations/render/launchers.hpp"
#include "gpu/operations/render/ordered_bits.cuh"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of rendering could not be started";
constexpr int kBricksOfBlock = 32;
/// Columns of the bricks and of the samples behind them, in whole warps.
constexpr int kThreads = kBricksOfBlock * kBrick + 32;

__global__ void beginFactsKernel(VolumeFacts* facts) { *facts = {orderedBits(INFINITY), orderedBits(-INFINITY), 0}; }

__device__ __forceinline__ float keyOf(const RenderSetup& s, float low, float high) {
    if (s.mode == RenderMode::minimum) return -low;
    if (s.mode != RenderMode::transfer) return high;
    return low <= high && render::mayBeOpaque(s.table.low, s.table.perUnit, s.table.opaque, low, high) ? 1.0F : 0.0F;
}

__global__ void __launch_bounds__(kThreads) bricksKernel(RenderSetup s, View<const float> volume, int blocksOfRow) {
    __shared__ float lows[kThreads];
    __shared__ float highs[kThreads];
    const int row = static_cast<int>(blockIdx.x) / blocksOfRow, firstBrick = static_cast<int>(blockIdx.x) % blocksOfRow * kBricksOfBlock;
    const int firstY = row % s.bricks[1] * kBrick, firstZ = row / s.bricks[1] * kBrick, t = static_cast<int>(threadIdx.x);
    const int width = static_cast<int>(volume.shape.width), height = static_cast<int>(volume.shape.height);
    const int depth = static_cast<int>(volume.shape.depth), x = firstBrick * kBrick + t;
    float low = INFINITY, high = -INFINITY;
    bool gap = false;
    if (x < width && t <= kBricksOfBlock * kBrick) {
        const int lastZ = min(firstZ + kBrick, depth - 1), rows = min(kBrick + 1, height - firstY);
        for (int z = firstZ; z <= lastZ; ++z) {
            const float* const column = volume.row(firstY, z) + x;
#pragma unroll
            for (int y = 0; y <= kBrick; ++y) {
                if (y >= rows) break;
                const float value = column[y * volume.rowStride];
                const bool finite = isfinite(value);
                gap = gap || !finite;
                low = fminf(low, finite ? value : INFINITY);
                high = fmaxf(high, finite ? value : -INFINITY);
            }
        }
    }
    lows[t] = low;
    highs[t] = high;
    if (__any_sync(0xffffffffU, gap) && t % 32 == 0) atomicOr(&s.facts->gaps, 1);
    __syncthreads();
    if (t >= kBricksOfBlock) return;
    low = INFINITY;
    high = -INFINITY;
    for (int i = 0; i <= kBrick; ++i) {
        low = fminf(low, lows[t * kBrick + i]);
        high = fmaxf(high, highs[t * kBrick + i]);
    }
    if (firstBrick + t < s.bricks[0]) s.keys[static_cast<std::int64_t>(row) * s.bricks[0] + firstBrick + t] = keyOf(s, low, high);
    for (int offset = 16; offset > 0; offset /= 2) {
        low = fminf(low, __shfl_xor_sync(0xffffffffU, low, offset));
        high = fmaxf(high, __shfl_xor_sync(0xffffffffU, high, offset));
    }
    if (t == 0) {
        atomicMin(&s.facts->low, orderedBits(low));
        atomicMax(&s.facts->high, orderedBits(high));
    }
}

}  // namespace

void launchBricks(const RenderSetup& s, const View<const float>& volume, cudaStream_t stream) {
    beginFactsKernel<<<1, 1, 0, stream>>>(s.facts);
    checkLaunch(kFailed);
    const int blocksOfRow = (s.bricks[0] + kBricksOfBlock - 1) / kBricksOfBlock;
    const auto blocks = static_cast<unsigned>(static_cast<std::int64_t>(blocksOfRow) * s.bricks[1] * s.bricks[2]);
    bricksKernel<<<blocks, kThreads, 0, stream>>>(s, volume, blocksOfRow);
    checkLaunch(kFailed);
}

void preloadBricks() {
    preload(beginFactsKernel);
    preload(bricksKernel);
}

}  // namespace parallax::gpu
