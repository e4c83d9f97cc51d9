// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "parallax/engine/implementation.hpp"

namespace parallax {

/// convolve / opencv / filter2d
std::unique_ptr<Implementation> makeOpenCvConvolution();

}  // namespace parallax
