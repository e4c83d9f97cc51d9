// SPDX-License-Identifier: GPL-3.0-or-later
// The system that the parameters stand for, defined once for every backend.
#pragma once

#include <vector>

#include "core/engine/operation/operation.hpp"
#include "core/operations/poisson/parameters.hpp"
#include "core/solvers/solve.hpp"

namespace parallax {

struct PoissonPlan {
    PoissonParameters parameters;
    std::vector<int> solved, copied;  ///< channel indices
    /// Constant weights, no arrays. Samples of the right-hand side that are not finite count as 0 and are copied to the output.
    solvers::Stencil stencil;
    solvers::SolveOptions options;
};
/// Throws Error(usage).
PoissonPlan planPoisson(const Problem& problem);

}  // namespace parallax
