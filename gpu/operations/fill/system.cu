// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/fill/system.hpp"

#include <cmath>

#include "gpu/primitives/reduction_parts.cuh"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

using filling::Kind;

constexpr const char* kFailed = "A kernel of filling could not be started";
constexpr int kThreads = 256;

/// Visits rows of all slices in turns, along y of the grid of blocks.
template <class Visit>
__device__ __forceinline__ void visitSamples(const Grid& g, Visit&& visit) {
    const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (x >= g.width) return;
    for (int row = static_cast<int>(blockIdx.y); row < g.height * g.depth; row += static_cast<int>(gridDim.y))
        visit(x, row % g.height, row / g.height);
}

/// FillBand for one launch; also for a whole image or volume.
struct KindsOf {
    FillBand::Window window;
    int firstRow = 0, imageHeight = 0;
    bool isBand = false;
};

__global__ __launch_bounds__(kThreads) void kindsKernel(Grid grid, filling::Criterion criterion, FillChannel channel, KindsOf of,
                                                        FillArrays arrays) {
    FillCounts counts;
    Grid rows = grid;
    rows.height = of.window.last - of.window.first;
    visitSamples(rows, [&](int x, int row, int z) {
        const int rowOfImage = of.window.first + row, y = rowOfImage - of.firstRow;
        const float v = channel.in.at(x, y, z);
        Kind kind = filling::kindOf(v, channel.alpha.data ? channel.alpha.at(x, y, z) : 1.0F, criterion);
        if (kind == Kind::known && criterion.missing == MissingSamples::fireflies &&
            filling::isFirefly(v, x, rowOfImage, grid.width, of.imageHeight, criterion,
                               [&](std::int64_t i, std::int64_t j) { return of.window.seen.at(i, j - of.window.firstSeen, z); }))
            kind = Kind::missing;
        const std::int64_t i = grid.at(x, y, z, 0);
        arrays.kinds[i] = static_cast<std::uint8_t>(kind);
        if (of.isBand && (y == 0 || y + 1 == grid.height))
            arrays.rightSide[i] = kind == Kind::known ? static_cast<double>(v) : static_cast<double>(NAN);
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

__global__ __launch_bounds__(kThreads) void systemKernel(Grid grid, AxisWeights weights, FillChannel channel, FillRows beside,
                                                         FillArrays arrays) {
    visitSamples(grid, [&](int x, int y, int z) {
        const std::int64_t i = grid.at(x, y, z, 0);
        const int at[3] = {x, y, z}, extent[3] = {grid.width, grid.height, grid.depth};
        const std::int64_t stride[3] = {1, grid.pitch, grid.slice()};
        const auto isKnownAt = [&](std::int64_t sample) { return arrays.kinds[sample] == static_cast<std::uint8_t>(Kind::known); };
        const bool isKnown = isKnownAt(i);
        double diagonal = isKnown ? 1 : 0, sum = 0;
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
            const double w = weights.along[axis];
            double edge = 0;
#pragma unroll
            for (int side = -1; side <= 1; side += 2) {
                const bool inside = at[axis] + side >= 0 && at[axis] + side < extent[axis];
                const double* const rowBeside = axis == 1 && !inside ? (side < 0 ? beside.above : beside.below) : nullptr;
                if (isKnown || (!inside && !rowBeside)) continue;
                double known = static_cast<double>(NAN);
                if (!inside) known = rowBeside[x];
                else if (isKnownAt(i + side * stride[axis]))
                    known = static_cast<double>(
                        channel.in.at(x + (axis == 0 ? side : 0), y + (axis == 1 ? side : 0), z + (axis == 2 ? side : 0)));
                if (isnan(known)) {
                    if (side == 1) edge = w;
                    continue;
                }
                diagonal += w;
                sum += w * known;
            }
            if (arrays.edges[axis]) arrays.edges[axis][i] = edge;
        }
        if (y == 0 && beside.above) arrays.edges[1][i - grid.pitch] = !isKnown && isnan(beside.above[x]) ? weights.along[1] : 0;
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

void clearCounts(const FillArrays& arrays, cudaStream_t stream) {
    check(cudaMemsetAsync(arrays.counts, 0, sizeof(FillCounts), stream), "Device memory could not be cleared");
}

void launchKinds(const Grid& grid, const filling::Criterion& criterion, const FillChannel& channel, const KindsOf& of,
                 const FillArrays& arrays, cudaStream_t stream) {
    Grid rows = grid;
    rows.height = of.window.last - of.window.first;
    kindsKernel<<<blocksFor(rows), kThreads, 0, stream>>>(grid, criterion, channel, of, arrays);
    checkLaunch(kFailed);
}

}  // namespace

void launchFillKinds(const Grid& grid, const filling::Criterion& criterion, const FillChannel& channel, const FillArrays& arrays,
                     cudaStream_t stream) {
    clearCounts(arrays, stream);
    launchKinds(grid, criterion, channel, {{0, grid.height, 0, channel.in}, 0, grid.height, false}, arrays, stream);
}

void launchFillKinds(const Grid& grid, const filling::Criterion& criterion, const FillChannel& channel, const FillBand& band,
                     const FillArrays& arrays, cudaStream_t stream) {
    clearCounts(arrays, stream);
    for (const FillBand::Window& window : band.windows)
        launchKinds(grid, criterion, channel, {window, band.firstRow, band.imageHeight, true}, arrays, stream);
}

void launchFillSystem(const Grid& grid, const double (&weights)[3], const FillChannel& channel, const FillRows& beside,
                      const FillArrays& arrays, cudaStream_t stream) {
    systemKernel<<<blocksFor(grid), kThreads, 0, stream>>>(grid, AxisWeights{{weights[0], weights[1], weights[2]}}, channel, beside,
                                                           arrays);
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
