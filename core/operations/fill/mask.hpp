// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of the samples of a row, in host memory.
#pragma once

#include <cstdint>

#include "core/engine/parts/part_rows.hpp"
#include "core/operations/fill/plan.hpp"

namespace parallax::filling {

struct RowCounts {
    std::int64_t missing = 0, unusable = 0;
    std::int64_t unknown() const { return missing + unusable; }
};

/// Writes the kinds of the samples of channel c at y, z to kinds[0 .. width) and counts them. If all are known, `kinds` is not written.
/// Fireflies need the rows of the slice up to Criterion::radius away.
RowCounts classifyRow(const FillPlan& plan, const PartRows& in, std::int64_t y, std::int64_t z, int c, Kind* kinds);

}  // namespace parallax::filling
