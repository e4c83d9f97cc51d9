// SPDX-License-Identifier: GPL-3.0-or-later
// The knobs of the tuned wavelet kernels as data. Measure with bench_gpu_wavelet.
#pragma once

#include <cstdint>

namespace parallax::gpu {

/// A block makes 32 coefficients (or pairs of samples) along x, rows * threads / 64 along y, and a part of the depth.
struct FusedTuning {
    int threads;             ///< of a block: a multiple of 32, at least 2 * columns
    int rows;                ///< coefficients (or pairs) along y of a thread, in each of its bands
    int blocks;              ///< that must fit on a multiprocessor: limits registers
    int columns = 32;        ///< coefficients (or pairs) along x of a block: a multiple of 4
    bool overlapped = true;  ///< filters a step along x while that before it is filtered along y: one barrier a step, and more memory
    int stages = 2;          ///< steps that samples are copied for, with the one at work
    bool trial = false;      ///< a kernel of a benchmark, apart from that of the backend
    constexpr int tileRows() const { return rows * (threads / (2 * columns)); }
};
inline constexpr int kFusedColumns = 32;

/// Volumes. H200, db4, one level, forward and inverse: 0.109 and 0.079 ms for 512 x 512 x 78, 0.54 and 0.43 for 512 x 512 x 512. With 3
/// rows a thread 0.126 and 0.091, 0.574 and 0.463; with 2 rows and 512 threads 0.147 and 0.097, 0.665 and 0.565; one block of 384 threads
/// and 4 rows 0.113 and 0.099, 0.543 and 0.508; all trials of one run, parts along z by the rule. A first version that spilled what was on
/// its way, and so waited for it, took 0.29 ms forward. Longer filters keep taps - 2 sums along z for each sample, and make fewer rows;
/// those, and filters of fewer taps, were not varied.
constexpr FusedTuning fusedForwardTuning(int taps) {
    if (taps <= 8) return {.threads = 544, .rows = 4, .blocks = 1, .columns = 88, .overlapped = true};
    if (taps <= 12) return {.threads = 512, .rows = 2, .blocks = 1, .overlapped = false};
    return {.threads = 384, .rows = 2, .blocks = 1, .overlapped = false};
}
constexpr FusedTuning fusedInverseTuning(int taps) {
    if (taps <= 8) return {.threads = 256, .rows = 4, .blocks = 2, .overlapped = false};
    if (taps <= 12) return {.threads = 512, .rows = 2, .blocks = 1, .overlapped = false};
    return {.threads = 384, .rows = 2, .blocks = 1, .overlapped = false};
}
/// Small volumes, which have few tiles, and devices that have 64 KiB of shared memory for a block.
constexpr FusedTuning fusedCompactTuning(int taps) {
    return {.threads = taps <= 10 ? 256 : 128, .rows = 2, .blocks = 4, .overlapped = false};
}
inline constexpr std::int64_t kFusedCompactSamples = 4'000'000;
/// Slices by themselves: nothing is kept along z. Not varied.
constexpr FusedTuning fusedSliceTuning(int) { return {.threads = 256, .rows = 4, .blocks = 3, .overlapped = false}; }

/// Work of a block before its first and after its last slice, in slices: loading the first ones, filling and emptying the pipeline. The
/// rule that it is part of (fusedChunks) came within 2 % of the best number of parts that was tried, for the knobs of db4.
inline constexpr double kFusedStartSlices = 2;
/// Coefficients along z of a block, at least.
inline constexpr int kFusedLeastDepth = 2;

/// Threads of a block of the passes.
inline constexpr int kPassThreads = 256;
/// Most work of one launch, multiply-adds: what a cancel has to wait for; some 50 ms at the rate of the slowest variant.
inline constexpr double kWaveletLaunchMultiplyAdds = 1e11;

}  // namespace parallax::gpu
