// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/bands/cycle_iteration.hpp"

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/bands/cycle_links.cuh"
#include "gpu/solvers/multigrid/tiles.cuh"

namespace parallax::gpu {
namespace {

/// Computes (r . z) on the way up, and sends the rows of the result that the neighbours need.
struct ResultOfBand {
    static constexpr bool kSums = true;
    CycleLinks links;
    Grid band;
    int first;  ///< row of the level at which the band begins

    __device__ bool counts(int y) const { return y >= first && y < first + band.height; }
    __device__ void visit(int channel, int x, int y, float2 result, bool both) const {
        links.sendResult(band, channel, x, y - first, result.x);
        if (both) links.sendResult(band, channel, x + 1, y - first, result.y);
    }
};

__global__ __launch_bounds__(kSolverThreads) void innerKernel(SolveArguments a, const __grid_constant__ CycleLinks links) {
    if (hasEnded(a)) return;
    const auto channel = static_cast<int>(blockIdx.y);
    const float *const b = links.c.b + channel * links.c.plane, *const z = links.c.z + channel * links.c.plane;
    const Grid& g = a.grid;
    Sums sums;
    visitPoints(g, [&](std::int64_t i, int x, int row) {
        const float result = z[i];
        sums.a += static_cast<double>(b[i]) * static_cast<double>(result);
        links.sendResult(g, channel, x, row, result);
    });
    sumOverAll(
        a, links, BlockShare::byGrid(), sums, [&](int of, const Sums& s) { setInner(a, of, s.a); }, [] {});
}

}  // namespace

void preloadCycleIteration() {
    preload(scaleKernel<CycleLinks>);
    preload(innerKernel);
    preload(tileUpKernel<ResultOfBand>);
    preloadIterations<float, CycleLinks>();
}

void launchCycleScale(const SolveArguments& a, const BandArrays& v, const CycleArrays& c, const double* r, cudaStream_t stream) {
    scaleKernel<CycleLinks><<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, CycleLinks(a, v, c), r, c.b);
    checkLaunch(kSolverFailed);
}

void launchCycleInner(const SolveArguments& a, const BandArrays& v, const CycleArrays& c, cudaStream_t stream) {
    innerKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, CycleLinks(a, v, c));
    checkLaunch(kSolverFailed);
}

void launchCycleUp(const SolveArguments& a, const BandArrays& v, const CycleArrays& c, const MultigridLevel& finest,
                   const MultigridLevel& coarse, int firstRow, cudaStream_t stream) {
    const ResultOfBand result{CycleLinks(a, v, c), a.grid, firstRow};
    tileUpKernel<ResultOfBand><<<tileGrid(finest.grid), kSolverThreads, 0, stream>>>(a, result, finest, coarse);
    checkLaunch(kSolverFailed);
}

void launchCycleDirection(const SolveArguments& a, const BandArrays& v, const CycleArrays& c, const float* before, float* p,
                          cudaStream_t stream) {
    launchDirectionKernel(a, CycleLinks(a, v, c), static_cast<const float*>(c.z), before, p, stream);
}

void launchCycleUpdate(const SolveArguments& a, const BandArrays& v, const CycleArrays& c, IterationOfPair which, const float* before,
                       const float* p, double* x, double* r, cudaStream_t stream) {
    launchUpdateKernel(a, CycleLinks(a, v, c), which, before, p, x, r, c.b, stream);
}

}  // namespace parallax::gpu
