// SPDX-License-Identifier: GPL-3.0-or-later
// The strips of a plan, after its levels and slabs have been chosen: the boxes of memory that are uploaded and downloaded.
#pragma once

#include "gpu/operations/wavelet/slab_plan.hpp"

namespace parallax::gpu {

/// Samples of the largest slab of all levels.
struct SlotSamples {
    std::int64_t input = 0, output = 0;
};
/// Slices per strip of the gaps of a level, and of the levels that are transformed whole on the device.
std::int64_t gapSlices(const SlabPlan& plan, int level, const SlotSamples& slot);
std::int64_t coarserSlices(const SlabPlan& plan, const SlotSamples& slot);

/// Adds the strips and steps of all channels.
void addSlabStrips(SlabPlan& plan, const SlotSamples& slot);

}  // namespace parallax::gpu
