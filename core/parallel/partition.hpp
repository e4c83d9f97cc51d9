// SPDX-License-Identifier: GPL-3.0-or-later
// Division of an image in bands of rows, or of a volume in slabs of slices, among parts that work at the same time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace parallax {

/// Units [first, last) of one part: rows of an image, slices of a volume.
struct PartRange {
    std::int64_t first = 0, last = 0;
    constexpr std::int64_t count() const { return last - first; }
    constexpr bool empty() const { return last <= first; }
    friend constexpr bool operator==(const PartRange&, const PartRange&) = default;
};

/// Ranges of all parts, in ascending order; together they cover all units once. Parts without units are empty.
class Partition {
public:
    Partition() = default;
    /// Ranges whose sizes differ by at most one `unit`, the larger ones first. They begin at multiples of `unit`, so that blocks of a
    /// reduction are not divided. Throws Error(usage) unless units >= 0, parts >= 1 and unit >= 1.
    Partition(std::int64_t units, int parts, std::int64_t unit = 1);
    /// Ranges in proportion to the weights, rounded to whole units. Throws Error(usage) unless the weights are finite, not negative, and
    /// not all 0.
    Partition(std::int64_t units, std::span<const double> weights);
    /// Ranges of these sizes, none negative.
    static Partition ofSizes(std::span<const std::int64_t> sizes);

    int parts() const { return static_cast<int>(begins_.size()) - 1; }
    std::int64_t units() const { return begins_.back(); }
    PartRange operator[](int part) const { return {begins_[static_cast<std::size_t>(part)], begins_[static_cast<std::size_t>(part) + 1]}; }
    /// The part that has this unit, which is in [0, units()).
    int ownerOf(std::int64_t unit) const;
    friend bool operator==(const Partition&, const Partition&) = default;

private:
    std::vector<std::int64_t> begins_{0, 0};  // of each part, then the number of units
};

}  // namespace parallax
