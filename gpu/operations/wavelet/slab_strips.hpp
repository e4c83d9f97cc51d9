// SPDX-License-Identifier: GPL-3.0-or-later
// The strips of a plan whose levels and slabs are chosen: the boxes of memory that go to the device and come back.
#pragma once

#include "gpu/operations/wavelet/slab_plan.hpp"

namespace parallax::gpu {

/// Samples of the largest slab of any level.
struct SlotSamples {
    std::int64_t input = 0, output = 0;
};
/// Slices of a strip between the bands of a level, and of the levels that are done at once on the device.
std::int64_t gapSlices(const SlabPlan& plan, int level, const SlotSamples& slot);
std::int64_t coarserSlices(const SlabPlan& plan, const SlotSamples& slot);

/// Adds the strips of all channels and their steps.
void addSlabStrips(SlabPlan& plan, const SlotSamples& slot);

}  // namespace parallax::gpu
