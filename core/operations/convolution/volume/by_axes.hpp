// SPDX-License-Identifier: GPL-3.0-or-later
// The only place where the parameter `axes` chooses between implementations.
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"

namespace parallax {

/// One variant of convolve: `planar` for axes=xy, `volume` for axes=xyz, of the same operation and variant. Without `volume` the variant
/// says that it filters slices only.
std::unique_ptr<Implementation> byAxes(std::unique_ptr<Implementation> planar, std::unique_ptr<Implementation> volume = nullptr);

}  // namespace parallax
