// SPDX-License-Identifier: GPL-3.0-or-later
// The knobs of the tuned wavelet kernels as data. Measure with bench_gpu_wavelet.
#pragma once

#include <cstdint>

namespace parallax::gpu {

/// A block makes 32 coefficients (or pairs of samples) along x, rows * threads / 64 along y, and a part of the depth.
struct FusedTuning {
    int threads;         ///< of a block: a multiple of 64
    int rows;            ///< coefficients (or pairs) along y of a thread, in each of its bands
    int blocks;          ///< that must fit on a multiprocessor: limits registers
    bool trial = false;  ///< a kernel of a benchmark, apart from that of the backend
    constexpr int tileRows() const { return rows * threads / 64; }
};
inline constexpr int kFusedColumns = 32;

/// Volumes: as many rows as registers hold without spilling what a thread keeps along z, 2 rows * (taps - 2) samples in two bands. What
/// spills waits for loads that are on their way: db4 with rows = 4 and 128 registers, 0.29 ms for 512 x 512 x 78 on H200.
constexpr FusedTuning fusedTuning(int taps) {
    if (taps <= 8) return {.threads = 256, .rows = 4, .blocks = 2};
    if (taps <= 12) return {.threads = 512, .rows = 2, .blocks = 1};
    return {.threads = 384, .rows = 2, .blocks = 1};
}
/// Slices by themselves: nothing is kept along z.
constexpr FusedTuning fusedSliceTuning(int) { return {.threads = 256, .rows = 4, .blocks = 3}; }

/// Work of a block before its first and after its last slice, in slices: loading the first ones, filling and emptying the pipeline.
inline constexpr double kFusedStartSlices = 2;
/// Coefficients along z of a block, at least.
inline constexpr int kFusedLeastDepth = 3;

/// Threads of a block of the passes.
inline constexpr int kPassThreads = 256;
/// Most work of one launch, multiply-adds: what a cancel has to wait for; some 50 ms at the rate of the slowest variant.
inline constexpr double kWaveletLaunchMultiplyAdds = 1e11;

}  // namespace parallax::gpu
