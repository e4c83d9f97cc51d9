// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning parameters of the tone mapping kernels. bench_gpu_tone_mapping measures them.
#pragma once

#include <cstdint>

#include "core/image/host_device.hpp"

namespace parallax::gpu {

/// One pass over all pixels: a wave of blocks, with several 16-byte loads in flight per thread and channel.
struct ToneMapTuning {
    int threads;  ///< of a block
    int vectors;  ///< of 4 pixels that a thread loads from every channel before it uses the first
    int blocks;   ///< per multiprocessor: limits registers; as many are launched
    PARALLAX_HOST_DEVICE constexpr int step() const { return threads * vectors * 4; }  ///< pixels of a block at a time
};
/// H200, 8192 x 8192 RGB, `global`: 0.185 ms for the statistics, 0.410 for the mapping; with 256 threads and 2 vectors 0.187 and 0.437,
/// with 256 threads and a single vector 0.189 and 0.411. Mapping: several vectors per thread are slower, since stores wait for all of them.
inline constexpr ToneMapTuning kToneStatisticsTuning{.threads = 512, .vectors = 2, .blocks = 2};
inline constexpr ToneMapTuning kToneMapTuning{.threads = 512, .vectors = 1, .blocks = 2};

/// Passes without neighbours take a dense image as a single row; with padded rows the last block of each row is not full. `photoreceptor`
/// on RGB of odd width, relative to the even one (H100), dense / padded: 8191 columns 1.07 / 1.01, 3071 columns 1.05 / 1.04; padded 1535
/// columns 1.14.
inline constexpr std::int64_t kNarrowestPaddedRow = 4032;

/// The Gaussians of the local operator along the columns: a warp filters 32 columns, kColumnOutputsEach rows per thread.
inline constexpr int kToneChunk = 8;  ///< weights at a time; zeros fill up the first chunk of each Gaussian
inline constexpr int kColumnOutputsEach = 16, kColumnsOfWarp = 32;
inline constexpr int kColumnRows = 128;  ///< bands are rounded up to multiples of this, which is one of every block's rows

struct ToneRowTuning {
    int warps;     ///< of a block, side by side
    int blocks;    ///< that must fit on a multiprocessor: limits registers
    int together;  ///< Gaussians that a thread sums at a time
};
struct ToneColumnTuning {
    int warps;   ///< of a block, one above the other
    int blocks;  ///< that must fit on a multiprocessor: limits registers
    int slots;   ///< Gaussians whose rows are in shared memory, including the current one
    int shared;  ///< bytes for these
};
/// H200, 8192 x 8192 RGB, 8 scales, all bands: rows 1.07 ms; 7 or 8 blocks the same within 1 %, 5 blocks and 5 Gaussians 1.10, 6 blocks and
/// 4 Gaussians 1.17. Columns 1.29 ms; 4 or 6 blocks the same, 8 warps and 3 blocks 1.42, 2 warps and 11 blocks 1.52; 8 warps, 2 blocks and
/// 3 slots 1.46 in a trial. Other trials: NOTES.md.
inline constexpr ToneRowTuning kToneRowTuning{.warps = 4, .blocks = 6, .together = 3};
/// For more or larger Gaussians, whose weights or rows do not fit. Rows and columns of 9, 10 and 12 scales 3.72, 5.10 and 12.6 ms; columns
/// by 4 warps 3.66, 5.27 and 14.6, with 3 slots 3.71, 5.46 and 13.0.
inline constexpr ToneRowTuning kToneManyRowTuning{.warps = 4, .blocks = 5, .together = 4};
inline constexpr ToneColumnTuning kToneManyColumnTuning{.warps = 8, .blocks = 2, .slots = 2, .shared = 110 * 1024};
inline constexpr ToneColumnTuning kToneColumnTuning{.warps = 4, .blocks = 5, .slots = 2, .shared = 110 * 1024};
/// Memory for the filtered rows of a band at all scales. Larger bands filter fewer rows twice: 3 % of them with 8 scales at 8192 columns.
inline constexpr std::uint64_t kToneBandBytes = std::uint64_t{1} << 30;
/// Multiply-adds after which a band ends, since a launch cannot be cancelled.
inline constexpr double kToneBandMultiplyAdds = 1e11;

}  // namespace parallax::gpu
