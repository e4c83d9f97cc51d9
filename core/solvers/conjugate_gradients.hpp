// SPDX-License-Identifier: GPL-3.0-or-later
// The oracle: conjugate gradients, serial, in double precision. The preconditioner is plain and works for every stencil.
#pragma once

#include <cstdint>

#include "core/engine/run/run_context.hpp"
#include "core/solvers/solve.hpp"
#include "core/solvers/solve_progress.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax::solvers {

/// The relative residual that references solve to, whatever tolerance is asked for.
inline constexpr double kReferenceTolerance = 1e-12;
inline constexpr SolveOptions kReferenceOptions{.tolerance = kReferenceTolerance, .iterations = 10000};

/// Solves A u = f for `channels` right-hand sides of stencil.shape.pixels() samples each. `u` holds the initial guess and the values of
/// fixed samples. Of a singular system the means of f are removed, and u has mean 0. Throws Error: cancelled; failed where it diverges.
SolveHistory conjugateGradients(const Stencil& stencil, std::int64_t channels, const double* f, double* u, const SolveOptions& options,
                                const RunContext& context, SolveProgress& progress);
struct ReferenceEstimate {
    double smallest = 1, largest = 1;  ///< bounds of the eigenvalues of A
    bool constantWeights = true;
    double samples = 0;  ///< of all channels
    bool isVolume = false;
};
/// Flops of a solve to kReferenceTolerance, within a factor of a few. Where A is nearly diagonal, it takes what conjugate gradients take
/// alone, sqrt(largest / smallest) / 2 ln(2 / tolerance) iterations (Saad, Iterative Methods for Sparse Linear Systems, 6.11.3); else about
/// 30, or some 150 where the weights of edges jump.
double estimatedReferenceFlops(const ReferenceEstimate& estimate);
/// Bytes that it allocates.
std::uint64_t conjugateGradientsBytes(const Shape& shape, std::int64_t channels);

}  // namespace parallax::solvers
