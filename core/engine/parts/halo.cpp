// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/parts/halo.hpp"

#include <algorithm>

namespace parallax {

PartBands divideBand(const StripPlan& plan, const PartRange& rows, const EdgeRows& least) {
    const auto strip = [](std::int64_t begin, std::int64_t end) { return Strip{.row = begin, .rows = end - begin, .whole = false}; };
    if (rows.empty()) return {};
    const std::int64_t first = rows.first + std::max<std::int64_t>(plan.above, least.first),
                       last = rows.last - std::max<std::int64_t>(plan.below, least.last);
    if (first >= last) return {{}, {strip(rows.first, rows.last)}};
    PartBands bands{strip(first, last), {}};
    if (first > rows.first) bands.edges.push_back(strip(rows.first, first));
    if (last < rows.last) bands.edges.push_back(strip(last, rows.last));
    return bands;
}

std::vector<HaloRows> planHalo(const StripPlan& plan, const Partition& partition, const EdgeRows& least) {
    std::vector<HaloRows> halo;
    for (int part = 0; part < partition.parts(); ++part) {
        const PartBands bands = divideBand(plan, partition[part], least);
        for (std::size_t edge = 0; edge < bands.edges.size(); ++edge) {
            std::int64_t at = 0;
            for (const RowRun& run : inputRuns(plan, bands.edges[edge])) {
                std::int64_t row = run.first, left = run.count;
                while (left > 0) {
                    const int owner = row < 0 ? HaloRows::kFill : partition.ownerOf(row);
                    const std::int64_t rows = row < 0 ? left : std::min(left, partition[owner].last - row);
                    halo.push_back({owner, part, edge, row, rows, at});
                    at += rows;
                    left -= rows;
                    if (row >= 0) row += rows;
                }
            }
        }
    }
    return halo;
}

}  // namespace parallax
