// SPDX-License-Identifier: GPL-3.0-or-later
// The system that the parameters stand for, defined once for every backend: L u = 0 or L L u = 0 on the samples that are not known, where
// known ones have their values.
#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/operation/operation.hpp"
#include "core/operations/fill/formulas.hpp"
#include "core/operations/fill/parameters.hpp"
#include "core/solvers/solve.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax {

struct FillPlan {
    FillParameters parameters;
    std::vector<int> solved, copied;  ///< channel indices
    int alphaChannel = -1;            ///< whose samples decide, if transparent ones are missing; else -1
    filling::Criterion criterion;
    solvers::Stencil stencil;  ///< Neumann borders, weights 1 / spacing^2, no arrays
    solvers::SolveOptions options;
    /// Samples of a channel that are not known: at most this many, from the statistics of the input.
    std::int64_t unknowns = 0;

    bool isBiharmonic() const { return parameters.interpolation == FillInterpolation::biharmonic; }
};
/// The reference's residual, and that of rounding errors where it ends above its tolerance.
inline constexpr double kReferenceShareOfFill = 1e-11;
/// Throws Error(usage).
FillPlan planFill(const Problem& problem);

}  // namespace parallax
