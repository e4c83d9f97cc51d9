// SPDX-License-Identifier: GPL-3.0-or-later
// The hot loop of the vector convolutions: a block of a few rows, no borders, compiled for each instruction set.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace parallax {

/// Part of a kernel, transposed: weight (u, v) at weights[u * height + v], so that a column, which meets one vector of
/// pixels in as many output rows, is contiguous.
struct KernelChunk {
    int u = 0, v = 0, width = 0, height = 0;  ///< position and size inside the kernel
    std::vector<float> weights;
};

/// Splits a kernel into chunks of at most 128 taps. A single float accumulator over n equal products (a flat image) errs by
/// up to n / 4 roundings, all in the same direction; sums of short sums do not. Columns are split first: tall chunks
/// reuse each loaded vector in more rows. With 64 taps the error for 11 x 11 is half as large (5 % instead of 12 % of the tolerance), and
/// 4096 x 4096 takes 2.1 to 2.3 ms on 16 threads of a Xeon instead of 1.8 to 2.0, 1 to 2 % more on one of a Zen 4.
std::vector<KernelChunk> splitKernel(std::span<const float> weights, int width, int height);

/// Rows of a block. With as many accumulators, 4 rows of 6 vectors read more but keep fewer streams of memory open than 8 of 3, which
/// counts where rows are a multiple of 4096 bytes apart and meet in the same set of the first cache: 4096 x 4096 on one thread of a
/// Zen 4, 5.0 instead of 5.8 ms for 3 x 3, 9.7 instead of 10.6 for 5 x 5, 17.3 instead of 18.0 for 7 x 7. With AVX2, 4 of 3 instead of
/// 6 of 2: 7.9 instead of 9.1, 13.5 instead of 16.4 and 21.4 instead of 24.5 ms.
inline constexpr std::int64_t kBlockRows = 4;

/// kBlockRows output rows: out[r][x] = offset + sum over chunks and taps of weight(u, v) * rows[r + v][x + u], 0 <= x < columns.
struct FilterBlock {
    const float* const* rows = nullptr;  ///< kBlockRows + kernel height - 1 of them, each columns + kernel width - 1 long
    float* const* out = nullptr;         ///< kBlockRows of them
    std::int64_t columns = 0;            ///< a multiple of kColumnGranule
    const KernelChunk* chunks = nullptr;
    int chunkCount = 0;
    float offset = 0;
    bool stream = false;                  ///< store past the caches; each out[r] must then be 64-byte aligned
    const float* const* ahead = nullptr;  ///< rows that are read later, prefetched during the computation
    int aheadRows = 0;
};
void filterBlock(const FilterBlock& block);

/// Called after streaming stores, before another thread reads.
void finishStreaming();

/// Columns of a block are a multiple of the vectors of every instruction set ...
inline constexpr std::int64_t kColumnGranule = 16;
/// ... and leave no remainder if they are a multiple of this.
inline constexpr std::int64_t kColumnStep = 96;

}  // namespace parallax
