// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/engine/run/strips.hpp"
#include "core/parallel/partition.hpp"

namespace parallax {

/// Strips of one part of an image (rows) or of a volume (slices), for a device that streams them from and to the whole image in host
/// memory, as planStrips() divides a whole one. `range` must not be empty. Throws Error(memory).
StripPlan planStripsOfPart(const Shape& shape, const StripSupport& support, const StripLimits& limits, std::uint64_t memory,
                           const PartRange& range);

}  // namespace parallax
