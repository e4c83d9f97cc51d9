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

inline constexpr int kLargestUnrolledWindow = 15;
inline constexpr int kBlockedColumns = 4 * 32;  ///< of a block: 4 a thread

/// How full an image makes the device: blocks of 128 x 16 samples for each multiprocessor. 1024 x 1024 has 3.9 of them on an H200, 2048 x
/// 2048 15.5, 4096 x 4096 62.
enum class Fit { tiny, small, large };
inline constexpr int kFitRows = 16;

/// Small images wait for loads and instructions more than they compute: 2048 x 2048, one launch, 0.0111 instead of 0.0127 ms for 3,
/// 0.0133 instead of 0.0148 for 5, 0.0172 instead of 0.0194 for 7.
inline constexpr DirectTuning kSmallTuning{.rows = 4, .warps = 4, .blocks = 6, .ahead = 5, .unrollRows = true};
inline constexpr int kLargestSmallBlockedWindow = 7;
/// Of 3 large ones take the same, 8192 x 8192 0.131 ms: blocks of 8 warps 0.138, with 2 rows 0.133.
inline constexpr int kLargestAlwaysSmallWindow = 3;

/// Large images. H200, 8192 x 8192, the best of about 12 trials of bench_gpu_tuning and bench_gpu_launches each: 0.138 ms for 5, 0.163 for
/// 7, 0.223 for 9; without asking for rows ahead 0.176 for 7. For 7, blocks of 4 warps take 0.165, of 2 0.172, of 16 0.172, 6 rows 0.168, 8
/// rows 0.176. Tried and slower: blocks that make several such tiles one below the other (0.212 with two: rows far from each other are not
/// what the memory likes), 8 columns a thread, which saves instructions and costs cycles of the first cache (0.192), or of shared memory
/// (0.231), and the fast FIR algorithm, three products for four (0.182: a third of what it saves goes to its differences, the rest to the
/// registers that they take).
constexpr DirectTuning directTuning(int size) {
    switch (size) {
        case 7: return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 1, .unrollRows = true, .prefetch = 1};
        case 9: return {.rows = 4, .warps = 4, .blocks = 8, .ahead = 1, .unrollRows = true, .prefetch = 2};
        default: return {.rows = 3, .warps = 8, .blocks = 5, .ahead = 1, .unrollRows = true, .prefetch = 2};
    }
}
/// Larger windows are better staged in shared memory: 0.319 instead of 0.359 ms for 11, 0.434 instead of 0.483 for 13, 0.563 instead of
/// 0.660 for 15. Blocks that stay and fetch their next tile while they compute one took 0.360 for 11. (With 4-byte loads and results by way
/// of shared memory, as for rows that are not aligned, they took 0.414, 0.503 and 0.649.) Asking for rows ahead gains nothing there.
inline constexpr int kLargestBlockedWindow = 9;
/// Images with a block or two for each multiprocessor last as long as a block: 512 x 512, 0.0051 instead of 0.0060 ms for 5.
inline constexpr DirectTuning kTinyTuning{.rows = 2, .warps = 4, .blocks = 8, .ahead = 8, .unrollRows = true};
inline constexpr int kLargestTinyBlockedWindow = 5;

/// Which is which, for windows of a size: an image is tiny below the first, for staged kernels small below the second, for those that
/// are not staged small below the third, else large. From one launch each of 256^2 to 4096^2 on an H200, where neighbours meet.
struct FitBounds {
    double tiny, staged, small;
};
constexpr FitBounds fitBounds(int size) {
    switch (size) {
        case 3: return {2, 2, 48};
        case 5: return {2, 2, 48};
        case 7: return {2, 6, 48};
        case 9: return {2, 48, 48};
        default: return {2, 24, 24};  // 13 was not measured between 512 x 512 and 8192 x 8192
    }
}
/// Of rows that are not aligned, which are staged always. Not measured anew.
inline constexpr FitBounds kUnalignedBounds{2, 8, 8};
/// Output rows of a thread of a staged kernel: 512 x 512, 0.0059 instead of 0.0065 ms for 7; 1024 x 1024, 0.0087 for 7 with 2 rows, 0.0092
/// with 1, 0.0105 with 4. Of large images 3 for 15: the code of 4 rows, 58 KB, waits for instructions (0.597 ms).
constexpr int stagedRows(int size, Fit fit) { return fit == Fit::tiny ? 1 : fit == Fit::small ? 2 : size >= 15 ? 3 : 4; }

/// The same for a column times a row. 8192 x 8192: 0.144 ms for 7, 0.153 for 9, 0.178 for 11, 0.198 for 13, 0.247 for 15; blocks of 8 warps
/// 0.150 for 7 and 0.160 for 9, 6 blocks for each multiprocessor 0.185 for 11 and 0.212 for 13, 16 rows a thread 0.260 for 15; without
/// asking for rows ahead 0.152 for 7. A walk of each warp down its own columns, with rows on their way to shared memory, took 0.180, 0.192,
/// 0.225, 0.260 and 0.319 ms for 3, 7, 9, 11 and 15: many rows far from each other are not what the memory likes. 2048 x 2048, one launch,
/// 0.0156 ms for 7, 0.0277 for 11, where the kernel for any size takes 0.0268 and 0.0304.
constexpr DirectTuning separableTuning(int size, Fit fit) {
    if (size > 9) return {.rows = 8, .warps = 4, .blocks = 5, .ahead = 1, .unrollRows = true};
    if (fit != Fit::large) return {.rows = 4, .warps = 4, .blocks = 6, .ahead = 1, .unrollRows = true};
    if (size == 3) return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 5, .unrollRows = true};
    if (size == 5) return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 1, .unrollRows = true, .prefetch = 2};
    return {.rows = 4, .warps = 4, .blocks = 6, .ahead = 1, .unrollRows = true, .prefetch = 1};
}
inline constexpr int kLargestSeparableThatFits = 9;  ///< larger ones do not ask how large the image is

/// Below the first, the kernel for any size, which stages rows in shared memory: 1024 x 1024, 0.0145 instead of 0.0244 ms for 15, 0.0131
/// instead of 0.0172 for 11. From the second on an image is large.
struct SeparableBounds {
    double anySize, small;
};
constexpr SeparableBounds separableBounds(int size) {
    if (size <= 7) return {0, 100};
    if (size == 9) return {4, 100};
    return {size == 11 ? 12.0 : size == 13 ? 20.0 : 30.0, 100};
}

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

/// The rule of choice.hpp: multiply-adds of the window for each one of its factors. H200, direct and separable: 0.168 and 0.152 ms
/// for 7 x 7 (3.5) at 8192 x 8192; 5 x 5 (2.5) gains next to nothing, 0.140 and 0.139.
inline constexpr double kSeparableGain = 3.5;
/// Multiply-adds of a multiprocessor that have to be saved where `direct` is unrolled. One launch, direct and separable: 256 x 256, which
/// is 1.7e4, 0.0067 and 0.0072 ms for 7; 512 x 512 0.0075 and 0.0075 for 7 (7e4), 0.0091 and 0.0100 for 11 (2e5), 0.0107 and 0.0104 for 15
/// (3.9e5); 1024 x 1024 0.0103 and 0.0095 for 7 (2.8e5).
inline constexpr double kSeparableLeastSaving = 2.5e5;
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
