// SPDX-License-Identifier: GPL-3.0-or-later
// How an image is cut for reductions: by its size alone, never by the number of threads. Partial results of the blocks are
// combined in the order of the blocks, so that the same image gives the same bits, whoever computed which block.
#pragma once

#include <algorithm>
#include <cstdint>

namespace parallax {

/// Rows [first, last).
struct RowRange {
    std::int64_t first = 0, last = 0;
    constexpr std::int64_t count() const { return last - first; }
};

/// Whole rows, about 65536 samples of one channel in each block: small enough for some hundred blocks in a photograph, large
/// enough that combining them costs nothing.
class RowBlocks {
public:
    static constexpr std::int64_t kSamples = std::int64_t{1} << 16;

    constexpr RowBlocks(std::int64_t rows, std::int64_t width)
        : rows_(rows), each_(std::max<std::int64_t>(1, kSamples / std::max<std::int64_t>(width, 1))) {}

    constexpr std::int64_t count() const { return (rows_ + each_ - 1) / each_; }
    constexpr RowRange operator[](std::int64_t block) const { return {block * each_, std::min(rows_, (block + 1) * each_)}; }

private:
    std::int64_t rows_, each_;
};

}  // namespace parallax
