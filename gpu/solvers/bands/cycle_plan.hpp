// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows of the levels of multigrid each device computes. Fine levels are divided; from one level on, which is small, all devices
// compute everything. A device also computes rows beside its band, as many as the V-cycle spreads errors from the edges of what it stores:
// rows are exchanged once before the cycle, and the right-hand side of the first common level is gathered.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel/partition.hpp"
#include "gpu/solvers/multigrid/hierarchy.hpp"

namespace parallax::gpu {

class CyclePlan {
public:
    /// Levels of at most this many cells are common: 8 MB of right-hand sides to gather. Not tuned.
    static constexpr std::int64_t kCommonCells = std::int64_t{1} << 21;

    CyclePlan(std::span<const HierarchyLevel> levels, const Partition& rows, std::int64_t commonCells = kCommonCells);
    /// The first level that is common.
    int common() const { return common_; }
    /// Rows of a level that a member answers for: together all, once.
    PartRange own(int member, int level) const;
    /// Rows of a level, at most common(), in the member's memory. Of the common level what its finer one reads.
    PartRange stored(int member, int level) const;

private:
    std::int64_t rowsOn(int level) const { return (rows_.units() + (std::int64_t{1} << level) - 1) >> level; }

    Partition rows_;
    int common_ = 0;
    std::vector<PartRange> stored_;  ///< rows of the finest level of each member
};

}  // namespace parallax::gpu
