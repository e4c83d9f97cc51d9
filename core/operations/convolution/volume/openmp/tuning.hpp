// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning constants of windows in three dimensions on the processor.
#pragma once

#include <cstdint>

namespace parallax {

/// Floats of the slices that a thread keeps: half of a second cache of 1 MiB.
inline constexpr std::int64_t kVolumeTileSamples = std::int64_t{128} << 10;
/// Rows and columns of a tile. Few rows would filter many halo rows again; long rows suit the prefetchers.
inline constexpr std::int64_t kFewestTileRows = 8, kMostTileRows = 64, kNarrowestTile = 96, kWidestTile = 960;
/// Tasks a thread, at least, where the volume is large enough, so that the last ones balance the load.
inline constexpr std::int64_t kVolumeTasksPerThread = 8;
/// Slices of a task for each slice that its window reaches: those around it are filtered twice.
inline constexpr std::int64_t kSlicesPerHalo = 6;

/// Cost of a sample in multiply-adds of `direct`: the separable form pays for loads and for its passes, as in the plane.
constexpr double separableVolumeCost(int width, int height, int depth) { return 10 + 1.45 * (width + height + depth); }

}  // namespace parallax
