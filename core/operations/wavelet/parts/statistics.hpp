// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the coefficients of all parts, with the same bits for any number of parts.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "core/operations/wavelet/layout.hpp"
#include "core/parallel/communicator.hpp"

namespace parallax {

/// The ranks that share an image, or a whole image.
struct PartGroup {
    Communicator* communicator = nullptr;  ///< null: the image is whole
    std::size_t axis = 1;                  ///< divided: 1 rows, 2 slices
    void sum(std::span<std::int64_t> counts) const {
        if (communicator) communicator->allReduce(counts);
    }
    std::int64_t sum(std::int64_t count) const {
        std::int64_t counts[] = {count};
        sum(counts);
        return counts[0];
    }
};

/// Adds up the rows of a band: the rows of each slice in order, then the slices in order. `rows`: row y of slice z of this rank at
/// [z * height + y]. T adds another T by add().
template <class T>
T sumOfRows(const std::vector<T>& rows, const std::array<std::int64_t, 3>& extent, const PartGroup& group) {
    const auto height = static_cast<std::size_t>(extent[1]), depth = static_cast<std::size_t>(extent[2]);
    // One block for each line of the divided axis: a slice, or a row of each slice.
    const bool slices = group.axis == 2;
    std::vector<T> blocks(slices ? depth : height * depth);
    for (std::size_t z = 0; z < depth; ++z)
        for (std::size_t y = 0; y < height; ++y) blocks[slices ? z : y * depth + z].add(rows[z * height + y]);
    if (group.communicator) blocks = gatherBlocks<T>(*group.communicator, blocks);
    std::vector<T> ofSlices(slices ? blocks.size() : depth);
    for (std::size_t i = 0; i < blocks.size(); ++i) ofSlices[slices ? i : i % depth].add(blocks[i]);
    T all;
    for (const T& slice : ofSlices) all.add(slice);
    return all;
}

/// Finds the counter that holds the sample of a rank, 0 being the first, if all parts add up their counters; and the rank of the sample
/// within it. Adds up a few counters only: sums of blocks, then those of one block.
std::pair<std::size_t, std::int64_t> counterOfRank(std::span<const std::int64_t> own, std::int64_t rank, const PartGroup& group);

/// Returns the sample of a rank, 0 being the smallest, among those of all parts: `ascending` holds those of this one, none negative. No
/// part needs the samples of others: digit by digit of its bits, whose order is that of the samples, they count together.
double sampleOfRank(std::span<const double> ascending, std::int64_t rank, const PartGroup& group);

}  // namespace parallax
