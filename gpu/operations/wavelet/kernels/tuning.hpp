// SPDX-License-Identifier: GPL-3.0-or-later
// The knobs of the tuned wavelet kernels as data. Measure with bench_gpu_wavelet.
#pragma once

#include <cstdint>

namespace parallax::gpu {

/// A block makes `columns` coefficients (or pairs of samples) along x, tileRows() along y, and a part of the depth.
struct FusedTuning {
    int threads;             ///< of a block: a multiple of 32, at least 2 * columns
    int rows;                ///< coefficients (or pairs) along y of a thread, in each of its bands
    int blocks;              ///< that must fit on a multiprocessor: limits registers
    int columns = 32;        ///< coefficients (or pairs) along x of a block: a multiple of 4
    int overhang = 0;        ///< forward: of those, how many the next tile makes too: a sector's, or none
    bool overlapped = true;  ///< filters a step along x while that before it is filtered along y: one barrier a step, and more memory
    int stages = 2;          ///< steps that samples are copied for, with the one at work
    bool trial = false;      ///< a kernel of a benchmark, apart from that of the backend
    constexpr int step() const { return columns - overhang; }
    constexpr int tileRows() const { return rows * (threads / (2 * columns)); }
};

/// Volumes. H200, db4, one level, ms with the device busy before (an empty kernel takes 0.0045), 512 x 512 x 78 and 512 x 512 x 512, the
/// best number of parts along z. Forward: 0.076 and 0.392; 88 columns of their own, 544 threads 0.077 and 0.403 (0.079 and 0.434 in the
/// mosaic of three levels, 0.076 and 0.380 the one used); these not overlapped, 3 stages 0.077 and 0.405; 132 columns 0.080 and 0.416; 44
/// columns, 288 threads, 4 rows 0.085 and 0.482 (0.60 with 2 parts); 44 columns, 448 threads, 2 rows 0.090 and 0.453; 32 columns, 256
/// threads, 3 rows, 3 blocks 0.093 and 0.500; 52 columns, 416 threads, 2 rows, 2 blocks 0.092 and 0.466. Inverse, which copies 4 bytes at a
/// time through the level-1 cache that shared memory takes from: 0.073 and 0.397; overlapped 0.089 and 0.504 (before copies went by rows);
/// 3 stages 0.075 and 0.404; 512 threads, 2 rows 0.073 and 0.398. Longer filters keep taps - 2 sums along z for each sample, and make fewer
/// rows; those, and filters of fewer taps, were not varied.
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
/// Volumes of fewer samples, and those that the tiles above would overhang: their cost for what it covers, in those of the others. H200,
/// db4, parts chosen by the rule, ms for 259 x 259 x 259, 259 x 259 x 42, 133 x 133 x 133 and 133 x 133 x 24, of which a kernel that does
/// nothing takes 0.0027. Forward: 0.076, 0.0229, 0.0224, 0.0131; tiles above 0.090, 0.0285, 0.0429, 0.0373; 72 columns, 288 threads, 4 rows
/// 0.079, 0.0255, 0.0438, 0.0351; 36 columns, 288 threads, 2 rows, overlapped 0.088, 0.0244, 0.0193, 0.0123; compact 0.081, 0.0241, 0.0240,
/// 0.0138. Inverse: 0.073, 0.0219, 0.0218, 0.0107; tiles above 0.095, 0.0261, 0.0231, 0.0125; 44 columns, 288 threads, 4 rows 0.077,
/// 0.0230, 0.0259, 0.0145; 36 columns, 288 threads, 2 rows, overlapped 0.085, 0.0232, 0.0197, 0.0108; compact 0.085, 0.0244, 0.0244,
/// 0.0119. Filters of up to kMostVariedTaps have them.
inline constexpr int kMostVariedTaps = 8;
inline constexpr double kFusedMediumCost = 1.15;
inline constexpr std::int64_t kFusedLargeSamples = 4'000'000;
constexpr FusedTuning fusedForwardMediumTuning() { return {.threads = 384, .rows = 2, .blocks = 2, .columns = 48, .overlapped = false}; }
constexpr FusedTuning fusedInverseMediumTuning() { return {.threads = 352, .rows = 2, .blocks = 2, .columns = 44, .overlapped = false}; }
/// Devices with less shared memory for a block than the tiles take, and small volumes with longer filters.
constexpr FusedTuning fusedCompactTuning(int taps) {
    return {.threads = taps <= 10 ? 256 : 128, .rows = 2, .blocks = 4, .overlapped = false};
}
/// Levels of fewer samples are filtered along z first, with filters of up to kMostVariedTaps; and none of more than the last, even where it
/// is asked for.
inline constexpr std::int64_t kZFirstForwardSamples = 4'000'000, kZFirstInverseSamples = 200'000'000, kZFirstMostSamples = 200'000'000;
/// A block makes boxes of columns * rows * depth coefficients, one behind the other along z.
struct ZForwardTuning {
    int threads;         ///< of a block: a multiple of 32
    int columns;         ///< a multiple of `group`
    int rows;            ///< which a thread makes at once
    int depth;           ///< which a thread makes at once
    int blocks;          ///< that must fit on a multiprocessor: limits registers
    int vector = 4;      ///< columns of samples that a thread filters along z at once: 2 or 4
    int group = 8;       ///< coefficients along x that a thread makes at once: a multiple of 4
    bool ahead = false;  ///< asks for what the boxes after the first one need
    bool trial = false;  ///< a kernel of a benchmark, apart from that of the backend
};
/// H200, db4, the best number of parts, ms for 133 x 133 x 24, 133 x 133 x 133, 259 x 259 x 42 and 259 x 259 x 259, of which a kernel that
/// does nothing takes 0.0029: 0.0074, 0.0144, 0.0192, 0.091; the large one 0.0084, 0.0163, 0.0173, 0.097; medium tiles of the kernels above
/// 0.0128, 0.0223, 0.0221, 0.077; 24 x 14 x 2, 256 threads, 4 columns at once 0.0075, 0.0152, 0.0191, 0.096. 2 columns of samples or 4, and
/// 4 coefficients along x or 8 differ by 2 %.
constexpr ZForwardTuning zFirstForwardTuning() { return {.threads = 384, .columns = 24, .rows = 8, .depth = 4, .blocks = 2, .vector = 2}; }
/// Of at least so many samples. As the second of three levels of 512 x 512 x 78, where most of its samples have left the level-2 cache, it
/// adds 0.018, medium tiles 0.020; 0.019 while it asked for samples ahead only after the level before had ended, without asking 0.020.
inline constexpr std::int64_t kZFirstSmallSamples = 2'500'000;
constexpr ZForwardTuning zFirstForwardLargeTuning() {
    return {.threads = 256, .columns = 32, .rows = 8, .depth = 4, .blocks = 2, .ahead = true};
}
/// Levels after others, of no more boxes than multiprocessors: a block a box, in which a thread has one column of samples. Three levels of
/// 512 x 512 x 78 take 0.0982 so, without clearing gaps; 0.0985 with 608 threads, 0.1002 with 384. By itself 133 x 133 x 24 takes 0.0080
/// rather than 0.0074.
constexpr ZForwardTuning zFirstForwardSingleTuning() {
    return {.threads = 704, .columns = 24, .rows = 8, .depth = 4, .blocks = 1, .vector = 2, .ahead = true};
}
/// What a block does before its first box, in boxes.
inline constexpr double kZFirstStartBoxes = 0.7;
/// The inverse. A block makes pairs of samples.
struct ZInverseTuning {
    int threads;         ///< of a block: a multiple of 32
    int columns;         ///< pairs along x of a block: a multiple of 4
    int tileRows;        ///< pairs along y of a block
    int rows;            ///< pairs along y of a thread: divides tileRows
    int blocks;          ///< that must fit on a multiprocessor: limits registers
    bool trial = false;  ///< a kernel of a benchmark, apart from that of the backend
    constexpr int pairs() const { return columns * tileRows; }
};
/// H200, db4, the best number of parts, ms for 512 x 512 x 78, 512 x 512 x 512, 259 x 259 x 42, 259 x 259 x 259 and 133 x 133 x 24, of
/// which a kernel that does nothing takes 0.0029: 0.070, 0.419, 0.0156, 0.0604, 0.0071; the large one 0.0606, 0.376, 0.0162, 0.0585,
/// 0.0073; 44 x 6, 448 threads, 3 rows 0.0638, 0.387, 0.0163, 0.0583, -; 24 x 6, 256 threads, 3 rows 0.071, 0.418, 0.0162, 0.0619, 0.0072;
/// 36 x 12, 608 threads, one block 0.0735, 0.437, 0.0159, 0.063, -; tiles of the kernels above 0.0705, 0.394, 0.0227, 0.0719, 0.0115.
constexpr ZInverseTuning zFirstInverseTuning() { return {.threads = 256, .columns = 28, .tileRows = 5, .rows = 5, .blocks = 3}; }
constexpr ZInverseTuning zFirstInverseLargeTuning() { return {.threads = 416, .columns = 28, .tileRows = 10, .rows = 5, .blocks = 2}; }
/// Levels of so many samples begin only when the one before is at its end: three levels of 512 x 512 x 512 take 0.448 instead of 0.461, but
/// of 512 x 512 x 78 0.0766 instead of 0.0756.
inline constexpr std::int64_t kZInverseAloneSamples = 50'000'000;
/// What a step along z of a block takes in which it waits, in pairs of others' work; and steps that a block works before its first one.
inline constexpr double kZInverseWait = 264, kZInverseStartSteps = 3;
/// Slices by themselves: nothing is kept along z. Not varied.
constexpr FusedTuning fusedSliceTuning(int) { return {.threads = 256, .rows = 4, .blocks = 3, .overlapped = false}; }

/// Work of a block before its first and after its last slice, in slices: loading the first ones, filling and emptying the pipeline. The
/// rule that it is part of (fusedChunks) came within 3 % of the best number of parts that was tried, for the volumes and knobs above.
inline constexpr double kFusedStartSlices = 2;
/// Forward, coefficients along z of a block at most, roughly, where a mosaic has gaps and tiles have no overhang: blocks drift apart, and
/// sectors of memory that two of them share are then written twice. 512 x 512 x 512, the first of three levels, tiles of 88 columns:
/// 0.450 with two parts, 0.445 with four, 0.437 with eight. Without gaps 0.406, 0.407, 0.418.
inline constexpr int kFusedDeepest = 32;
/// Coefficients along z of a block, at least.
inline constexpr int kFusedLeastDepth = 2;

/// Threads of a block of the passes.
inline constexpr int kPassThreads = 256;
/// Most work of one launch, multiply-adds: what a cancel has to wait for; some 50 ms at the rate of the slowest variant.
inline constexpr double kWaveletLaunchMultiplyAdds = 1e11;

}  // namespace parallax::gpu
