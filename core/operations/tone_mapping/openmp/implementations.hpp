// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"

namespace parallax {

std::unique_ptr<Implementation> makeOpenmpSimdToneMapping();    ///< tonemap / openmp / simd
std::unique_ptr<Implementation> makeOpenmpScalarToneMapping();  ///< tonemap / openmp / scalar
// The gradient operator only.
std::unique_ptr<Implementation> makeOpenmpMultigridToneMapping();  ///< tonemap / openmp / multigrid
std::unique_ptr<Implementation> makeOpenmpTransformToneMapping();  ///< tonemap / openmp / dct

}  // namespace parallax
