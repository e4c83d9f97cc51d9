// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/bands/cycle_plan.hpp"

#include <algorithm>

namespace parallax::gpu {

CyclePlan::CyclePlan(std::span<const Grid> grids, int halved, const Partition& rows, std::int64_t commonCells, const CycleReach& reach)
    : rows_(rows) {
    while (common_ < halved && common_ + 1 < static_cast<int>(grids.size()) &&
           grids[static_cast<std::size_t>(common_)].samples() > commonCells)
        ++common_;
    for (int m = 0; m < rows.parts(); ++m) {
        if (common_ == 0) {
            stored_.push_back({0, rows.units()});
            continue;
        }
        const auto within = [&](int i, std::int64_t first, std::int64_t last) {
            return PartRange{std::clamp<std::int64_t>(first, 0, rowsOn(i)), std::clamp<std::int64_t>(last, 0, rowsOn(i))};
        };
        // Results that are needed: those of the band, then what a finer level interpolates from.
        std::vector<PartRange> result{rows[m]};
        for (int i = 0; i < common_; ++i) {
            const PartRange& fine = result.back();
            result.push_back(within(i + 1, ((fine.first - reach.result) >> 1) - 1, ((fine.last + reach.result - 1) >> 1) + 2));
        }
        // Right-hand sides that are needed.
        PartRange side = own(m, common_);
        std::int64_t first = result.back().first << common_, last = result.back().last << common_;
        for (int i = common_; i-- > 0;) {
            const PartRange& of = result[static_cast<std::size_t>(i)];
            side = within(i, std::min(of.first - reach.own, 2 * side.first - reach.side),
                          std::max(of.last + reach.own, 2 * side.last + reach.side));
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
