// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of a wavelet transform in slabs along z: the strips, their transfers and the step that each performs. It needs no device. See
// README.md (Slabs).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/engine/run/strips.hpp"
#include "core/operations/wavelet/layout.hpp"
#include "gpu/operations/wavelet/level_slabs.hpp"

namespace parallax::gpu {

/// The work of the strip with the same index.
struct SlabStep {
    enum class Kind {
        planes,        ///< independent slices
        slab,          ///< one slab of a level
        gap,           ///< forward: slices of zeros between bands
        coarserLevels  ///< slices of the levels that are transformed whole on the device
    };
    Kind kind = Kind::planes;
    int level = 0;
    std::size_t index = 0;            ///< of a slab within the level
    std::int64_t first = 0, end = 0;  ///< otherwise: range of planes or slices
    bool computes = false;            ///< coarserLevels: forward the first step, inverse the last one
};

/// A level that is transformed in slabs.
struct SlabLevel {
    std::vector<LevelSlab> slabs;
    std::int64_t width = 0, height = 0;  ///< of the slices of the finer side
    std::int64_t across = 0, down = 0;   ///< of the slices of coefficients, all bands
    std::int64_t fine = 0, coarse = 0;   ///< largest number of slices of either side in a slot
    std::int64_t fineSlice() const { return width * height; }
    std::int64_t coarseSlice() const { return across * down; }
};

struct SlabPlan {
    WaveletPlan wavelet;
    bool forward = true;
    StripPlan strips;
    std::vector<SlabStep> steps;                 ///< one per strip
    std::vector<SlabLevel> levels;               ///< levels in slabs; empty for independent slices
    std::int64_t slotInput = 0, slotOutput = 0;  ///< samples of the largest slab of all levels

    bool allInSlabs() const { return levels.empty() || slabLevels() == wavelet.levels; }
    int slabLevels() const { return static_cast<int>(levels.size()); }

    const SlabLevel& level(int l) const { return levels[static_cast<std::size_t>(l) - 1]; }
    /// First detail of a level along an axis, the extent of all coarser bands.
    std::int64_t corner(std::size_t axis, int l) const { return wavelet.axes[axis].offset[static_cast<std::size_t>(l)]; }
    /// Coefficients of a band of a level along an axis; level 0: samples.
    std::int64_t count(std::size_t axis, int l) const { return wavelet.axes[axis].count[static_cast<std::size_t>(l)]; }

    /// Slices per strip of the gaps of a level, and of the levels that are transformed whole on the device.
    std::int64_t gapSlices(int l) const;
    std::int64_t coarserSlices() const;

    /// Plans of the transforms of the steps: of `planes` planes, of the largest slab of a level, of the coarser levels.
    WaveletPlan planesPlan(std::int64_t planes) const;
    WaveletPlan levelPlan(int l) const;
    WaveletPlan coarserPlan() const;
};

/// Returns the device memory that a transform needs besides image and mosaic.
using TransformBytes = std::function<std::uint64_t(const WaveletPlan&)>;

/// Plans a transform that takes at most `memory` bytes of the device. Throws Error(memory) with the bytes needed if slabs of single
/// coefficients do not fit.
SlabPlan planSlabs(const WaveletPlan& wavelet, bool forward, const StripLimits& limits, std::uint64_t memory, const TransformBytes& bytes);
/// Adds the strips and steps of all channels, after levels and slabs have been chosen; called by planSlabs().
void addSlabStrips(SlabPlan& plan);

}  // namespace parallax::gpu
