// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"

namespace parallax {

/// convolve / reference with axes=xyz: plain serial loops with double accumulation, the oracle.
std::unique_ptr<Implementation> makeReferenceVolumeConvolution();

}  // namespace parallax
