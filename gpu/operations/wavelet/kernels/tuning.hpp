// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning parameters of the wavelet kernels as data. Measure with bench_gpu_wavelet; trials and figures are in ../NOTES.md.
#pragma once

#include <cstdint>

namespace parallax::gpu {

/// A block computes `columns` coefficients (or pairs of samples) along x, tileRows() along y, and a part of the depth.
struct FusedTuning {
    int threads;             ///< of a block: a multiple of 32, at least 2 * columns
    int rows;                ///< coefficients (or pairs) along y per thread and band
    int blocks;              ///< that must fit on a multiprocessor: limits registers
    int columns = 32;        ///< coefficients (or pairs) along x per block: a multiple of 4
    int overhang = 0;        ///< forward: columns that the next tile computes too: those of a sector, or none
    bool overlapped = true;  ///< filters a step along x while the previous one is filtered along y: one barrier per step, more memory
    int stages = 2;          ///< steps whose samples are in shared memory or in flight
    bool trial = false;      ///< gives a kernel of a benchmark a type of its own
    constexpr int step() const { return columns - overhang; }
    constexpr int tileRows() const { return rows * (threads / (2 * columns)); }
};

/// Large volumes.
constexpr FusedTuning fusedForwardTuning(int taps) {
    if (taps <= 8) return {.threads = 576, .rows = 4, .blocks = 1, .columns = 96, .overhang = 8, .overlapped = true};
    if (taps <= 12) return {.threads = 512, .rows = 2, .blocks = 1, .overlapped = false};
    return {.threads = 384, .rows = 2, .blocks = 1, .overlapped = false};
}
constexpr FusedTuning fusedInverseTuning(int taps) {
    if (taps <= 8) return {.threads = 256, .rows = 4, .blocks = 2, .overlapped = false};
    if (taps <= 12) return {.threads = 512, .rows = 2, .blocks = 1, .overlapped = false};
    return {.threads = 384, .rows = 2, .blocks = 1, .overlapped = false};
}
/// Smaller volumes, and those that the tiles above would overhang: cost of these tiles per area, relative to the large ones.
/// Only filters of up to kMaxVariedTaps have them.
inline constexpr int kMaxVariedTaps = 8;
inline constexpr double kFusedMediumCost = 1.15;
inline constexpr std::int64_t kFusedLargeSamples = 4'000'000;
constexpr FusedTuning fusedForwardMediumTuning() { return {.threads = 384, .rows = 2, .blocks = 2, .columns = 48, .overlapped = false}; }
constexpr FusedTuning fusedInverseMediumTuning() { return {.threads = 352, .rows = 2, .blocks = 2, .columns = 44, .overlapped = false}; }
/// For devices with less shared memory per block than the tiles above take, and small volumes with longer filters.
constexpr FusedTuning fusedCompactTuning(int taps) {
    return {.threads = taps <= 10 ? 256 : 128, .rows = 2, .blocks = 4, .overlapped = false};
}
/// Levels of fewer samples are filtered along z first, with filters of up to kMaxVariedTaps. The last one bounds trials, too.
inline constexpr std::int64_t kZFirstForwardSamples = 4'000'000, kZFirstInverseSamples = 200'000'000, kZFirstMostSamples = 200'000'000;
/// A block computes boxes of columns * rows * depth coefficients, one after the other along z.
struct ZForwardTuning {
    int threads;         ///< of a block: a multiple of 32
    int columns;         ///< a multiple of `group`
    int rows;            ///< that a thread computes at once
    int depth;           ///< that a thread computes at once
    int blocks;          ///< that must fit on a multiprocessor: limits registers
    int vector = 4;      ///< columns of samples that a thread filters along z at once: 2 or 4
    int group = 8;       ///< coefficients along x that a thread computes at once: a multiple of 4
    bool ahead = false;  ///< prefetches the samples of later boxes
    bool trial = false;  ///< gives a kernel of a benchmark a type of its own
};
/// Small boxes.
constexpr ZForwardTuning zFirstForwardTuning() { return {.threads = 384, .columns = 24, .rows = 8, .depth = 4, .blocks = 2, .vector = 2}; }
/// Large boxes, for levels of at least this many samples.
inline constexpr std::int64_t kZFirstSmallSamples = 2'500'000;
constexpr ZForwardTuning zFirstForwardLargeTuning() {
    return {.threads = 256, .columns = 32, .rows = 8, .depth = 4, .blocks = 2, .ahead = true};
}
/// For levels after others that have at most as many boxes as the device has multiprocessors: one box per block, one column per thread.
constexpr ZForwardTuning zFirstForwardSingleTuning() {
    return {.threads = 704, .columns = 24, .rows = 8, .depth = 4, .blocks = 1, .vector = 2, .ahead = true};
}
/// Work of a block before its first box, in boxes.
inline constexpr double kZFirstStartBoxes = 0.7;
/// The inverse. A block computes pairs of samples.
struct ZInverseTuning {
    int threads;         ///< of a block: a multiple of 32
    int columns;         ///< pairs along x of a block: a multiple of 4
    int tileRows;        ///< pairs along y of a block
    int rows;            ///< pairs along y of a thread: divides tileRows
    int blocks;          ///< that must fit on a multiprocessor: limits registers
    bool trial = false;  ///< gives a kernel of a benchmark a type of its own
    constexpr int pairs() const { return columns * tileRows; }
};
constexpr ZInverseTuning zFirstInverseTuning() { return {.threads = 256, .columns = 28, .tileRows = 5, .rows = 5, .blocks = 3}; }
constexpr ZInverseTuning zFirstInverseLargeTuning() { return {.threads = 416, .columns = 28, .tileRows = 10, .rows = 5, .blocks = 2}; }
/// Levels of at least this many samples begin only at the end of the previous level.
inline constexpr std::int64_t kZInverseAloneSamples = 50'000'000;
/// Cost model: waiting of one step along z, in pairs of other blocks' work; and work of a block before its first step, in steps.
inline constexpr double kZInverseWait = 264, kZInverseStartSteps = 3;
/// Independent slices: nothing is kept along z. Not varied.
constexpr FusedTuning fusedSliceTuning(int) { return {.threads = 256, .rows = 4, .blocks = 3, .overlapped = false}; }

/// Cost model of fusedChunks(): work of a block before its first and after its last slice, in slices.
inline constexpr double kFusedStartSlices = 2;
/// Approximate limit of the coefficients along z of a block, where a mosaic has gaps and tiles have no overhang: on longer walks blocks
/// drift apart, and sectors that two of them share are written twice.
inline constexpr int kFusedDeepest = 32;
/// Fewest coefficients along z of a block.
inline constexpr int kFusedLeastDepth = 2;

/// Threads per block of the passes.
inline constexpr int kPassThreads = 256;
/// Largest number of multiply-adds of a launch, for which a cancel must wait: about 50 ms of the slowest variant.
inline constexpr double kWaveletLaunchMultiplyAdds = 1e11;

}  // namespace parallax::gpu
