// SPDX-License-Identifier: GPL-3.0-or-later
// Large volumes with fewer samples, for pictures that the next one replaces at once: the renderer reads all samples for each picture.
#pragma once

#include "core/engine/operation/operation.hpp"

namespace parallax::ui {

/// Samples above which a volume has a coarse one.
inline constexpr std::int64_t kMaxCoarseSamples = 1 << 22;

/// Returns every second, fourth, ... sample along each axis, the finest axes first, until at most kMaxCoarseSamples are left. Its centre
/// is that of the volume within half a sample.
ImagePtr coarseVolume(const Image& volume);
/// The parameters of `render` with which the coarse volume looks as the volume does with `parameters`: zoom, opacities, and a step of at
/// least one sample.
ParameterBlock coarseParameters(const Image& volume, const Image& coarse, ParameterBlock parameters);

}  // namespace parallax::ui
