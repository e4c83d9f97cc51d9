// SPDX-License-Identifier: GPL-3.0-or-later
// The knobs of the register-blocked kernels as data. Each line says what the value gains and where that was measured; a
// value without a measurement says so. Measure with bench_gpu_kernels.
#pragma once

#include <cstdint>

namespace parallax::gpu {

/// Knobs of one window size.
struct DirectTuning {
    int rows;         ///< output rows a thread; it always makes 4 columns, one 16-byte store
    int warps;        ///< warps of a block, one above the other: the block makes 128 x (rows * warps) outputs
    int blocks;       ///< blocks that must fit on a multiprocessor: limits registers
    int ahead;        ///< input rows whose loads are issued before the first is used
    bool unrollRows;  ///< every row of the window unrolled; else one loop over rows, 1 / size of the code
};

/// H200, 8192 x 8192, the best of 12 (up to 7) and 10 trials of bench_gpu_tuning: 0.138 ms for 3, 0.146 (before: 0.154) for 5,
/// 0.188 for 7, 0.367 for 11. 4 rows beat 2, 6 and 8 at every size. 9 and 13 follow their neighbours.
constexpr DirectTuning directTuning(int size) {
    switch (size) {
        case 3: return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 5, .unrollRows = true};
        case 5: return {.rows = 4, .warps = 4, .blocks = 10, .ahead = 2, .unrollRows = true};
        case 7: return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 1, .unrollRows = true};
        case 9: return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 2, .unrollRows = true};
        default: return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 1, .unrollRows = true};
    }
}

/// Images whose blocks do not fill the device once wait for loads more than they compute. Small windows then want more and
/// smaller threads: 1024 x 1024, 0.0063 instead of 0.0076 ms for 3, 0.0095 instead of 0.0107 for 5.
inline constexpr DirectTuning kFineTuning{.rows = 2, .warps = 8, .blocks = 5, .ahead = 2, .unrollRows = true};
inline constexpr int kLargestFineWindow = 5;
/// Larger windows are then better staged in shared memory: 1024 x 1024, 0.0108 instead of 0.0151 ms for 7, 0.0146 instead of
/// 0.0279 for 11. From here on they are at every image size: 15 at 8192 x 8192, 0.649 instead of 0.676 ms.
inline constexpr int kLargestBlockedWindow = 13;

/// The kernel for any window size: 8 rows a thread halve the shared-memory reads of 4 (not measured yet).
struct AnySizeTuning {
    int rows = 8, warps = 4;
    int sharedBytes = 48 * 1024;  ///< of a block; what every device grants without asking
};
inline constexpr AnySizeTuning kAnySizeTuning{};

/// Knobs of the kernels for a column times a row.
struct SeparableTuning {
    int warps;      ///< of a block; each walks down a strip of 128 columns of its own
    int blocks;     ///< blocks that must fit on a multiprocessor: limits registers, which hold K x 4 filtered samples
    int stages;     ///< places for input rows of a warp in shared memory, a power of 2: stages - 1 rows are on their way
    int leastRows;  ///< output rows of a strip: the K - 1 rows above and below are filtered twice ...
    int mostRows;   ///< ... and come from the cache only if the strips in work at a time are not too long together
};

/// Not measured yet; bench_gpu_tuning tries others.
constexpr SeparableTuning separableTuning(int size) {
    if (size <= 7) return {.warps = 4, .blocks = 8, .stages = 8, .leastRows = 4, .mostRows = 32};
    // 13 and 15 keep 52 and 60 samples a lane: a fifth block would make them spill.
    return {.warps = 4, .blocks = size <= 11 ? 5 : 4, .stages = 8, .leastRows = 4, .mostRows = 64};
}

/// A column times a row of any size. Not measured yet.
struct SeparableAnySizeTuning {
    int warps = 8;
    int rows = 8, fewRows = 2;     ///< output rows a thread, and on images that would not fill the device
    int sharedBytes = 100 * 1024;  ///< most that a block takes; where the device has less, windows are cut into more bands
};
inline constexpr SeparableAnySizeTuning kSeparableAnySizeTuning{};

/// The rule of choice.hpp. A factored kernel moves no fewer bytes, so it pays where multiply-adds count. H200, 8192 x 8192, direct and
/// separable: 0.189 and 0.191 ms at 7 x 7 (3.5 times fewer), 0.370 and 0.260 at 11 x 11, 0.663 and 0.324 at 15 x 15.
inline constexpr int kSeparableGain = 4;
/// On images that hardly fill the device its longer chain of waits costs more: 1024 x 1024, 0.0192 and 0.0242 ms at 15 x 15 (7.5 times
/// fewer), 0.0867 and 0.0188 at 31 x 31. The limit between the two, 2048 x 2048 on 132 multiprocessors, is estimated.
inline constexpr int kSeparableGainFewSamples = 9;
inline constexpr double kSeparableFewSamples = 32000;  ///< of a multiprocessor
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

/// Most work of one launch, multiply-adds, and launches in flight: what a cancel has to wait for. At 4 TFLOP/s, the rate of
/// the slowest variant, a launch takes 50 ms.
inline constexpr double kLaunchMultiplyAdds = 1e11;
inline constexpr int kLaunchesInFlight = 2;

}  // namespace parallax::gpu
