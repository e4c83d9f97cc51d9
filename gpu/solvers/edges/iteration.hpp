// SPDX-License-Identifier: GPL-3.0-or-later
// Conjugate gradients for images with weights of edges, to tolerances that a residual in single precision reaches. x stays in double; r, z,
// p and the weights are in single precision. Weights multiply differences of neighbours, so that rounding errors are relative to what flows
// through an edge. The true residual, in double, decides as always.
//
// Each direction is made orthogonal to the one before by (z . A p) / (p . A p) instead of a ratio of (r . z), so that the preconditioner
// need not be symmetric: Y. Notay, "Flexible conjugate gradients", SIAM Journal on Scientific Computing 22 (4), 2000.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/solvers/edge_multigrid.hpp"

namespace parallax::gpu {

/// The smallest tolerance for which it is used: rounding leaves a true residual of some 1e-6 after a start.
inline constexpr double kSingleTolerance = 1e-5;

struct EdgeVectors {
    const float *z, *before;  ///< what the preconditioner made of r; the direction of the iteration before
    float* p;                 ///< the new direction
    float* r;                 ///< times ChannelState::scale
    double* x;
};

/// Computes alpha and beta of p = z + beta `before`.
void launchEdgeDirection(const SolveArguments& a, const EdgeLevel& finest, const EdgeVectors& v, cudaStream_t stream);
/// Makes p; r -= alpha A p; ends the iteration. The second one of a pair adds both directions to x.
void launchEdgeUpdate(const SolveArguments& a, const EdgeLevel& finest, IterationOfPair which, const EdgeVectors& v, cudaStream_t stream);
/// Blocks of these kernels for each channel.
unsigned edgeIterationBlocks(const Grid& grid);
void preloadEdgeIteration();

}  // namespace parallax::gpu
