// SPDX-License-Identifier: GPL-3.0-or-later
// Biharmonic interpolation, serial and in double precision: the oracle, and the judgement of results.
#pragma once

#include <cstdint>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/run/run_context.hpp"
#include "core/solvers/solve.hpp"
#include "core/solvers/solve_progress.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax::solvers {

/// Solves (L L u)_i = 0 on the samples that are not fixed, for the u that `u` holds on the fixed ones: the minimum of the sum of (L u)_i^2
/// over all samples i. L is that of `stencil` without its mask: constant weights, no diagonal, Neumann borders. At least one sample is
/// fixed; then L L is positive definite on the others, since only constants are in the null space of L. Method: README.md of core/solvers.
/// Throws Error: cancelled; failed where it diverges.
SolveHistory solveBiharmonic(const Stencil& stencil, double* u, const SolveOptions& options, const RunContext& context,
                             SolveProgress& progress);
std::uint64_t biharmonicBytes(const Shape& shape);

/// |L L u| on the samples that are not fixed, relative to what the fixed ones contribute, against the tolerance with the slack of
/// SolveHistory and what rounding the others to float may add: 2^-24 |L||L||u|.
Judgement biharmonicJudgement(const Stencil& stencil, const float* u, double tolerance);

}  // namespace parallax::solvers
