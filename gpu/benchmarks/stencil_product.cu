// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/benchmarks/stencil_product.hpp"

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/strips.cuh"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of the product could not be started";
constexpr int kBlocks = 2048;

template <class Visit>
__device__ __forceinline__ void visitElements(const Grid& g, Visit&& visit) {
    const std::int64_t step = std::int64_t{gridDim.x} * kSolverThreads;
    for (std::int64_t i = std::int64_t{blockIdx.x} * kSolverThreads + threadIdx.x; i < g.elements(); i += step)
        if (i % g.pitch < g.width) visit(i);
}

/// pseudoRandom() of bench.hpp.
__device__ __forceinline__ float randomAt(std::int64_t i) {
    unsigned long long z = static_cast<unsigned long long>(i) * 0x9E3779B97F4A7C15ULL + 0xD1B54A32D192ED03ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<float>((z ^ (z >> 31)) >> 40) * 0x1p-24F;
}

__global__ __launch_bounds__(kSolverThreads) void samplesKernel(float* samples, std::int64_t count, float offset, std::int64_t first) {
    const std::int64_t step = std::int64_t{gridDim.x} * kSolverThreads;
    for (std::int64_t i = std::int64_t{blockIdx.x} * kSolverThreads + threadIdx.x; i < count; i += step)
        samples[i] = randomAt(first + i) + offset;
}

__global__ __launch_bounds__(kSolverThreads) void elementsKernel(Grid g, double* p) {
    visitElements(g, [&](std::int64_t i) { p[i] = static_cast<double>(randomAt(i)); });
}

__global__ __launch_bounds__(kSolverThreads, 4) void productKernel(SolveArguments a, const double* p, double* q) {
    applyAlongStrip<System::image>(
        a, BlockShare::byGrid(), [&](std::int64_t i) { return loadTwo(p, i); }, [&](std::int64_t i) { return p[i]; },
        [](std::int64_t) { return NothingElse{}; },
        [&](std::int64_t i, double2, double2 sum, bool both, NothingElse) { storePair(q, i, sum, both); });
}

__global__ __launch_bounds__(kSolverThreads) void differenceKernel(Grid g, const double* u, const double* v, double* result) {
    double most = 0;
    visitElements(g, [&](std::int64_t i) {
        const double difference = fabs(u[i] - v[i]);
        if (!(difference <= most)) most = difference;
    });
    // Doubles that are not negative are ordered as their bits are; a NaN is above all numbers.
    atomicMax(reinterpret_cast<unsigned long long*>(result), static_cast<unsigned long long>(__double_as_longlong(most)));
}

}  // namespace

void launchRandom(float* samples, std::int64_t count, float offset, cudaStream_t stream, std::int64_t first) {
    samplesKernel<<<kBlocks, kSolverThreads, 0, stream>>>(samples, count, offset, first);
    checkLaunch(kFailed);
}

void launchRandom(const Grid& grid, double* p, cudaStream_t stream) {
    check(cudaMemsetAsync(p, 0, static_cast<std::size_t>(grid.elements()) * sizeof(double), stream), kFailed);
    elementsKernel<<<kBlocks, kSolverThreads, 0, stream>>>(grid, p);
    checkLaunch(kFailed);
}

void launchStencilProduct(const SolveArguments& a, const double* p, double* q, cudaStream_t stream) {
    productKernel<<<dim3(Strips::of(a.grid).blocks(), static_cast<unsigned>(a.grid.channels)), kSolverThreads, 0, stream>>>(a, p, q);
    checkLaunch(kFailed);
}

double largestDifference(const Grid& grid, const double* u, const double* v, double* result, cudaStream_t stream) {
    constexpr const char* what = "Products could not be compared";
    check(cudaMemsetAsync(result, 0, sizeof(double), stream), what);
    differenceKernel<<<kBlocks, kSolverThreads, 0, stream>>>(grid, u, v, result);
    checkLaunch(kFailed);
    double largest = 0;
    check(cudaMemcpyAsync(&largest, result, sizeof(double), cudaMemcpyDeviceToHost, stream), what);
    check(cudaStreamSynchronize(stream), what);
    return largest;
}

}  // namespace parallax::gpu
