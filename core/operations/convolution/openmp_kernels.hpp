// SPDX-License-Identifier: GPL-3.0-or-later
// The hot loop of the vector convolutions: a block of a few rows, no borders, compiled for each instruction set.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace parallax {

/// Part of a kernel, transposed: weight (u, v) at weights[u * height + v], so that a column, which meets one vector of
/// pixels in as many output rows, lies together.
struct KernelChunk {
    int u = 0, v = 0, width = 0, height = 0;  ///< place and size inside the kernel
    std::vector<float> weights;
};

/// Splits a kernel into chunks of at most 64 taps. A single float accumulator over n equal products (a flat image) errs by
/// up to n / 4 roundings, all in the same direction; sums of short sums do not. Columns are split first: tall chunks
/// reuse each loaded vector in more rows.
std::vector<KernelChunk> splitKernel(std::span<const float> weights, int width, int height);

/// vectorRows() output rows: out[r][x] = offset + sum over chunks and taps of weight(u, v) * rows[r + v][x + u], 0 <= x < columns.
struct FilterBlock {
    const float* const* rows = nullptr;  ///< vectorRows() + kernel height - 1 of them, each columns + kernel width - 1 long
    float* const* out = nullptr;         ///< vectorRows() of them
    std::int64_t columns = 0;            ///< a multiple of kColumnGranule
    const KernelChunk* chunks = nullptr;
    int chunkCount = 0;
    float offset = 0;
    bool stream = false;                   ///< past the caches; each out[r] must then be 64-byte aligned
    const float* const* ahead = nullptr;   ///< rows that will be read later: fetched column by column beside the work
    int aheadRows = 0;
};
void filterBlock(const FilterBlock& block);

/// After streaming stores, before another thread may read.
void finishStreaming();

/// Blocks are wide multiples of the vectors of every instruction set.
inline constexpr std::int64_t kColumnGranule = 16;
/// Rows of a block, at most kMaximumVectorRows, and the width at which blocks run without a remainder.
int vectorRows();
int vectorColumns();
inline constexpr int kMaximumVectorRows = 8;

}  // namespace parallax
