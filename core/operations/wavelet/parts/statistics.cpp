// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/parts/statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace parallax {

std::pair<std::size_t, std::int64_t> counterOfRank(std::span<const std::int64_t> own, std::int64_t rank, const PartGroup& group) {
    constexpr std::size_t kBlock = 256;
    // Returns the counter of the rank, which becomes that within it.
    const auto find = [&](std::vector<std::int64_t> counts) {
        group.sum(counts);
        std::size_t i = 0;
        for (; i + 1 < counts.size() && rank >= counts[i]; ++i) rank -= counts[i];
        return i;
    };
    std::vector<std::int64_t> blocks((own.size() + kBlock - 1) / kBlock);
    for (std::size_t i = 0; i < own.size(); ++i) blocks[i / kBlock] += own[i];
    const std::size_t first = find(std::move(blocks)) * kBlock;
    const std::span<const std::int64_t> block = own.subspan(first, std::min(kBlock, own.size() - first));
    const std::size_t counter = first + find({block.begin(), block.end()});
    return {counter, rank};
}

double sampleOfRank(std::span<const double> ascending, std::int64_t rank, const PartGroup& group) {
    if (!group.communicator) return ascending[static_cast<std::size_t>(rank)];
    constexpr int kDigit = 8;
    std::uint64_t bits = 0;
    // Samples that begin with the digits so far.
    auto first = ascending.begin(), last = ascending.end();
    for (int shift = 64 - kDigit; shift >= 0; shift -= kDigit) {
        const auto endOf = [&](std::uint64_t digit) {
            const std::uint64_t largest = bits | digit << shift | ((std::uint64_t{1} << shift) - 1);
            return std::upper_bound(first, last, largest, [](std::uint64_t b, double v) { return b < std::bit_cast<std::uint64_t>(v); });
        };
        std::array<std::int64_t, std::size_t{1} << kDigit> counts{};
        auto begin = first;
        for (std::size_t digit = 0; digit < counts.size() && begin != last; ++digit) {
            const auto end = endOf(digit);
            counts[digit] = end - begin;
            begin = end;
        }
        const std::array<std::int64_t, counts.size()> own = counts;
        group.communicator->allReduce(counts);
        std::size_t digit = 0;
        for (; digit + 1 < counts.size() && rank >= counts[digit]; ++digit) {
            rank -= counts[digit];
            first += own[digit];
        }
        last = first + own[digit];
        bits |= static_cast<std::uint64_t>(digit) << shift;
    }
    return std::bit_cast<double>(bits);
}

}  // namespace parallax
