// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning parameters of the convolution kernels, with the measurements that they are based on; values without one say so. Measure with
// bench_gpu_kernels.
#pragma once

#include <cstdint>

namespace parallax::gpu {

/// Parameters for one window size.
struct DirectTuning {
    int rows;          ///< output rows per thread, which computes 4 columns (one 16-byte store)
    int warps;         ///< warps of a block, one above the other: a block computes 128 x (rows * warps) outputs
    int blocks;        ///< blocks that must fit on a multiprocessor: limits registers
    int ahead;         ///< input rows whose loads are issued before the first is used
    bool unrollRows;   ///< unrolls the rows of the window; otherwise a loop with 1 / size of the code
    int prefetch = 0;  ///< half waves of blocks ahead for which rows are prefetched into the level-2 cache; 0: none
};

inline constexpr int kLargestUnrolledWindow = 15;
inline constexpr int kBlockedColumns = 4 * 32;  ///< of a block: 4 a thread

/// How an image fills the device, in blocks of 128 x 16 samples per multiprocessor: on an H200 3.9 for 1024 x 1024, 15.5 for 2048 x 2048,
/// 62 for 4096 x 4096.
enum class Fit { tiny, small, large };
inline constexpr int kFitRows = 16;

/// Small images are bound by latency: 2048 x 2048, one launch, 0.0111 instead of 0.0127 ms for 3,
/// 0.0133 instead of 0.0148 for 5, 0.0172 instead of 0.0194 for 7.
inline constexpr DirectTuning kSmallTuning{.rows = 4, .warps = 4, .blocks = 6, .ahead = 5, .unrollRows = true};
inline constexpr int kLargestSmallBlockedWindow = 7;
/// Windows of 3 use the same for large images, 8192 x 8192 0.131 ms: blocks of 8 warps 0.138, with 2 rows 0.133.
inline constexpr int kLargestAlwaysSmallWindow = 3;

/// Large images. H200, 8192 x 8192, the best of about 24 trials of bench_gpu_launches: 0.138 ms for 5, 0.163 for
/// 7, 0.223 for 9; without prefetching 0.176 for 7. For 7, blocks of 4 warps take 0.165, of 2 0.172, of 16 0.172, 6 rows 0.168, 8 rows
/// 0.176. Tried and slower: blocks that compute two such tiles one below the other (0.212: accesses to distant rows), 8 columns per thread
/// (0.192, bound by the level-1 cache; 0.231 from shared memory), and the fast FIR algorithm with three products for four (0.182, because
/// of its differences and registers).
constexpr DirectTuning directTuning(int size) {
    switch (size) {
        case 7: return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 1, .unrollRows = true, .prefetch = 1};
        case 9: return {.rows = 4, .warps = 4, .blocks = 8, .ahead = 1, .unrollRows = true, .prefetch = 2};
        default: return {.rows = 3, .warps = 8, .blocks = 5, .ahead = 1, .unrollRows = true, .prefetch = 2};
    }
}
/// Larger windows are better staged in shared memory: 0.319 instead of 0.359 ms for 11, 0.434 instead of 0.483 for 13, 0.563 instead of
/// 0.660 for 15. Persistent blocks that load their next tile meanwhile took 0.360 for 11. (With 4-byte loads and results via shared memory,
/// as for unaligned rows, these take 0.414, 0.503 and 0.649.) Prefetching gains nothing there.
inline constexpr int kLargestBlockedWindow = 9;
/// Images with one or two blocks per multiprocessor take as long as a block: 512 x 512, 0.0051 instead of 0.0060 ms for 5.
inline constexpr DirectTuning kTinyTuning{.rows = 2, .warps = 4, .blocks = 8, .ahead = 8, .unrollRows = true};
inline constexpr int kLargestTinyBlockedWindow = 5;

/// Limits for windows of a size: an image is tiny below the first, small below the second (staged kernels) or the third (others), else
/// large. They are where the times of neighbours cross, one launch each of 256^2 to 4096^2 on an H200.
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
/// For unaligned rows, which are always staged. Not measured again.
inline constexpr FitBounds kUnalignedBounds{2, 8, 8};
/// Output rows per thread of a staged kernel: 512 x 512, 0.0059 instead of 0.0065 ms for 7; 1024 x 1024, 0.0087 for 7 with 2 rows, 0.0092
/// with 1, 0.0105 with 4. For large images 3 for 15: the code of 4 rows, 58 KB, exceeds the instruction cache (0.597 ms).
constexpr int stagedRows(int size, Fit fit) { return fit == Fit::tiny ? 1 : fit == Fit::small ? 2 : size >= 15 ? 3 : 4; }

/// The same for separable kernels. 8192 x 8192: 0.144 ms for 7, 0.153 for 9, 0.178 for 11, 0.198 for 13, 0.247 for 15; blocks of 8 warps
/// 0.150 for 7 and 0.160 for 9, 6 blocks per multiprocessor 0.185 for 11 and 0.212 for 13, 16 rows per thread 0.260 for 15; without
/// prefetching 0.152 for 7. Warps that walk down their own columns, with rows copied to shared memory, took 0.180, 0.192, 0.225, 0.260 and
/// 0.319 ms for 3, 7, 9, 11 and 15 (accesses to distant rows). 2048 x 2048, one launch, 0.0156 ms for 7, 0.0277 for 11, where the kernel
/// for any size takes 0.0268 and 0.0304.
constexpr DirectTuning separableTuning(int size, Fit fit) {
    if (size > 9) return {.rows = 8, .warps = 4, .blocks = 5, .ahead = 1, .unrollRows = true};
    if (fit != Fit::large) return {.rows = 4, .warps = 4, .blocks = 6, .ahead = 1, .unrollRows = true};
    if (size == 3) return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 5, .unrollRows = true};
    if (size == 5) return {.rows = 4, .warps = 8, .blocks = 4, .ahead = 1, .unrollRows = true, .prefetch = 2};
    return {.rows = 4, .warps = 4, .blocks = 6, .ahead = 1, .unrollRows = true, .prefetch = 1};
}
inline constexpr int kLargestSeparableThatFits = 9;  ///< larger windows use the same parameters for all images

/// Images below the first use the kernel for any size, which stages rows in shared memory: 1024 x 1024, 0.0145 instead of 0.0244 ms for 15,
/// 0.0131 instead of 0.0172 for 11. From the second on an image is large.
struct SeparableBounds {
    double anySize, small;
};
constexpr SeparableBounds separableBounds(int size) {
    if (size <= 7) return {0, 100};
    if (size == 9) return {4, 100};
    return {size == 11 ? 12.0 : size == 13 ? 20.0 : 30.0, 100};
}

/// The kernel for any window size: 8 rows per thread halve the shared-memory reads of 4 (not measured yet).
struct AnySizeTuning {
    int rows = 8, warps = 4;
    int sharedBytes = 48 * 1024;  ///< per block; available on every device without opting in
};
inline constexpr AnySizeTuning kAnySizeTuning{};

/// Separable kernels of any size. Not varied: 8192 x 8192, 0.288 ms for 7, 0.360 for 15, 0.551 for 31.
struct SeparableAnySizeTuning {
    int warps = 8;
    int rows = 8, fewRows = 2;     ///< output rows per thread, and on images that would not fill the device
    int sharedBytes = 100 * 1024;  ///< limit per block; with less, windows are cut into more bands
};
inline constexpr SeparableAnySizeTuning kSeparableAnySizeTuning{};

/// For choice.hpp: multiply-adds of the window over those of its factors. H200, direct and separable: 0.168 and 0.152 ms for 7 x 7 (3.5) at
/// 8192 x 8192; 5 x 5 (2.5) gains almost nothing, 0.140 and 0.139.
inline constexpr double kSeparableGain = 3.5;
/// Multiply-adds per multiprocessor that must be saved where `direct` is unrolled. One launch, direct and separable: 256 x 256, which
/// is 1.7e4, 0.0067 and 0.0072 ms for 7; 512 x 512 0.0075 and 0.0075 for 7 (7e4), 0.0091 and 0.0100 for 11 (2e5), 0.0107 and 0.0104 for 15
/// (3.9e5); 1024 x 1024 0.0103 and 0.0095 for 7 (2.8e5).
inline constexpr double kSeparableLeastSaving = 2.5e5;
/// Taps per sample from which a transform is cheaper. H200, direct and transform: 4096 x 4096, 0.479 and 0.677 ms at 21 x 21, 0.873 and
/// 0.680 at 31 x 31; 8192 x 8192 at 31 x 31, 3.30 and 2.67.
inline constexpr double kFftTaps = 690;
/// Multiply-adds per multiprocessor below which the five launches of a transform dominate: 256 x 256 at 31 x 31 (4.8e5) takes 0.027 instead
/// of 0.067 ms. Smaller images were not measured.
inline constexpr double kFftLeastWork = 4e5;
/// Error bound of a convolution by transforms of N samples, in units of 2^-24 sum|K| max|in|: this plus log2 N.
inline constexpr double kFftRoundings = 6;
/// Device memory for the padded planes of a transform; more planes are transformed in batches.
inline constexpr std::uint64_t kFftBatchBytes = std::uint64_t{1} << 30;

/// The textbook tile: 16 x 16 threads with one output each.
inline constexpr int kTextbookTile = 16;
/// Shared memory of the textbook tile, above which its window is cut into bands of rows.
inline constexpr int kTextbookSharedBytes = 48 * 1024;

/// Largest number of multiply-adds of a launch, which limits the wait of a cancel together with the launches in flight (LaunchPacer). At
/// 4 TFLOP/s, the rate of the slowest variant, a launch takes 50 ms.
inline constexpr double kLaunchMultiplyAdds = 1e11;

}  // namespace parallax::gpu
