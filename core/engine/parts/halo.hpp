// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows of other parts the bands of an image need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/engine/run/strips.hpp"
#include "core/parallel/partition.hpp"

namespace parallax {

/// The output rows of a part, divided by the input that they need. Strips are those of plane 0.
struct PartBands {
    std::optional<Strip> interior;  ///< needs rows of the part only
    std::vector<Strip> edges;       ///< need rows of other parts or from outside the image: the first and the last ones, or all
};
/// Rows that edges have at least.
struct EdgeRows {
    std::int64_t first = 0, last = 0;
};
/// `plan`: shape and halo of the step (planWithHalo()).
PartBands divideBand(const StripPlan& plan, const PartRange& rows, const EdgeRows& least = {});

/// Rows of the image that an edge of a part needs.
struct HaloRows {
    static constexpr int kFill = -1;
    int from = 0;          ///< part that has them, or kFill for StripPlan::fill
    int to = 0;            ///< part that needs them
    std::size_t edge = 0;  ///< index in PartBands::edges
    std::int64_t row = 0;  ///< the first one, of the image
    std::int64_t rows = 0;
    std::int64_t at = 0;  ///< the first one, in the input of the edge
    friend bool operator==(const HaloRows&, const HaloRows&) = default;
};
/// The inputs of all edges of all parts, in the same order for every caller.
std::vector<HaloRows> planHalo(const StripPlan& plan, const Partition& partition, const EdgeRows& least = {});

}  // namespace parallax
