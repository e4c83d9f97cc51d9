// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"
#include "gpu/solvers/solver.hpp"

namespace parallax::gpu {

std::unique_ptr<Implementation> makeFill(SolverMethod method);

}  // namespace parallax::gpu
