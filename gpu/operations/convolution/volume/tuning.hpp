// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning parameters of windows in three dimensions. Measure with bench_gpu_volume_convolution.
#pragma once

namespace parallax::gpu {

/// Tile of the fused kernel: rows of a warp, warps of a block beside that of the halo, blocks that must fit on a multiprocessor (limits
/// registers), slices in shared memory.
struct MarchTuning {
    int rows, warps, blocks, stages;
};
inline constexpr int kLargestFusedWindow = 9;
/// Registers hold 4 (N - 1) sums a row; a tile for which they do not suffice takes a quarter longer. 512^3 on an H200, in copies of the
/// volume on the device (0.257 ms): 3: 1.29, 5: 1.32, 7: 1.41, 9: 1.57. With one slice less ahead 7 takes 1.64, with a warp more, which
/// then share the four schedulers unevenly, 1.49.
constexpr MarchTuning marchTuning(int size) {
    if (size == 3) return {.rows = 2, .warps = 7, .blocks = 4, .stages = 2};
    if (size <= 7) return {.rows = 2, .warps = 7, .blocks = 2, .stages = 3};
    return {.rows = 2, .warps = 8, .blocks = 2, .stages = 3};
}

/// Tile of the unrolled direct kernel: a row a warp.
inline constexpr int kLargestUnrolledCube = 7;
inline constexpr int kDirectWarps = 8, kDirectBlocks = 2;
/// Slices of the result that a thread of the direct kernel for any size computes.
inline constexpr int kAnySizeSlices = 4;

}  // namespace parallax::gpu
