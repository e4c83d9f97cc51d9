// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows of the levels of multigrid each device computes. Fine levels are divided; from one level on, which is small, all devices
// compute everything. A device also computes rows beside its band, as many as the V-cycle spreads errors from the edges of what it stores:
// rows are exchanged once before the cycle, and the right-hand side of the first common level is gathered.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel/partition.hpp"
#include "gpu/solvers/grid.hpp"

namespace parallax::gpu {

/// How far the V-cycle reaches on a level, in rows.
struct CycleReach {
    /// The result of rows y needs that of the coarser level in rows (y - result) / 2 - 1 to (y + result) / 2 + 1, and everything else of
    /// its own level in rows y - own to y + own.
    int result, own;
    /// A right-hand side in row y of the coarser level, and a row of its matrix, need rows 2 y - side to 2 y + side + 1.
    int side;
};

class CyclePlan {
public:
    /// Levels of at most this many cells are common: 8 MB of right-hand sides to gather. Not tuned.
    static constexpr std::int64_t kCommonCells = std::int64_t{1} << 21;

    /// `grids`: of the levels. The first `halved` of them are images that the next level halves along both axes.
    CyclePlan(std::span<const Grid> grids, int halved, const Partition& rows, std::int64_t commonCells, const CycleReach& reach);
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
