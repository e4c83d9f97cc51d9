// SPDX-License-Identifier: GPL-3.0-or-later
// Launchers of the kernels of conjugate gradients. Scalars stay on the device: the last block of each kernel computes them. Kernels return
// at once when the solve has ended, so that the host may enqueue iterations ahead.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/solvers/grid.hpp"

namespace parallax::gpu {

/// Returns the doubles that SolveArguments::partials must have.
std::int64_t solverPartials(const Grid& grid);
/// Loads the kernels of a method, so that the first solve does not.
void preloadConjugateGradients();

/// Begins a solve: resets the state and starts its clock.
void launchBegin(const SolveArguments& a, cudaStream_t stream);
/// b = the right-hand side. Computes its mean if the system is singular.
void launchImport(const SolveArguments& a, const ImagePlanes& image, double* b, cudaStream_t stream);
/// Subtracts the mean from b; x = 0, r = b. `scaled`, if not null, receives r in single precision, times ChannelState::scale.
void launchStart(const SolveArguments& a, double* b, double* x, double* r, float* scaled, cudaStream_t stream);
/// r = b - A x, the true residual, from which the iteration starts (again) unless it is small enough. `first`: sets the norm of b, too.
void launchResidual(const SolveArguments& a, bool first, const double* b, const double* x, double* r, float* scaled, cudaStream_t stream);
/// p = z + beta p; alpha = (r . z) / (p . A p). Reads `before`, writes `p`.
void launchDirection(const SolveArguments& a, const double* z, const double* before, double* p, cudaStream_t stream);
void launchDirection(const SolveArguments& a, const float* z, const float* before, float* p, cudaStream_t stream);
/// r -= alpha A p; ends the iteration. Computes beta, too. The second one of a pair adds its direction and that of the first, `before`, to
/// x.
void launchUpdate(const SolveArguments& a, IterationOfPair which, const double* before, const double* p, double* x, double* r,
                  cudaStream_t stream);
/// The same with a preconditioner, which computes beta from `scaled`.
void launchUpdate(const SolveArguments& a, IterationOfPair which, const float* before, const float* p, double* x, double* r, float* scaled,
                  cudaStream_t stream);
/// x += alpha p for channels that ended in the first iteration of a pair, of which p is the direction.
void launchLastUpdate(const SolveArguments& a, const double* p, double* x, cudaStream_t stream);
void launchLastUpdate(const SolveArguments& a, const float* p, double* x, cudaStream_t stream);
/// Logs the time at the end of a direct solution, as that of iteration 1.
void launchLogEnd(const SolveArguments& a, cudaStream_t stream);
/// Writes x, without its mean if the system is singular.
void launchExport(const SolveArguments& a, const double* x, const ImagePlanes& image, cudaStream_t stream);

/// The same iteration by separate kernels, one thread per sample: q = A p, dot products and vector updates.
struct TextbookArrays {
    double *x, *r, *p, *q;
};
void launchTextbookProduct(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream);
void launchTextbookAlpha(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream);
void launchTextbookUpdates(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream);
void launchTextbookResidual(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream);
void launchTextbookDirection(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream);

}  // namespace parallax::gpu
