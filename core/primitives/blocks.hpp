// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of an image for reductions. They follow from the size of the image alone, and partial results are combined in block order, so
// that results do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>

namespace parallax {

/// n / unit, rounded up.
constexpr std::int64_t divideUp(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit; }
/// The smallest multiple of `unit` that is not below n.
constexpr std::int64_t roundUp(std::int64_t n, std::int64_t unit) { return divideUp(n, unit) * unit; }

/// Rows [first, last).
struct RowRange {
    std::int64_t first = 0, last = 0;
    constexpr std::int64_t count() const { return last - first; }
};

/// Blocks of whole rows with about 65,536 samples of one channel: some hundred blocks in a photograph, at a negligible cost of combining.
class RowBlocks {
public:
    static constexpr std::int64_t kSamples = std::int64_t{1} << 16;

    constexpr RowBlocks(std::int64_t rows, std::int64_t width)
        : rows_(rows), each_(std::max<std::int64_t>(1, kSamples / std::max<std::int64_t>(width, 1))) {}

    constexpr std::int64_t count() const { return divideUp(rows_, each_); }
    /// Rows of all blocks but the last.
    constexpr std::int64_t rowsOfBlock() const { return each_; }
    constexpr RowRange operator[](std::int64_t block) const { return {block * each_, std::min(rows_, (block + 1) * each_)}; }

private:
    std::int64_t rows_, each_;
};

}  // namespace parallax
