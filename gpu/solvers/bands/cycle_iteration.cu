// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/bands/cycle_iteration.hpp"

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/bands/band_links.cuh"
#include "gpu/solvers/iteration.cuh"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of a solver could not be started";

/// Links of iteration.cuh.
struct CycleLinks : BandLinks {
    CycleArrays c;
    std::int64_t plane, height, pitch;  ///< of the band

    CycleLinks(const SolveArguments& a, const BandArrays& arrays, const CycleArrays& cycle)
        : BandLinks{arrays}, c(cycle), plane(a.grid.plane()), height(a.grid.height), pitch(a.grid.pitch) {}

    template <class T>
    __device__ T* preconditioned(T* array, int channel) const {
        return array + channel * (c.plane - plane);
    }
    template <class Next>
    __device__ DirectionRows<float, Next> directionRows(const Next& next, int channel) const {
        // Indices of rows beside a band count `pitch` elements a channel.
        const float* const band = c.z + channel * (c.plane - pitch);
        return {
            v, next, {band - pitch, band + height * pitch}, {c.directionBefore[0], c.directionBefore[1]}, {c.direction[0], c.direction[1]}};
    }
    __device__ StoredRows<float> updateRows() const { return {v, c.direction[0], c.direction[1]}; }
    /// Rows of the residual of the cycle are exchanged when it begins.
    __device__ void sendResidual(const Grid&, int, std::int64_t, double2, bool) const {}
};

__global__ __launch_bounds__(kSolverThreads) void innerKernel(SolveArguments a, const __grid_constant__ CycleLinks links) {
    if (hasEnded(a)) return;
    const auto channel = static_cast<int>(blockIdx.y);
    const float *const b = links.c.b + channel * links.c.plane, *const z = links.c.z + channel * links.c.plane;
    Sums sums;
    visitPoints(a.grid, [&](std::int64_t i, int, int) { sums.a += static_cast<double>(b[i]) * static_cast<double>(z[i]); });
    sumOverAll(
        a, links, BlockShare::byGrid(), sums, [&](int of, const Sums& s) { setInner(a, of, s.a); }, [] {});
}

}  // namespace

void preloadCycleIteration() {
    preload(scaleKernel<CycleLinks>);
    preload(innerKernel);
    preload(directionKernel<false, float, CycleLinks>);
    preload(updateKernel<false, float, CycleLinks>);
}

void launchCycleScale(const SolveArguments& a, const BandArrays& v, const CycleArrays& c, const double* r, cudaStream_t stream) {
    scaleKernel<CycleLinks><<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, CycleLinks(a, v, c), r, c.b);
    checkLaunch(kFailed);
}

void launchCycleInner(const SolveArguments& a, const BandArrays& v, const CycleArrays& c, cudaStream_t stream) {
    innerKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, CycleLinks(a, v, c));
    checkLaunch(kFailed);
}

void launchCycleDirection(const SolveArguments& a, const BandArrays& v, const CycleArrays& c, const float* before, float* p,
                          cudaStream_t stream) {
    directionKernel<false, float, CycleLinks><<<stripBlocks(a.grid), kSolverThreads, 0, stream>>>(a, CycleLinks(a, v, c), c.z, before, p);
    checkLaunch(kFailed);
}

void launchCycleUpdate(const SolveArguments& a, const BandArrays& v, const CycleArrays& c, const float* p, double* x, double* r,
                       cudaStream_t stream) {
    updateKernel<false, float, CycleLinks><<<stripBlocks(a.grid), kSolverThreads, 0, stream>>>(a, CycleLinks(a, v, c), p, x, r, c.b);
    checkLaunch(kFailed);
}

}  // namespace parallax::gpu
