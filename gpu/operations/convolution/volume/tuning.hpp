// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning parameters of windows in three dimensions. Measure with bench_gpu_volume_convolution.
#pragma once

namespace parallax::gpu {

/// Tile of the fused kernel: rows of a warp, warps of a block, blocks that must fit on a multiprocessor (limits registers).
struct MarchTuning {
    int rows, warps, blocks;
};
inline constexpr int kLargestFusedWindow = 9;
/// Registers hold 4 (N - 1) sums a row. Varied for 7 only: on an H100, 512^3, 0.683 ms with this tile and 0.797 ms with that of 5; a copy
/// takes 0.37 ms.
constexpr MarchTuning marchTuning(int size) {
    if (size == 3) return {.rows = 2, .warps = 8, .blocks = 3};
    if (size <= 5) return {.rows = 2, .warps = 8, .blocks = 2};
    if (size == 7) return {.rows = 1, .warps = 8, .blocks = 4};
    return {.rows = 1, .warps = 16, .blocks = 1};
}

/// Tile of the unrolled direct kernel: a row a warp.
inline constexpr int kLargestUnrolledCube = 7;
inline constexpr int kDirectWarps = 8, kDirectBlocks = 2;
/// Slices of the result that a thread of the direct kernel for any size computes.
inline constexpr int kAnySizeSlices = 4;

}  // namespace parallax::gpu
