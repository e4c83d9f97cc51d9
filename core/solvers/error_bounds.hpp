// SPDX-License-Identifier: GPL-3.0-or-later
// How far a solution may be from the exact one, given its residual.
#pragma once

#include "core/solvers/stencil.hpp"

namespace parallax::solvers {

/// Upper bound of the largest sum of magnitudes in a row of the inverse of A, for constant weights: max|u| <= bound * max|f|.
/// Nonsingular systems: A is an M-matrix, so its inverse has no negative entry and the sums are those of the solution for f = 1: at most
/// 1 / diagonal, and with Dirichlet borders at most (n + 1)^2 / (8 w) of any axis (the solution in one dimension). Singular systems, on
/// the space of means 0: sqrt(pixels) / smallest eigenvalue, 4 w sin^2(pi / 2n).
double inverseBound(const Stencil& stencil);
/// The smallest eigenvalue of A for constant weights, that of constants in a singular system left out.
double smallestEigenvalue(const Stencil& stencil);
/// Upper bound of max|error| / max|f| for a relative residual, from |r|_2 <= residual * sqrt(pixels) * max|f|.
double errorBound(const Stencil& stencil, double residual);

}  // namespace parallax::solvers
