// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/compact_system.hpp"

#include <algorithm>
#include <span>

namespace parallax::solvers {

void CompactSystem::linkRow(std::int64_t row) {
    const std::int64_t y = row % shape.height, z = row / shape.height, at[3] = {0, y, z};
    const auto none = static_cast<std::int32_t>(count());
    const auto x = [&](std::int64_t k) { return columns[static_cast<std::size_t>(k)]; };
    const std::int64_t first = begin(row), end = begin(row + 1);
    for (int d = 0; d < directions(); ++d) {
        const int axis = d / 2, step = d % 2 == 0 ? -1 : 1;
        const std::int64_t next = axis == 0 ? row : row + step * (axis == 1 ? 1 : shape.height);
        const bool inside = axis == 0 || (at[axis] + step >= 0 && at[axis] + step < axisExtent(shape, axis));
        // Both rows ascend in x.
        std::int64_t j = inside ? begin(next) : 0;
        const std::int64_t last = inside ? begin(next + 1) : 0;
        for (std::int64_t k = first; k < end; ++k) {
            const std::int64_t column = axis == 0 ? x(k) + step : x(k);
            while (j < last && x(j) < column) ++j;
            const bool isUnknown = j < last && x(j) == column;
            neighbours[static_cast<std::size_t>(k * directions() + d)] = isUnknown ? static_cast<std::int32_t>(j) : none;
            const bool exists = inside && column >= 0 && column < shape.width;
            const auto i = static_cast<std::size_t>(k);
            diagonal[i] = (d == 0 ? 0 : diagonal[i]) + (exists ? weights[axis] : 0);
        }
    }
}

CompactSystem CompactSystem::gathered(Communicator& communicator) const {
    CompactSystem whole;
    whole.shape = shape;
    std::copy_n(weights, 3, whole.weights);
    whole.setRows(GridPart(shape));
    const PartRange unknowns = ownUnknowns();
    const std::vector<std::int32_t> all = gatherBlocks(
        communicator, std::span(columns).subspan(static_cast<std::size_t>(unknowns.first), static_cast<std::size_t>(unknowns.count())));
    whole.columns.assign(all.begin(), all.end());
    std::vector<std::int64_t> counts;
    for (std::int64_t row = own.first; row < own.last; ++row) counts.push_back(begin(row + 1) - begin(row));
    whole.rowBegin.push_back(0);
    for (const std::int64_t count : gatherBlocks<std::int64_t>(communicator, counts))
        whole.rowBegin.push_back(whole.rowBegin.back() + count);
    whole.resizeLinks();
    for (std::int64_t row = whole.own.first; row < whole.own.last; ++row) whole.linkRow(row);
    return whole;
}

}  // namespace parallax::solvers
