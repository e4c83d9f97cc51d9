// SPDX-License-Identifier: GPL-3.0-or-later
// Launchers of the kernels of conjugate gradients with a V-cycle of multigrid as preconditioner, for one band of the rows of an image
// (band_iteration.hpp). Residual and result of the cycle are arrays of the band with rows beside it.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/solvers/bands/band_iteration.hpp"
#include "gpu/solvers/multigrid/multigrid.hpp"

namespace parallax::gpu {

struct CycleArrays {
    float *b = nullptr, *z = nullptr;  ///< residual, scaled, and result: the first row of the band in the first channel
    std::int64_t plane = 0;            ///< of these arrays
    // Rows beside the band, [channel][pitch]. Index 0: above, 1: below.
    float* result[2]{};                            ///< written by the neighbours: directions must have the same bits on both sides
    float* neighbourResult[2]{};                   ///< where the first and the last row of this band go
    float *directionBefore[2]{}, *direction[2]{};  ///< computed here, as the neighbour computes them
};

void preloadCycleIteration();

/// The residual of the cycle, from r.
void launchCycleScale(const SolveArguments& a, const BandArrays& v, const CycleArrays& c, const double* r, cudaStream_t stream);
/// beta, from the residual and the result of the cycle, whose first and last row go to the neighbours.
void launchCycleInner(const SolveArguments& a, const BandArrays& v, const CycleArrays& c, cudaStream_t stream);
/// The way up of the finest level together with that; the band begins at row `firstRow` of the level. Only for levels of which
/// multigridUpComputesInner().
void launchCycleUp(const SolveArguments& a, const BandArrays& v, const CycleArrays& c, const MultigridLevel& finest,
                   const MultigridLevel& coarse, int firstRow, cudaStream_t stream);
void launchCycleDirection(const SolveArguments& a, const BandArrays& v, const CycleArrays& c, const float* before, float* p,
                          cudaStream_t stream);
void launchCycleUpdate(const SolveArguments& a, const BandArrays& v, const CycleArrays& c, IterationOfPair which, const float* before,
                       const float* p, double* x, double* r, cudaStream_t stream);

}  // namespace parallax::gpu
