// SPDX-License-Identifier: GPL-3.0-or-later
// The knobs of the register-blocked kernels as data. Each line says what the value gains and where that was measured; a
// value without a measurement says so. Measure with bench_gpu_kernels.
#pragma once

#include <cstdint>

namespace parallax::gpu {

/// Knobs of one window size.
struct DirectTuning {
    int rows;          ///< output rows a thread; it always makes 4 columns, one 16-byte store
    int warps;         ///< warps of a block, one above the other: the block makes 128 x (rows * warps) outputs
    int blocks;        ///< blocks that must fit on a multiprocessor: limits registers
    int ahead;         ///< input rows whose loads are issued before the first is used
    bool unrollRows;   ///< every row of the window unrolled; else one loop over rows, 1 / size of the code
    int prefetch = 0;  ///< into the level-2 cache what blocks will read so many half waves later; 0: nothing
};

inline constexpr int kBlockedColumns = 4 * 32;  ///< of a block: 4 a thread

/// H200, 8192 x 8192, the best of about 12 trials of bench_gpu_tuning each: 0.139 ms for 3, 0.144 for 5, 0.173 for 7, 0.239 for 9;
/// without asking for rows ahead 0.151 for 5, 0.182 for 7, 0.250 for 9. Of 7, half a wave and one wave ahead are the same within the noise
/// (0.172 to 0.175), one and a half are 0.187, two 0.203. Tried and slower: blocks that make several such tiles one below the other (0.212
/// with two: rows far from each other are not what the memory likes), 5 rows (0.187), and the fast FIR algorithm, three products for four
/// (0.182: a third of what it saves goes to its differences, the rest to the registers that they take).
constexpr DirectTuning directTuning(int size) {
    switch (size) {
        case 3: return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 5, .unrollRows = true};
        case 7: return {.rows = 4, .warps = 4, .blocks = 8, .ahead = 1, .unrollRows = true, .prefetch = 1};
        case 9: return {.rows = 4, .warps = 4, .blocks = 8, .ahead = 1, .unrollRows = true, .prefetch = 2};
        default: return {.rows = 3, .warps = 8, .blocks = 5, .ahead = 1, .unrollRows = true, .prefetch = 2};
    }
}
/// Larger windows are better staged in shared memory: 0.328 instead of 0.359 ms for 11, 0.434 instead of 0.483 for 13, 0.584 instead of
/// 0.660 for 15. Blocks that stay and fetch their next tile while they compute one took 0.360 for 11. (With 4-byte loads and results by way
/// of shared memory, as for rows that are not aligned, they took 0.414, 0.503 and 0.649.) Asking for rows ahead gains nothing there.
inline constexpr int kLargestBlockedWindow = 9;
/// Output rows of a thread of a staged kernel. 3 for 15: the code of 4 rows, 58 KB, waits for instructions (0.597 ms).
constexpr int stagedRows(int size) { return size >= 15 ? 3 : 4; }

/// The same for a column times a row: 0.138 ms for 3, 0.142 for 5, 0.155 for 7, 0.166 for 9, 0.195 for 11, 0.223 for 13, 0.282 for 15.
/// A walk of each warp down its own columns, with rows on their way to shared memory, took 0.180, 0.192, 0.225, 0.260 and
/// 0.319 ms for 3, 7, 9, 11 and 15: many rows far from each other are not what the memory likes.
constexpr DirectTuning separableTuning(int size) {
    if (size == 3) return directTuning(size);
    if (size <= 9) return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 1, .unrollRows = true, .prefetch = 2};
    if (size <= 13) return {.rows = 8, .warps = 4, .blocks = 6, .ahead = 1, .unrollRows = true};
    return {.rows = 16, .warps = 4, .blocks = 4, .ahead = 1, .unrollRows = true};
}
/// Waves of such blocks from which on they are faster than the kernel for any size, which stages rows in shared memory: 1024 x 1024 is
/// half a wave, 0.0137 and 0.0085 ms for 7, 0.0407 and 0.0113 for 15. Where the two meet is estimated.
inline constexpr int kSeparableWaves = 2;

/// Images whose blocks do not fill the device once wait for loads and instructions more than they compute: more and smaller threads
/// with less code. 1024 x 1024, 0.0062 instead of 0.0078 ms for 3 ...
inline constexpr DirectTuning kFineTuning{.rows = 2, .warps = 4, .blocks = 10, .ahead = 4, .unrollRows = true};
inline constexpr int kLargestFineWindow = 3;
/// ... and, staged, 0.0074 instead of 0.0106 for 5, 0.0084 instead of 0.0148 for 7, 0.0113 instead of 0.0274 for 11, 0.0156 instead of
/// 0.0442 for 15.
inline constexpr int kFineStagedRows = 2;

/// The kernel for any window size: 8 rows a thread halve the shared-memory reads of 4 (not measured yet).
struct AnySizeTuning {
    int rows = 8, warps = 4;
    int sharedBytes = 48 * 1024;  ///< of a block; what every device grants without asking
};
inline constexpr AnySizeTuning kAnySizeTuning{};

/// A column times a row of any size. The values were not varied: 8192 x 8192, 0.288 ms for 7, 0.360 for 15, 0.551 for 31.
struct SeparableAnySizeTuning {
    int warps = 8;
    int rows = 8, fewRows = 2;     ///< output rows a thread, and on images that would not fill the device
    int sharedBytes = 100 * 1024;  ///< most that a block takes; where the device has less, windows are cut into more bands
};
inline constexpr SeparableAnySizeTuning kSeparableAnySizeTuning{};

/// The rule of choice.hpp: multiply-adds of the window for each one of its factors. H200, direct and separable: 0.172 and 0.155 ms
/// for 7 x 7 (3.5) at 8192 x 8192, 0.0084 and 0.0083 at 1024 x 1024; 5 x 5 (2.5) gains next to nothing, 0.144 and 0.142, 0.0075 and 0.0078.
inline constexpr double kSeparableGain = 3.5;
/// Taps a sample from which a transform is cheaper, on H200: 4096 x 4096, direct 0.479 ms at 21 x 21 and 0.873 at 31 x 31, transform
/// 0.677 and 0.680; 8192 x 8192 at 31 x 31 3.30 and 2.67.
inline constexpr double kFftTaps = 690;
/// Multiply-adds of a multiprocessor below which the five launches of a transform count: 256 x 256 at 31 x 31, which is 4.8e5, still
/// takes 0.027 instead of 0.067 ms. Smaller ones were not measured.
inline constexpr double kFftLeastWork = 4e5;
/// Bound of the error of a transformed, multiplied and transformed plane of N samples, in units of 2^-24 sum|K| max|in|: this
/// plus log2 N.
inline constexpr double kFftRoundings = 6;
/// Device memory that the padded planes of one transform may take; more planes are transformed in batches.
inline constexpr std::uint64_t kFftBatchBytes = std::uint64_t{1} << 30;

/// The textbook tile: 16 x 16 threads, one output each.
inline constexpr int kTextbookTile = 16;
/// Shared memory that the textbook tile may take before its window is cut into bands of rows.
inline constexpr int kTextbookSharedBytes = 48 * 1024;

/// Most work of one launch, multiply-adds; with the launches in flight (LaunchPacer) what a cancel has to wait for. At 4 TFLOP/s, the
/// rate of the slowest variant, a launch takes 50 ms.
inline constexpr double kLaunchMultiplyAdds = 1e11;

}  // namespace parallax::gpu
