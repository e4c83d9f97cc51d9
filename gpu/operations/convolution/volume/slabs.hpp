// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes that are larger than the memory of the device: slabs of slices with their halo go through it one after another.
#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/run/strips.hpp"
#include "core/operations/convolution/volume/plan.hpp"

namespace parallax::gpu {

/// Slices [first, first + slices) of a channel of the result. A filtered slab has the halo of its window before and after.
struct VolumeSlab {
    bool filtered = true;
    std::int64_t first = 0, slices = 0;
};
struct VolumeSlabs {
    std::vector<VolumeSlab> slabs;
    StripPlan strips;  ///< strip i is slab i
};
/// Divides a volume so that the buffers of all slabs in flight take at most `memory` bytes. Throws Error(memory) with the bytes needed if
/// not even single slices fit.
VolumeSlabs planVolumeSlabs(const Shape& shape, const VolumePlan& plan, const StripLimits& limits, std::uint64_t memory);

}  // namespace parallax::gpu
