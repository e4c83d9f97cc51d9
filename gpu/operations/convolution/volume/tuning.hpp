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
/// One block of few warps on a multiprocessor. They have enough registers to overlap the loads and sums of many rows, which gains more than
/// further warps would. Tiles are large, since neighbours load their borders again. Of the slices ahead 35 to 50 KB are on their way: more
/// of them was slower.
constexpr MarchTuning marchTuning(int size) {
    if (size <= 5) return {.rows = 8, .warps = 8, .blocks = 1, .stages = 2};
    if (size == 7) return {.rows = 5, .warps = 8, .blocks = 1, .stages = 3};
    return {.rows = 4, .warps = 8, .blocks = 1, .stages = 3};
}
/// For devices with less shared memory: 48 KiB, and 51 KiB for 9.
constexpr MarchTuning smallMarchTuning() { return {.rows = 2, .warps = 8, .blocks = 2, .stages = 2}; }

/// Tile of the unrolled direct kernel: a row a warp.
inline constexpr int kLargestUnrolledCube = 7;
inline constexpr int kDirectWarps = 8, kDirectBlocks = 2;
/// Slices of the result that a thread of the direct kernel for any size computes.
inline constexpr int kAnySizeSlices = 4;

}  // namespace parallax::gpu
