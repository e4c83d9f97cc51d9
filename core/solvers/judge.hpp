// SPDX-License-Identifier: GPL-3.0-or-later
// Judges float results by their residual in double precision.
#pragma once

#include "core/engine/operation/capabilities.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax::solvers {

/// |f - A u| / |f| of `u` as it is (rounded to float), against the tolerance with the slack of SolveHistory and what the rounding may add:
/// 2^-24 of |A||u|. `f` and `u`: one channel each, dense and finite.
Judgement residualJudgement(const Stencil& stencil, const double* f, const float* u, double tolerance);

}  // namespace parallax::solvers
