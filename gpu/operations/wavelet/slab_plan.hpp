// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of a wavelet transform in slabs along z: which strips there are, what goes to the device and comes back for each, what each
// does. It needs no device and allocates nothing there. README.md (Slabs) says how slabs work.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/engine/run/strips.hpp"
#include "core/operations/wavelet/layout.hpp"
#include "gpu/operations/wavelet/level_slabs.hpp"

namespace parallax::gpu {

/// What the strip with the same index does.
struct SlabStep {
    enum class Kind {
        planes,        ///< slices that are independent of each other
        slab,          ///< one slab of a level
        gap,           ///< slices of zeros between bands, forward
        coarserLevels  ///< slices of the levels that are done at once on the device
    };
    Kind kind = Kind::planes;
    int level = 0;
    std::size_t index = 0;            ///< of a slab, among those of the level
    std::int64_t first = 0, end = 0;  ///< else: planes or slices
    bool computes = false;            ///< of coarserLevels: forward the first step, inverse the last one
};

/// A level that is done in slabs.
struct SlabLevel {
    std::vector<LevelSlab> slabs;
    std::int64_t width = 0, height = 0;  ///< of the slices of the finer side
    std::int64_t across = 0, down = 0;   ///< of the slices of coefficients, all bands
    std::int64_t fine = 0, coarse = 0;   ///< most slices of either side in a slot
    std::int64_t fineSlice() const { return width * height; }
    std::int64_t coarseSlice() const { return across * down; }
};

struct SlabPlan {
    WaveletPlan wavelet;
    bool forward = true;
    StripPlan strips;
    std::vector<SlabStep> steps;    ///< one for each strip
    std::vector<SlabLevel> levels;  ///< those that are done in slabs; none where slices are independent of each other
    bool allInSlabs() const { return levels.empty() || slabLevels() == wavelet.levels; }
    int slabLevels() const { return static_cast<int>(levels.size()); }

    const SlabLevel& level(int l) const { return levels[static_cast<std::size_t>(l) - 1]; }
    /// Where the details of a level begin along an axis: the extent of all coarser bands.
    std::int64_t corner(std::size_t axis, int l) const { return wavelet.axes[axis].offset[static_cast<std::size_t>(l)]; }
    /// Coefficients of one band of a level along an axis; level 0: samples.
    std::int64_t count(std::size_t axis, int l) const { return wavelet.axes[axis].count[static_cast<std::size_t>(l)]; }

    /// Plans of the transforms that the steps need: of so many planes, of the largest slab of a level, of the coarser levels.
    WaveletPlan planesPlan(std::int64_t planes) const;
    WaveletPlan levelPlan(int l) const;
    WaveletPlan coarserPlan() const;
};

/// Device memory that a transform by such a plan needs besides image and mosaic.
using TransformBytes = std::function<std::uint64_t(const WaveletPlan&)>;

/// Cuts a transform so that it takes at most `memory` bytes of the device. Throws Error(memory) with the bytes that would be needed if not
/// even single coefficients fit.
SlabPlan planSlabs(const WaveletPlan& wavelet, bool forward, const StripLimits& limits, std::uint64_t memory, const TransformBytes& bytes);

}  // namespace parallax::gpu
