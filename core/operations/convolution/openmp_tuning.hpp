// SPDX-License-Identifier: GPL-3.0-or-later
// The knobs of the convolutions on the processor as data. Each says what it gains and where that was measured; one without a
// measurement says so. Measure with bench_convolution.
#pragma once

#include <cstdint>

namespace parallax {

/// Rows of a band, the piece of work of a thread: the rows that the kernel reaches above and below are read twice.
inline constexpr std::int64_t kBandRows = 128;
/// Bands a thread, at least, where the image has the rows: the last ones even out what others took longer for.
inline constexpr std::int64_t kBandsPerThread = 4;
/// Rows of a channel that is only copied.
inline constexpr std::int64_t kCopyRows = 256;
/// Strips are as wide as the rows of a block fit into a part of the second cache: long runs suit the prefetchers.
inline constexpr std::int64_t kBlockSamples = (std::int64_t{128} << 10) / static_cast<std::int64_t>(sizeof(float));
inline constexpr std::int64_t kNarrowestStrip = 512, kWidestStrip = 4096;
/// Larger results do not stay in the caches anyway: storing past them saves reading each line before it is written.
inline constexpr std::int64_t kStreamBytes = std::int64_t{16} << 20;

/// The rule of openmp_choice.hpp, in units of a multiply-add of the direct form.
inline constexpr double kSeparableFixed = 6, kSeparableTap = 1.5;
inline constexpr double kFftSample = 180;
/// Tiles of more samples leave the second cache.
inline constexpr double kFftCachedSamples = 512 * 512, kFftUncached = 1.3;
/// Extents of tiles: factors 2, 3 and 5 that transform fast, whole cache lines.
inline constexpr int kFftExtents[] = {32, 64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1024};
inline constexpr int kFftLargestExtent = 1024;
/// Bound of the error of a transformed, multiplied and transformed tile of N samples, in units of 2^-24 sum|K| max|in|: this plus
/// log2 N.
inline constexpr double kFftRoundings = 6;

}  // namespace parallax
