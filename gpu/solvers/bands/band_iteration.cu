// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/bands/band_iteration.hpp"

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/bands/band_links.cuh"
#include "gpu/solvers/iteration.cuh"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of a solver could not be started";

dim3 rowGrid(const Grid& g) {
    const unsigned blocks = (static_cast<unsigned>(g.pitch) / 2 + kSolverThreads - 1) / kSolverThreads;
    return {blocks < kPointBlocks ? blocks : kPointBlocks, static_cast<unsigned>(g.channels)};
}

/// Sends the first and the last row of an array to the neighbours, and ends when theirs have arrived.
__global__ __launch_bounds__(kSolverThreads) void sendRowsKernel(SolveArguments a, const __grid_constant__ BandLinks links,
                                                                 const double* array, bool isResidual) {
    const Grid& g = a.grid;
    const int channel = static_cast<int>(blockIdx.y);
    const int step = 2 * kSolverThreads * static_cast<int>(gridDim.x);
    if (g.height > 0)
        for (int x = 2 * static_cast<int>(blockIdx.x * kSolverThreads + threadIdx.x); x < g.width; x += step)
            for (int end = 0; end < 2; ++end) {
                const std::int64_t i = g.at(x, end == 0 ? 0 : g.height - 1, 0, channel);
                const bool both = x + 1 < g.width;
                if (isResidual) sendPair(g, links.v, links.v.neighbourResidual, channel, i, loadPair(array, i), both);
                else sendPair(g, links.v, links.v.neighbourSolution, channel, i, loadPair(array, i), both);
            }
    sumOverAll(
        a, links, BlockShare::byGrid(), Sums{}, [](int, const Sums&) {}, [] {});
}

void sendRows(const SolveArguments& a, const BandArrays& v, const double* array, bool isResidual, cudaStream_t stream) {
    sendRowsKernel<<<rowGrid(a.grid), kSolverThreads, 0, stream>>>(a, BandLinks{v}, array, isResidual);
    checkLaunch(kFailed);
}

}  // namespace

std::int64_t bandPartials(const Grid& band) {
    const std::int64_t strips = Strips::of(band).blocks();
    return 2 * (strips > kPointBlocks ? strips : kPointBlocks) * band.channels;
}

void preloadBandIteration() {
    preload(importKernel<BandLinks>);
    preload(startKernel<BandLinks>);
    preload(directionKernel<false, double, BandLinks>);
    preload(updateKernel<false, double, BandLinks>);
    preload(trueResidualKernel<false, BandLinks>);
    preload(sendRowsKernel);
}

void launchBandImport(const SolveArguments& a, const BandArrays& v, const ImagePlanes& image, double* b, cudaStream_t stream) {
    importKernel<BandLinks><<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, BandLinks{v}, image, b);
    checkLaunch(kFailed);
}

void launchBandStart(const SolveArguments& a, const BandArrays& v, double* b, double* x, double* r, cudaStream_t stream) {
    startKernel<BandLinks><<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, BandLinks{v}, b, x, r);
    checkLaunch(kFailed);
    sendRows(a, v, r, true, stream);
}

void launchBandResidual(const SolveArguments& a, const BandArrays& v, bool first, const double* b, const double* x, double* r,
                        cudaStream_t stream) {
    sendRows(a, v, x, false, stream);
    trueResidualKernel<false, BandLinks><<<stripBlocks(a.grid), kSolverThreads, 0, stream>>>(a, BandLinks{v}, first, b, x, r);
    checkLaunch(kFailed);
}

void launchBandDirection(const SolveArguments& a, const BandArrays& v, const double* r, const double* before, double* p,
                         cudaStream_t stream) {
    directionKernel<false, double, BandLinks><<<stripBlocks(a.grid), kSolverThreads, 0, stream>>>(a, BandLinks{v}, r, before, p);
    checkLaunch(kFailed);
}

void launchBandUpdate(const SolveArguments& a, const BandArrays& v, const double* p, double* x, double* r, cudaStream_t stream) {
    updateKernel<false, double, BandLinks><<<stripBlocks(a.grid), kSolverThreads, 0, stream>>>(a, BandLinks{v}, p, x, r, nullptr);
    checkLaunch(kFailed);
}

}  // namespace parallax::gpu
