// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/parts/part_strips.hpp"

#include <algorithm>
#include <utility>

namespace parallax {
namespace {

/// Whole planes of every channel, or bands of their rows.
StripPlan stripsOfSlices(const Shape& shape, const StripSupport& support, const StripLimits& limits, std::uint64_t memory,
                         const PartRange& slices) {
    StripPlan plan = planStrips({shape.width, shape.height, slices.count(), 1}, support, limits, memory);
    const std::vector<Strip> ofChannel = std::exchange(plan.strips, {});
    for (std::int64_t c = 0; c < shape.channels; ++c)
        for (Strip strip : ofChannel) {
            strip.plane += c * shape.depth + slices.first;
            plan.strips.push_back(strip);
        }
    return plan;
}

/// Bands of rows of every channel. None is whole: rows of other parts are its halo.
StripPlan stripsOfRows(const Shape& shape, const StripSupport& support, StripLimits limits, std::uint64_t memory, const PartRange& rows) {
    const std::uint64_t planeBytes = static_cast<std::uint64_t>(shape.width * rows.count()) * sizeof(float);
    limits.largestStrip = std::min(limits.largestStrip, planeBytes - 1);
    limits.smallestStrip = std::min(limits.smallestStrip, planeBytes - 1);
    StripPlan plan = planStrips({shape.width, rows.count(), 1, shape.channels}, support, limits, memory);
    for (Strip& strip : plan.strips) strip.row += rows.first;
    return plan;
}

}  // namespace

StripPlan planStripsOfPart(const Shape& shape, const StripSupport& support, const StripLimits& limits, std::uint64_t memory,
                           const PartRange& range) {
    StripPlan plan =
        shape.depth > 1 ? stripsOfSlices(shape, support, limits, memory, range) : stripsOfRows(shape, support, limits, memory, range);
    plan.shape = shape;
    return plan;
}

}  // namespace parallax
