// SPDX-License-Identifier: GPL-3.0-or-later
// Two kernels per iteration. The second one computes A p again instead of reading it: 64 bytes per unknown in all.
#include "gpu/solvers/conjugate_gradients.hpp"

#include <algorithm>

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/edge_multigrid.hpp"
#include "gpu/solvers/edges/iteration.hpp"
#include "gpu/solvers/edges/one_sided_cycle.hpp"
#include "gpu/solvers/iteration.cuh"
#include "gpu/solvers/multigrid/multigrid.hpp"

namespace parallax::gpu {
namespace {

__global__ void beginKernel(SolveArguments a) {
    for (int channel = static_cast<int>(threadIdx.x); channel < a.grid.channels; channel += static_cast<int>(blockDim.x))
        a.channels[channel] = ChannelState{};
    if (threadIdx.x == 0) *a.state = {.start = deviceNanoseconds()};
}

__global__ void logEndKernel(SolveArguments a) {
    a.log->points[1] = {0, deviceNanoseconds() - a.state->start};
    __threadfence_system();
}

__global__ __launch_bounds__(kSolverThreads) void exportKernel(SolveArguments a, const double* u, ImagePlanes image) {
    const Grid& g = a.grid;
    const int channel = image.channels[blockIdx.y];
    const View<const float> in = image.in.channel(channel);
    const View<float> out = image.out.channel(channel);
    const double mean = a.stencil.singular ? a.channels[blockIdx.y].resultMean : 0;
    visitPoints(g, [&](std::int64_t i, int x, int row) {
        const int y = row % g.height, z = row / g.height;
        const float v = in.at(x, y, z);
        out.at(x, y, z) = counts(a, image, v, x, y, z) ? static_cast<float>(u[blockIdx.y * g.plane() + i] - mean) : v;
    });
}

// ---- textbook -----------------------------------------------------------------------------------------------------------------------

template <bool Weighted>
__global__ __launch_bounds__(kSolverThreads) void productKernel(SolveArguments a, const double* p, double* q) {
    if (hasEnded(a)) return;
    const Grid& g = a.grid;
    const GridStencil& s = a.stencil;
    const std::int64_t offset = blockIdx.y * g.plane();
    visitPoints(g, [&](std::int64_t i, int x, int row) {
        const int at[3] = {x, row % g.height, row / g.height};
        const int extent[3] = {g.width, g.height, g.depth};
        const std::int64_t stride[3] = {1, g.pitch, g.slice()};
        const double own = p[offset + i];
        double sum = (Weighted && s.diagonals ? s.diagonals[i] : s.diagonal) * own;
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
            if (axis == 2 && g.depth == 1) continue;
#pragma unroll
            for (int side = 0; side < 2; ++side) {
                const bool inside = side == 0 ? at[axis] > 0 : at[axis] + 1 < extent[axis];
                if (inside) {
                    const std::int64_t edge = side == 0 ? i - stride[axis] : i;
                    const double w = Weighted ? s.edges[axis][edge] : s.weights[axis];
                    sum += w * (own - p[offset + (side == 0 ? i - stride[axis] : i + stride[axis])]);
                } else if (s.dirichlet) {
                    sum += s.weights[axis] * own;
                }
            }
        }
        q[offset + i] = sum;
    });
}

template <class Finish, class FinishAll>
__device__ __forceinline__ void dot(const SolveArguments& a, const double* u, const double* v, Finish&& finish, FinishAll&& finishAll) {
    Sums sums;
    const std::int64_t offset = blockIdx.y * a.grid.plane();
    visitPoints(a.grid, [&](std::int64_t i, int, int) { sums.a += u[offset + i] * v[offset + i]; });
    sumOverBlocks(a, sums, finish, finishAll);
}

__global__ __launch_bounds__(kSolverThreads) void alphaKernel(SolveArguments a, const double* p, const double* q) {
    if (hasEnded(a)) return;
    dot(
        a, p, q,
        [&](int channel, const Sums& s) {
            if (!a.channels[channel].done) setAlpha(a, channel, s.a);
        },
        [] {});
}

__global__ __launch_bounds__(kSolverThreads) void residualKernel(SolveArguments a, const double* r) {
    if (hasEnded(a)) return;
    dot(
        a, r, r, [&](int channel, const Sums& s) { setResidual(a, channel, s.a, false); }, [&] { logResidual(a, a.state->iteration + 1); });
}

/// y += factor v, with the factor alpha or -alpha.
__global__ __launch_bounds__(kSolverThreads) void addKernel(SolveArguments a, double sign, const double* v, double* y) {
    if (hasEnded(a) || a.channels[blockIdx.y].done) return;
    const double factor = sign * a.channels[blockIdx.y].alpha;
    const std::int64_t offset = blockIdx.y * a.grid.plane();
    visitPoints(a.grid, [&](std::int64_t i, int, int) { y[offset + i] += factor * v[offset + i]; });
}

/// p = r + beta p.
__global__ __launch_bounds__(kSolverThreads) void nextDirectionKernel(SolveArguments a, const double* r, double* p) {
    if (hasEnded(a) || a.channels[blockIdx.y].done) return;
    const double beta = a.channels[blockIdx.y].beta;
    const std::int64_t offset = blockIdx.y * a.grid.plane();
    visitPoints(a.grid, [&](std::int64_t i, int, int) { p[offset + i] = r[offset + i] + (beta != 0 ? beta * p[offset + i] : 0); });
}

bool isWeighted(const SolveArguments& a) { return a.stencil.edges[0] != nullptr; }

template <class T>
void lastUpdate(const SolveArguments& a, const T* p, double* x, cudaStream_t stream) {
    lastUpdateKernel<T><<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, p, x);
    checkLaunch(kSolverFailed);
}

}  // namespace

std::int64_t solverPartials(const Grid& grid) {
    const unsigned blocks = std::max({Strips::of(grid).blocks(), kPointBlocks, multigridTiles(grid), edgeCycleBlocks(grid),
                                      oneSidedBlocks(grid), edgeIterationBlocks(grid)});
    return 2 * std::int64_t{blocks} * grid.channels;
}

void preloadConjugateGradients() {
    preload(beginKernel);
    preload(importKernel<OneDevice>);
    preload(startKernel<OneDevice>);
    preload(scaleKernel<OneDevice>);
    preloadIterations<double, OneDevice>();
    preloadIterations<float, OneDevice>();
    preload(lastUpdateKernel<double>);
    preload(lastUpdateKernel<float>);
    preloadTrueResidual<OneDevice>();
    preload(exportKernel);
    preload(logEndKernel);
    preload(productKernel<false>);
    preload(productKernel<true>);
    preload(alphaKernel);
    preload(residualKernel);
    preload(addKernel);
    preload(nextDirectionKernel);
}

void launchBegin(const SolveArguments& a, cudaStream_t stream) {
    beginKernel<<<1, 32, 0, stream>>>(a);
    checkLaunch(kSolverFailed);
}

void launchImport(const SolveArguments& a, const ImagePlanes& image, double* b, cudaStream_t stream) {
    importKernel<OneDevice><<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, OneDevice{}, image, b);
    checkLaunch(kSolverFailed);
}

namespace {

void launchScale(const SolveArguments& a, const double* r, float* scaled, cudaStream_t stream) {
    if (!scaled) return;
    scaleKernel<OneDevice><<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, OneDevice{}, r, scaled);
    checkLaunch(kSolverFailed);
}

}  // namespace

void launchStart(const SolveArguments& a, double* b, double* x, double* r, float* scaled, cudaStream_t stream) {
    startKernel<OneDevice><<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, OneDevice{}, b, x, r);
    checkLaunch(kSolverFailed);
    launchScale(a, r, scaled, stream);
}

void launchResidual(const SolveArguments& a, bool first, const double* b, const double* x, double* r, float* scaled, cudaStream_t stream) {
    launchTrueResidualKernel(a, OneDevice{}, first, b, x, r, stream);
    launchScale(a, r, scaled, stream);
}

void launchDirection(const SolveArguments& a, const double* z, const double* before, double* p, cudaStream_t stream) {
    launchDirectionKernel(a, OneDevice{}, z, before, p, stream);
}
void launchDirection(const SolveArguments& a, const float* z, const float* before, float* p, cudaStream_t stream) {
    launchDirectionKernel(a, OneDevice{}, z, before, p, stream);
}

void launchUpdate(const SolveArguments& a, IterationOfPair which, const double* before, const double* p, double* x, double* r,
                  cudaStream_t stream) {
    launchUpdateKernel(a, OneDevice{}, which, before, p, x, r, nullptr, stream);
}
void launchUpdate(const SolveArguments& a, IterationOfPair which, const float* before, const float* p, double* x, double* r, float* scaled,
                  cudaStream_t stream) {
    launchUpdateKernel(a, OneDevice{}, which, before, p, x, r, scaled, stream);
}
void launchLastUpdate(const SolveArguments& a, const double* p, double* x, cudaStream_t stream) { lastUpdate(a, p, x, stream); }
void launchLastUpdate(const SolveArguments& a, const float* p, double* x, cudaStream_t stream) { lastUpdate(a, p, x, stream); }

void launchLogEnd(const SolveArguments& a, cudaStream_t stream) {
    logEndKernel<<<1, 1, 0, stream>>>(a);
    checkLaunch(kSolverFailed);
}

void launchExport(const SolveArguments& a, const double* x, const ImagePlanes& image, cudaStream_t stream) {
    exportKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, x, image);
    checkLaunch(kSolverFailed);
}

void launchTextbookProduct(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream) {
    if (isWeighted(a)) productKernel<true><<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, v.p, v.q);
    else productKernel<false><<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, v.p, v.q);
    checkLaunch(kSolverFailed);
}

void launchTextbookAlpha(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream) {
    alphaKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, v.p, v.q);
    checkLaunch(kSolverFailed);
}

void launchTextbookUpdates(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream) {
    addKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, 1, v.p, v.x);
    addKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, -1, v.q, v.r);
    checkLaunch(kSolverFailed);
}

void launchTextbookResidual(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream) {
    residualKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, v.r);
    checkLaunch(kSolverFailed);
}

void launchTextbookDirection(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream) {
    nextDirectionKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, v.r, v.p);
    checkLaunch(kSolverFailed);
}

}  // namespace parallax::gpu
