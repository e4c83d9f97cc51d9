// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/bands/band_iteration.hpp"

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/bands/band_links.cuh"
#include "gpu/solvers/iteration.cuh"

namespace parallax::gpu {
namespace {

dim3 rowGrid(const Grid& g) {
    const unsigned blocks = (static_cast<unsigned>(g.pitch) / 2 + kSolverThreads - 1) / kSolverThreads;
    return {blocks < kPointBlocks ? blocks : kPointBlocks, static_cast<unsigned>(g.channels)};
}

/// Where the first and the last row of an array go.
struct RowTargets {
    double* rows[2];
};

/// Sends the first and the last row of an array to the neighbours, and ends when theirs have arrived.
__global__ __launch_bounds__(kSolverThreads) void sendRowsKernel(SolveArguments a, const __grid_constant__ BandLinks links,
                                                                 const double* array, const __grid_constant__ RowTargets to) {
    const Grid& g = a.grid;
    const int channel = static_cast<int>(blockIdx.y);
    const int step = 2 * kSolverThreads * static_cast<int>(gridDim.x);
    if (g.height > 0)
        for (int x = 2 * static_cast<int>(blockIdx.x * kSolverThreads + threadIdx.x); x < g.width; x += step)
            for (int end = 0; end < 2; ++end) {
                const std::int64_t i = g.at(x, end == 0 ? 0 : g.height - 1, 0, channel);
                sendPair(g, links.v, to.rows, channel, i, loadPair(array, i), x + 1 < g.width);
            }
    sumOverAll(
        a, links, BlockShare::byGrid(), Sums{}, [](int, const Sums&) {}, [] {});
}

}  // namespace

std::int64_t bandPartials(const Grid& band) {
    const std::int64_t strips = Strips::of(band).blocks();
    return 2 * (strips > kPointBlocks ? strips : kPointBlocks) * band.channels;
}

void preloadBandIteration() {
    preload(importKernel<BandLinks>);
    preload(startKernel<BandLinks>);
    preloadIterations<double, BandLinks>();
    preloadTrueResidual<BandLinks>();
    preload(sendRowsKernel);
}

void launchBandRows(const SolveArguments& a, const BandArrays& v, const double* array, double* const (&to)[2], cudaStream_t stream) {
    sendRowsKernel<<<rowGrid(a.grid), kSolverThreads, 0, stream>>>(a, BandLinks{v}, array, RowTargets{{to[0], to[1]}});
    checkLaunch(kSolverFailed);
}

void launchBandImport(const SolveArguments& a, const BandArrays& v, const ImagePlanes& image, double* b, cudaStream_t stream) {
    importKernel<BandLinks><<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, BandLinks{v}, image, b);
    checkLaunch(kSolverFailed);
}

void launchBandStart(const SolveArguments& a, const BandArrays& v, double* b, double* x, double* r, cudaStream_t stream) {
    startKernel<BandLinks><<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, BandLinks{v}, b, x, r);
    checkLaunch(kSolverFailed);
    launchBandRows(a, v, r, v.neighbourResidual, stream);
}

void launchBandResidual(const SolveArguments& a, const BandArrays& v, bool first, const double* b, const double* x, double* r,
                        cudaStream_t stream) {
    launchBandRows(a, v, x, v.neighbourSolution, stream);
    launchTrueResidualKernel(a, BandLinks{v}, first, b, x, r, stream);
}

void launchBandDirection(const SolveArguments& a, const BandArrays& v, const double* r, const double* before, double* p,
                         cudaStream_t stream) {
    launchDirectionKernel(a, BandLinks{v}, r, before, p, stream);
}

void launchBandUpdate(const SolveArguments& a, const BandArrays& v, IterationOfPair which, const double* before, const double* p, double* x,
                      double* r, cudaStream_t stream) {
    launchUpdateKernel(a, BandLinks{v}, which, before, p, x, r, nullptr, stream);
}

}  // namespace parallax::gpu
