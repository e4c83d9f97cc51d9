// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning constants of the convolutions on the processor, with their gain and where it was measured. Measure with
// bench_convolution.
#pragma once

#include <cstdint>

namespace parallax {

/// Rows of a band, the piece of work of a thread: the rows that the kernel reaches above and below are read twice.
inline constexpr std::int64_t kBandRows = 128;
/// Bands a thread, at least, where the image has the rows: the last ones balance the load. 4096 x 4096 on 16 threads of
/// a shared host: 0.63 ms for 3 x 3 and 3.55 for 11 x 11, with 4 bands 0.76 and 3.88, with 16 0.72 and 3.45.
inline constexpr std::int64_t kBandsPerThread = 8;
/// Strips are as wide as the rows of a block fit into a part of the second cache: long runs suit the prefetchers.
/// Between 64 and 512 KiB it hardly matters: 9.6 to 9.8 ms for 5 x 5.
inline constexpr std::int64_t kBlockSamples = (std::int64_t{256} << 10) / static_cast<std::int64_t>(sizeof(float));
inline constexpr std::int64_t kNarrowestStrip = 480, kWidestStrip = 8160;
/// Larger results do not stay in the caches: streaming stores save reading each line before it is written.
inline constexpr std::int64_t kStreamBytes = std::int64_t{16} << 20;

/// The rule of choice.hpp, in units of a multiply-add of the direct form, 0.32 ms for 4096 x 4096 on one thread of a Zen 4 with
/// AVX-512. There, direct and separable: 4.9 and 6.3 ms for 3 x 3, 7.0 and 6.7 for 4 x 4, 9.7 and 6.9 for 5 x 5, 17.2 and 8.8 for 7 x 7,
/// 72 and 16.5 for 15 x 15, 303 and 33.5 for 31 x 31.
inline constexpr double kSeparableFixed = 5, kSeparableTap = 1.45;
/// Cost per sample of a tile, both transforms: 2.6 ns on that Zen 4, which with AVX-512 are 137 multiply-adds, with AVX2 115 and with
/// SSE4 37. 4096 x 4096, direct and transforms: 40 and 50 ms for 11 x 11, 72 and 51 for 15 x 15. FFTW's vectors are AVX's at best where
/// Debian builds it, so it costs more on processors that multiply 16 floats at full rate: 40.2 and 42.8 ms for 15 x 15 on a Zen 5, 56.9
/// and 84.6 on one thread of a Xeon (Sapphire Rapids), 5.6 and 7.1 on 16, 10.9 and 7.8 there for 21 x 21.
constexpr double fftSampleCost(int lanes, bool halfRate) { return lanes >= 16 ? (halfRate ? 160 : 260) : lanes >= 8 ? 115 : 40; }
/// Tiles of more samples leave the second cache: 2.9 instead of 2.6 ns a sample for 1024 x 1024.
inline constexpr double kFftCachedSamples = 512 * 512, kFftUncached = 1.15;
/// Extents of tiles: even, whole cache lines, and factors that FFTW plans well by estimate: 2.4 to 2.8 ns a sample; 480 would be 4.7,
/// 768 3.9.
inline constexpr int kFftExtents[] = {32, 48, 64, 80, 96, 128, 160, 192, 240, 256, 320, 384, 512, 640, 1024};
/// Larger ones are for windows that would leave little of the others, and their errors are larger.
constexpr int largestFftExtent(int kernelExtent) { return kernelExtent < 64 ? 512 : 1024; }
/// Bound of the error of a transformed, multiplied and transformed tile of N samples, in units of 2^-24 sum|K| max|in|: this plus
/// log2 N.
inline constexpr double kFftRoundings = 6;

}  // namespace parallax
