// SPDX-License-Identifier: GPL-3.0-or-later
// How far a solution may be from the exact one, given its residual.
#pragma once

#include <cstdint>

#include "core/engine/run/run_context.hpp"
#include "core/solvers/compact_system.hpp"
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

/// Upper bound of max|error| / max|known sample| of L u = 0 on at most `unknowns` samples, whose other neighbours are known (at least one
/// in the grid is), for a residual relative to what the known ones contribute. The stencil has constant weights, no diagonal and Neumann
/// borders. With G the inverse: G_ij <= G_ii, since G_ij is G_ii times the probability that a random walk from j meets i before a known
/// sample; G_ii is the resistance between i and the known samples, at most that of the shortest path. So |row of G|_2 <= G_ii
/// sqrt(unknowns), and |contribution|_2 <= sqrt(unknowns) times the weights of a sample times max|known|.
double maskedErrorBound(const Stencil& stencil, std::int64_t unknowns, double residual);
/// Bounds of the inverse G of L on the unknowns: its 2-norm and its largest diagonal entry.
struct InverseBounds {
    double norm = 0, diagonal = 0;
};
/// From their number alone, as above: the norm is at most the largest row sum.
InverseBounds inverseBounds(const Stencil& stencil, std::int64_t unknowns);
/// From their runs along the axes too: L is the sum of its parts along the axes, each of which is a system for each run, with known
/// eigenvalues and resistances. At least one sample is known. Throws Error(cancelled).
InverseBounds inverseBounds(const Stencil& stencil, const CompactSystem& unknowns, const RunContext& context);

/// Upper bound of max|error| / max|known sample| of L L u = 0 on the unknowns. With e the error (0 elsewhere) and r = L L e on the
/// unknowns, |L e|^2 = e.r <= |e| |r| and e = G (L e), so |e_i| <= |row of G| |L e| <= |row of G| |G| |r|, and |row of G|^2 = (G G)_ii <=
/// |G| G_ii. The contribution of the known samples is at most that of |L| twice.
double biharmonicErrorBound(const Stencil& stencil, std::int64_t unknowns, const InverseBounds& bounds, double residual);
/// Upper bound of max|u| / max|known sample| of its exact solution. The harmonic interpolation h has the same known samples and no value
/// beyond them; |L u| <= |L h| on the unknowns and beside them, at most 2 weights in each of the at most 6 unknowns known samples there,
/// and u - h = G (L u) on the unknowns.
double biharmonicGain(const Stencil& stencil, std::int64_t unknowns, const InverseBounds& bounds);

}  // namespace parallax::solvers
