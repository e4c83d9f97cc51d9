// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning parameters of windows in three dimensions. Measure with bench_gpu_volume_convolution.
#pragma once

namespace parallax::gpu {

/// Tile of the fused kernel: rows of a warp, warps of a block, blocks that must fit on a multiprocessor (limits registers), slices in
/// shared memory.
struct MarchTuning {
    int rows, warps, blocks, stages;
};
inline constexpr int kLargestFusedWindow = 9;
/// A block a multiprocessor, and as many rows as registers hold, with 4 (N - 1) sums each: what neighbours load again passes through the
/// cache, whose rate limits the kernel. A tile for which registers do not suffice takes half as long again or more.
constexpr MarchTuning marchTuning(int size) {
    if (size <= 5) return {.rows = 4, .warps = 16, .blocks = 1, .stages = 2};
    if (size == 7) return {.rows = 4, .warps = 12, .blocks = 1, .stages = 2};
    return {.rows = 2, .warps = 16, .blocks = 1, .stages = 3};
}
/// For devices with less shared memory: 48 KiB, and 51 KiB for 9.
constexpr MarchTuning smallMarchTuning() { return {.rows = 2, .warps = 8, .blocks = 2, .stages = 2}; }

/// Tile of the unrolled direct kernel: a row a warp.
inline constexpr int kLargestUnrolledCube = 7;
inline constexpr int kDirectWarps = 8, kDirectBlocks = 2;
/// Slices of the result that a thread of the direct kernel for any size computes.
inline constexpr int kAnySizeSlices = 4;

}  // namespace parallax::gpu
