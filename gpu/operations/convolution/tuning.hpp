// SPDX-License-Identifier: GPL-3.0-or-later
// The knobs of the register-blocked kernels as data. Each line says what the value gains and where that was measured; a
// value without a measurement says so. Measure with bench_gpu_kernels.
#pragma once

namespace parallax::gpu {

/// Knobs of one window size.
struct DirectTuning {
    int rows;         ///< output rows a thread; it always makes 4 columns, one 16-byte store
    int warps;        ///< warps of a block, one above the other: the block makes 128 x (rows * warps) outputs
    int blocks;       ///< blocks that must fit on a multiprocessor: limits registers
    int ahead;        ///< input rows whose loads are issued before the first is used
    bool unrollRows;  ///< every row of the window unrolled; else one loop over rows, 1 / size of the code
};

/// H200, 8192 x 8192, first trial: 4 rows beat 8 and 16 at every size. The other columns: not measured yet.
constexpr DirectTuning directTuning(int size) {
    switch (size) {
        case 3: return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 5, .unrollRows = true};
        case 5: return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 3, .unrollRows = true};
        case 7: return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 2, .unrollRows = true};
        case 9: return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 2, .unrollRows = true};
        case 11: return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 1, .unrollRows = true};
        case 13: return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 1, .unrollRows = true};
        default: return {.rows = 4, .warps = 8, .blocks = 3, .ahead = 1, .unrollRows = true};
    }
}

/// The kernel for any window size: 8 rows a thread halve the shared-memory reads of 4 (not measured yet).
struct AnySizeTuning {
    int rows = 8, warps = 4;
    int sharedBytes = 48 * 1024;  ///< of a block; what every device grants without asking
};
inline constexpr AnySizeTuning kAnySizeTuning{};

/// The textbook tile: 16 x 16 threads, one output each.
inline constexpr int kTextbookTile = 16;
/// Shared memory that the textbook tile may take before its window is cut into bands of rows.
inline constexpr int kTextbookSharedBytes = 48 * 1024;

/// Most work of one launch, multiply-adds, and launches in flight: what a cancel has to wait for. At 4 TFLOP/s, the rate of
/// the slowest variant, a launch takes 50 ms.
inline constexpr double kLaunchMultiplyAdds = 1e11;
inline constexpr int kLaunchesInFlight = 2;

}  // namespace parallax::gpu
