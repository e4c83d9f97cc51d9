// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/fill/system.hpp"

#include "gpu/primitives/reduction_parts.cuh"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

using filling::Kind;

constexpr const char* kFailed = "A kernel of filling could not be started";
constexpr int kThreads = 256;

/// Rows of all slices in turns, along y of the grid of blocks.
template <class Visit>
__device__ __forceinline__ void visitSamples(const Grid& g, Visit&& visit) {
    const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (x >= g.width) return;
    for (int row = static_cast<int>(blockIdx.y); row < g.height * g.depth; row += static_cast<int>(gridDim.y))
        visit(x, row % g.height, row / g.height);
}

__global__ __launch_bounds__(kThreads) void kindsKernel(Grid grid, filling::Criterion criterion, FillChannel channel, FillArrays arrays) {
    FillCounts counts;
    visitSamples(grid, [&](int x, int y, int z) {
        const float v = channel.in.at(x, y, z);
        Kind kind = filling::kindOf(v, channel.alpha.data ? channel.alpha.at(x, y, z) : 1.0F, criterion);
        if (kind == Kind::known && criterion.missing == MissingSamples::fireflies &&
            filling::isFirefly(v, x, y, grid.width, grid.height, criterion,
                               [&](std::int64_t i, std::int64_t j) { return channel.in.at(i, j, z); }))
            kind = Kind::missing;
        arrays.kinds[grid.at(x, y, z, 0)] = static_cast<std::uint8_t>(kind);
        counts.missing += kind == Kind::missing;
        counts.unusable += kind == Kind::unusable;
    });
    reduceBlock<kThreads>(counts, [](FillCounts& a, const FillCounts& b) {
        a.missing += b.missing;
        a.unusable += b.unusable;
    });
    if (threadIdx.x != 0) return;
    if (counts.missing > 0) atomicAdd(&arrays.counts->missing, counts.missing);
    if (counts.unusable > 0) atomicAdd(&arrays.counts->unusable, counts.unusable);
}

struct AxisWeights {
    double along[3];
};

__global__ __launch_bounds__(kThreads) void systemKernel(Grid grid, AxisWeights weights, FillChannel channel, FillArrays arrays) {
    visitSamples(grid, [&](int x, int y, int z) {
        const std::int64_t i = grid.at(x, y, z, 0);
        const int at[3] = {x, y, z}, extent[3] = {grid.width, grid.height, grid.depth};
        const std::int64_t stride[3] = {1, grid.pitch, grid.slice()};
        const bool isKnown = arrays.kinds[i] == static_cast<std::uint8_t>(Kind::known);
        double diagonal = isKnown ? 1 : 0, sum = 0;
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
            const double w = weights.along[axis];
            double edge = 0;
#pragma unroll
            for (int side = -1; side <= 1; side += 2) {
                if (isKnown || at[axis] + side < 0 || at[axis] + side >= extent[axis]) continue;
                if (arrays.kinds[i + side * stride[axis]] != static_cast<std::uint8_t>(Kind::known)) {
                    if (side == 1) edge = w;
                    continue;
                }
                diagonal += w;
                sum += w * static_cast<double>(
                               channel.in.at(x + (axis == 0 ? side : 0), y + (axis == 1 ? side : 0), z + (axis == 2 ? side : 0)));
            }
            if (arrays.edges[axis]) arrays.edges[axis][i] = edge;
        }
        arrays.diagonals[i] = diagonal;
        arrays.rightSide[i] = sum;
    });
}

__global__ __launch_bounds__(kThreads) void resultKernel(Grid grid, FillChannel channel, FillArrays arrays) {
    visitSamples(grid, [&](int x, int y, int z) {
        const std::int64_t i = grid.at(x, y, z, 0);
        const bool isMissing = arrays.kinds[i] == static_cast<std::uint8_t>(Kind::missing);
        channel.out.at(x, y, z) = isMissing ? static_cast<float>(arrays.solution[i]) : channel.in.at(x, y, z);
    });
}

dim3 blocksFor(const Grid& g) {
    constexpr int most = 4096;
    const int across = (g.width + kThreads - 1) / kThreads, rows = g.height * g.depth;
    const int down = most / across > 0 ? most / across : 1;
    return {static_cast<unsigned>(across), static_cast<unsigned>(rows < down ? rows : down)};
}

}  // namespace

void launchFillKinds(const Grid& grid, const filling::Criterion& criterion, const FillChannel& channel, const FillArrays& arrays,
                     cudaStream_t stream) {
    check(cudaMemsetAsync(arrays.counts, 0, sizeof(FillCounts), stream), "Device memory could not be cleared");
    kindsKernel<<<blocksFor(grid), kThreads, 0, stream>>>(grid, criterion, channel, arrays);
    checkLaunch(kFailed);
}

void launchFillSystem(const Grid& grid, const double (&weights)[3], const FillChannel& channel, const FillArrays& arrays,
                      cudaStream_t stream) {
    systemKernel<<<blocksFor(grid), kThreads, 0, stream>>>(grid, AxisWeights{{weights[0], weights[1], weights[2]}}, channel, arrays);
    checkLaunch(kFailed);
}

void launchFillResult(const Grid& grid, const FillChannel& channel, const FillArrays& arrays, cudaStream_t stream) {
    resultKernel<<<blocksFor(grid), kThreads, 0, stream>>>(grid, channel, arrays);
    checkLaunch(kFailed);
}

void preloadFill() {
    preload(kindsKernel);
    preload(systemKernel);
    preload(resultKernel);
}

}  // namespace parallax::gpu
