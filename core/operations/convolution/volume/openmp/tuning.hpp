// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning constants of windows in three dimensions on the processor.
#pragma once

#include <cstdint>

#include "core/operations/convolution/openmp/tuning.hpp"

namespace parallax {

/// Floats of the slices that a thread keeps: half of a second cache of 1 MiB.
inline constexpr std::int64_t kVolumeTileSamples = std::int64_t{128} << 10;
/// Rows and columns of a tile. Few rows would filter many halo rows again; long rows suit the prefetchers.
inline constexpr std::int64_t kFewestTileRows = 8, kMaxTileRows = 64, kNarrowestTile = 96, kWidestTile = 960;
/// Tasks a thread, at least, where the volume is large enough, so that the last ones balance the load.
inline constexpr std::int64_t kVolumeTasksPerThread = 8;
/// Slices of a task for each slice that its window reaches: those around it are filtered twice.
inline constexpr std::int64_t kSlicesPerHalo = 6;

/// Cost of a sample in multiply-adds of `direct`: the separable form pays for loads and for its passes, as in the plane. Measure with
/// bench_volume_convolution.
constexpr double separableVolumeCost(int factors) { return 10 + 1.45 * factors; }
/// The same of a sample of a box that is transformed both ways, in place. Larger boxes leave the second cache.
constexpr double fftVolumeSampleCost(int lanes, bool halfRate) { return 0.75 * fftSampleCost(lanes, halfRate); }
inline constexpr double kFftBoxUncached = 1.8;
/// Extents of boxes that FFTW plans well by estimate; most others take two to three times as long a sample.
inline constexpr int kFftBoxExtents[] = {16, 32, 64, 128, 192};

}  // namespace parallax
