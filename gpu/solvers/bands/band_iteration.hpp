// SPDX-License-Identifier: GPL-3.0-or-later
// Launchers of the kernels of conjugate gradients (conjugate_gradients.hpp) for one band of the rows of an image. All members of a group
// launch the same sequence; kernels wait for those of the other members. SolveArguments::grid is the band. Weights of edges along y begin
// with those to the row above it, one row before edges[1].
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/parallel/links.hpp"
#include "gpu/solvers/grid.hpp"

namespace parallax::gpu {

/// Rows beside a band, [channel][pitch], and what else connects a band with the others. Index 0: above, 1: below.
struct BandArrays {
    SumLinks sums;                   ///< two values a channel
    double allSamples = 0;           ///< of the whole image, one channel
    bool hasNeighbour[2]{};          ///< with rows
    double* residual[2]{};           ///< written by the neighbours
    double* solution[2]{};           ///< likewise
    double* neighbourResidual[2]{};  ///< where the first and the last row of this band go
    double* neighbourSolution[2]{};
    double *directionBefore[2]{}, *direction[2]{};  ///< computed here, as the neighbour computes it
};

/// Returns the doubles that SolveArguments::partials must have.
std::int64_t bandPartials(const Grid& band);
void preloadBandIteration();

/// Writes the first and the last row of an array to where the neighbours receive them, and ends when those of the neighbours have arrived.
void launchBandRows(const SolveArguments& a, const BandArrays& v, const double* array, double* const (&to)[2], cudaStream_t stream);

void launchBandImport(const SolveArguments& a, const BandArrays& v, const ImagePlanes& image, double* b, cudaStream_t stream);
void launchBandStart(const SolveArguments& a, const BandArrays& v, double* b, double* x, double* r, cudaStream_t stream);
void launchBandResidual(const SolveArguments& a, const BandArrays& v, bool first, const double* b, const double* x, double* r,
                        cudaStream_t stream);
void launchBandDirection(const SolveArguments& a, const BandArrays& v, const double* r, const double* before, double* p,
                         cudaStream_t stream);
/// Writes the first and the last row of the new residual into the neighbours' memory.
void launchBandUpdate(const SolveArguments& a, const BandArrays& v, IterationOfPair which, const double* before, const double* p, double* x,
                      double* r, cudaStream_t stream);

}  // namespace parallax::gpu
