// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/bands/cycle_plan.hpp"

#include <algorithm>

namespace parallax::gpu {
namespace {

bool halvesImages(const HierarchyLevel& level) { return level.grid.depth == 1 && level.axes[0].coarsened && level.axes[1].coarsened; }

}  // namespace

CyclePlan::CyclePlan(std::span<const HierarchyLevel> levels, const Partition& rows, std::int64_t commonCells) : rows_(rows) {
    const auto level = [&](int i) -> const HierarchyLevel& { return levels[static_cast<std::size_t>(i)]; };
    while (common_ + 1 < static_cast<int>(levels.size()) && halvesImages(level(common_)) && level(common_).grid.samples() > commonCells)
        ++common_;
    for (int m = 0; m < rows.parts(); ++m) {
        if (common_ == 0) {
            stored_.push_back({0, rows.units()});
            continue;
        }
        const auto within = [&](int i, std::int64_t first, std::int64_t last) {
            return PartRange{std::clamp<std::int64_t>(first, 0, rowsOn(i)), std::clamp<std::int64_t>(last, 0, rowsOn(i))};
        };
        // Results that are needed: those of the band, then what a finer level interpolates from. The way up reads right-hand sides two rows
        // further, and row y of a level from rows y/2 - 1 to y/2 + 1 of the coarser one.
        std::vector<PartRange> result{rows[m]};
        for (int i = 0; i < common_; ++i) {
            const PartRange& fine = result.back();
            result.push_back(within(i + 1, ((fine.first - 2) >> 1) - 1, ((fine.last + 1) >> 1) + 2));
        }
        // Right-hand sides that are needed. The way down computes row y of a level from rows 2 y - 3 to 2 y + 4 of the finer one.
        PartRange side = own(m, common_);
        std::int64_t first = result.back().first << common_, last = result.back().last << common_;
        for (int i = common_; i-- > 0;) {
            const PartRange& of = result[static_cast<std::size_t>(i)];
            side = within(i, std::min(of.first - 2, 2 * side.first - 3), std::max(of.last + 2, 2 * side.last + 3));
            first = std::min(first, side.first << i);
            last = std::max(last, side.last << i);
        }
        // Whole cells of the common level.
        const std::int64_t unit = std::int64_t{1} << common_;
        stored_.push_back({first / unit * unit, std::min((last + unit - 1) / unit * unit, rows.units())});
    }
}

PartRange CyclePlan::own(int member, int level) const {
    const PartRange rows = rows_[member];
    const std::int64_t rest = (std::int64_t{1} << level) - 1;
    return {(rows.first + rest) >> level, (rows.last + rest) >> level};
}

PartRange CyclePlan::stored(int member, int level) const {
    const PartRange rows = stored_[static_cast<std::size_t>(member)];
    return {rows.first >> level, std::min((rows.last + (std::int64_t{1} << level) - 1) >> level, rowsOn(level))};
}

}  // namespace parallax::gpu
