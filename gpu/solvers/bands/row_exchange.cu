// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/bands/row_exchange.hpp"

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/bands/band_links.cuh"
#include "gpu/solvers/iteration.cuh"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel that exchanges rows could not be started";
constexpr unsigned kCopyBlocks = 256;

__device__ __forceinline__ void copyRows(const RowCopies& all) {
    const auto channel = static_cast<std::int64_t>(blockIdx.y);
    for (int n = 0; n < all.count; ++n) {
        const RowCopies::Copy& c = all.copies[n];
        const auto* const from = reinterpret_cast<const float4*>(c.from + channel * c.fromPlane);
        auto* const to = reinterpret_cast<float4*>(c.to + channel * c.toPlane);
        const std::int64_t fours = c.rows * all.pitch / 4, step = std::int64_t{gridDim.x} * kSolverThreads;
        for (std::int64_t i = std::int64_t{blockIdx.x} * kSolverThreads + threadIdx.x; i < fours; i += step) to[i] = from[i];
    }
}

__global__ __launch_bounds__(kSolverThreads) void copyRowsKernel(SolveArguments a, const __grid_constant__ RowCopies copies) {
    if (hasEnded(a)) return;
    copyRows(copies);
}

__global__ __launch_bounds__(kSolverThreads) void sendCopiesKernel(SolveArguments a, const __grid_constant__ BandLinks links,
                                                                   const __grid_constant__ RowCopies copies) {
    if (hasEnded(a)) return;
    copyRows(copies);
    fenceDevices();
    sumOverAll(
        a, links, BlockShare::byGrid(), Sums{}, [](int, const Sums&) {}, [] {});
}

dim3 copyGrid(const SolveArguments& a, const RowCopies& copies) {
    std::int64_t most = 0;
    for (int n = 0; n < copies.count; ++n) most = copies.copies[n].rows > most ? copies.copies[n].rows : most;
    const std::int64_t blocks = most * copies.pitch / 4 / kSolverThreads + 1;
    return {static_cast<unsigned>(blocks < kCopyBlocks ? blocks : kCopyBlocks), static_cast<unsigned>(a.grid.channels)};
}

}  // namespace

void launchRowCopies(const SolveArguments& a, const RowCopies& copies, cudaStream_t stream) {
    if (copies.count == 0) return;
    copyRowsKernel<<<copyGrid(a, copies), kSolverThreads, 0, stream>>>(a, copies);
    checkLaunch(kFailed);
}

void launchRowSends(const SolveArguments& a, const SumLinks& sums, const RowCopies& copies, cudaStream_t stream) {
    BandArrays v;
    v.sums = sums;
    sendCopiesKernel<<<copyGrid(a, copies), kSolverThreads, 0, stream>>>(a, BandLinks{v}, copies);
    checkLaunch(kFailed);
}

void preloadRowExchange() {
    preload(copyRowsKernel);
    preload(sendCopiesKernel);
}

}  // namespace parallax::gpu
