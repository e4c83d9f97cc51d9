// SPDX-License-Identifier: GPL-3.0-or-later
// The finest level of the V-cycle of edge_multigrid.hpp without smoothing before the coarser level, but with more steps after it: half the
// memory traffic for about the same convergence. Such a cycle is not symmetric: iteration.hpp tolerates that.
#include <cuda_pipeline.h>

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/edges/cycle_parts.cuh"
#include "gpu/solvers/edges/one_sided_cycle.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of multigrid could not be started";
constexpr int kSteps = 6;
using LevelStrips = CycleStrips<kSteps>;

/// Factors of the Jacobi steps: the inverse roots of the Chebyshev polynomial of degree 6 on [0.16, 2].
__device__ constexpr float stepFactor(int step) {
    constexpr float middle = 1.08F, half = 0.92F;
    constexpr float cosines[kSteps] = {-0.96592583F, -0.70710678F, -0.25881905F, 0.25881905F, 0.70710678F, 0.96592583F};
    return 1 / (middle + half * cosines[step]);
}

// ---- restriction --------------------------------------------------------------------------------------------------------------------

constexpr int kRestrictThreads = 256;
/// Rows of the coarser level that a warp takes.
constexpr int kRestrictRows = 8;

/// The right-hand side of the coarser level from that of the finest one: a lane takes a coarse sample of each row, in all channels of its
/// group.
template <int Channels>
__global__ __launch_bounds__(kRestrictThreads, 4) void restrictKernel(SolveArguments a, EdgeLevel fine, EdgeLevel coarse) {
    if (hasEnded(a)) return;
    const Grid &f = fine.grid, &c = coarse.grid;
    const int across = (c.width + 31) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const std::int64_t warp = std::int64_t{blockIdx.x} * (kRestrictThreads / 32) + threadIdx.x / 32;
    const int x = static_cast<int>(warp % across) * 32 + lane, begin = static_cast<int>(warp / across) * kRestrictRows;
    if (x >= c.width) return;
    const float* const b = fine.b + blockIdx.y * Channels * f.plane() + 2 * x;
    float* const to = coarse.b + blockIdx.y * Channels * c.plane() + x;
    struct Row {
        float left[Channels] = {};
        float2 own[Channels] = {};
    };
    // What lies before and behind rows and channels has weights of 0.
    const auto load = [&](int y) {
        Row row;
        if (y < 0 || y >= f.height) return row;
#pragma unroll
        for (int channel = 0; channel < Channels; ++channel) {
            const float* const from = b + channel * f.plane() + std::int64_t{y} * f.pitch;
            row.left[channel] = from[-1];
            row.own[channel] = loadFloats(from, 0);
        }
        return row;
    };
    Row above = load(2 * begin - 1);
    for (int y = begin; y < min(begin + kRestrictRows, c.height); ++y) {
        const Row own = load(2 * y), below = load(2 * y + 1);
        const std::int64_t i = std::int64_t{y} * c.pitch;
        Spreads spreads;
        spreads.load(fine, i + x, true, 0, 9);
        spreads.of[4] = 1;
        const auto sum = [&](const Row& r, int channel, int k) {
            return spreads.of[k] * r.left[channel] + spreads.of[k + 1] * r.own[channel].x + spreads.of[k + 2] * r.own[channel].y;
        };
#pragma unroll
        for (int channel = 0; channel < Channels; ++channel)
            to[channel * c.plane() + i] = sum(above, channel, 0) + sum(own, channel, 3) + sum(below, channel, 6);
        above = below;
    }
}

// ---- correction and smoothing -------------------------------------------------------------------------------------------------------

constexpr int kThreads = 128, kWarps = kThreads / 32;

/// Input of a warp for two rows, copied into shared memory ahead. A lane reads only elements that it has copied itself.
template <int Channels>
struct AheadRows {
    float2 b[2][Channels][32], east[2][32], south[2][32], diagonal[2][32];
    float coarse[Channels][32], spread[9][32];

    /// Copies the rows 2 `y` and 2 `y` + 1 and the coarse row below them; 0 outside of the grid.
    __device__ __forceinline__ void copy(const EdgeLevel& l, const EdgeLevel& next, const Lane& lane, int y) {
        const int at = static_cast<int>(threadIdx.x) % 32;
        const auto copyOne = [](auto& to, const float* array, std::int64_t i, bool inside) {
            __pipeline_memcpy_async(&to, inside ? array + i : array, sizeof(to), inside ? 0 : sizeof(to));
        };
        const std::int64_t channel = std::int64_t{blockIdx.y} * Channels;
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const int row = 2 * y + k;
            const bool inside = lane.inside && row >= 0 && row < l.grid.height;
            const std::int64_t i = std::int64_t{row} * l.grid.pitch + lane.x;
            copyOne(east[k][at], l.east, i, inside);
            copyOne(south[k][at], l.south, i, inside);
            copyOne(diagonal[k][at], l.diagonal, i, inside);
#pragma unroll
            for (int c = 0; c < Channels; ++c) copyOne(b[k][c][at], l.b, (channel + c) * l.grid.plane() + i, inside);
        }
        const bool inside = lane.inside && y + 1 >= 0 && y + 1 < next.grid.height;
        const std::int64_t i = std::int64_t{y + 1} * next.grid.pitch + (lane.x >> 1);
#pragma unroll
        for (int k = 0; k < 9; ++k)
            if (k != 4) copyOne(spread[k][at], l.spread[k], i, inside);
#pragma unroll
        for (int c = 0; c < Channels; ++c) copyOne(coarse[c][at], next.result, (channel + c) * next.grid.plane() + i, inside);
    }
    __device__ __forceinline__ CoarseRow<Channels> coarseRow() const {
        const int at = static_cast<int>(threadIdx.x) % 32;
        CoarseRow<Channels> row;
#pragma unroll
        for (int c = 0; c < Channels; ++c) row.value[c] = coarse[c][at];
#pragma unroll
        for (int k = 0; k < 9; ++k)
            if (k != 4) row.spreads.of[k] = spread[k][at];
        return row;
    }
    __device__ __forceinline__ MatrixRow<true> matrixRow(int k) const {
        const int at = static_cast<int>(threadIdx.x) % 32;
        return MatrixRow<true>::of(east[k][at], south[k][at], diagonal[k][at]);
    }
};

/// Interpolates the coarser result and smooths; sums (r . result), too.
template <int Channels>
__device__ __forceinline__ void correct(const EdgeLevel& fine, const EdgeLevel& coarse, const Lane& lane, AheadRows<Channels> (&ahead)[2],
                                        Sums (&inner)[Channels]) {
    constexpr int halo = (kSteps + 1) / 2;  // in rows of the coarser level
    const int at = static_cast<int>(threadIdx.x) % 32;
    SmoothedRows<true, kSteps> steps[kSteps][Channels];
    MatrixRows<true, kSteps> matrix;
    int slot = 0;
    ahead[slot].copy(fine, coarse, lane, lane.begin - halo);
    __pipeline_commit();
    CoarseRow<Channels> present = CoarseRow<Channels>::load(fine, coarse, lane, lane.begin - halo);
    for (int y = lane.begin - halo; y < lane.end + halo; ++y) {
        if (y + 1 < lane.end + halo) ahead[slot ^ 1].copy(fine, coarse, lane, y + 1);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        const AheadRows<Channels>& arrived = ahead[slot];
        slot ^= 1;
        float2 z[2][Channels] = {};
        const CoarseRow<Channels> below = arrived.coarseRow();
        interpolate(present, below, z);
        present = below;
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const int leaving = 2 * y + k - kSteps;
            matrix.take(arrived.matrixRow(k));
            float2 result[Channels];
#pragma unroll
            for (int channel = 0; channel < Channels; ++channel) {
                Equations row{arrived.b[k][channel][at], z[k][channel]};
#pragma unroll
                for (int step = 0; step < kSteps; ++step) row = steps[step][channel].take(stepFactor(step), matrix, step, row);
                result[channel] = row.u;
                if (lane.writes && leaving >= 2 * lane.begin && leaving < 2 * lane.end)
                    inner[channel].a += static_cast<double>(row.b.x * row.u.x + row.b.y * row.u.y);
            }
            storeRow(fine.result, fine.grid, lane, leaving, result);
        }
    }
    __pipeline_wait_prior(0);
}

template <int Channels>
__global__ __launch_bounds__(kThreads, Channels < 3 ? 3 : 2) void correctKernel(SolveArguments a, EdgeLevel fine, EdgeLevel coarse) {
    __shared__ AheadRows<Channels> ahead[kWarps][2];
    if (hasEnded(a)) return;
    const LevelStrips strips = LevelStrips::of(fine.grid);
    Sums inner[Channels];
    if (stripOfWarp<kThreads>() < strips.count())
        correct<Channels>(fine, coarse, Lane::of(strips, fine.grid, stripOfWarp<kThreads>()), ahead[threadIdx.x / 32], inner);
    sumOverBlocks<kThreads>(
        a, BlockShare{blockIdx.y * Channels, blockIdx.x, gridDim.x}, inner, [&](int channel, const Sums& s) { setInner(a, channel, s.a); },
        [] {});
}

}  // namespace

unsigned oneSidedBlocks(const Grid& g) { return static_cast<unsigned>((LevelStrips::of(g).count() + kWarps - 1) / kWarps); }

void launchEdgeRestrict(const SolveArguments& a, const EdgeLevel& fine, const EdgeLevel& coarse, cudaStream_t stream) {
    const std::int64_t across = (coarse.grid.width + 31) / 32, bands = (coarse.grid.height + kRestrictRows - 1) / kRestrictRows;
    constexpr int warps = kRestrictThreads / 32;
    launchForChannels(fine.grid, [&](auto channels, unsigned groups) {
        const dim3 grid{static_cast<unsigned>((across * bands + warps - 1) / warps), groups};
        restrictKernel<channels.value><<<grid, kRestrictThreads, 0, stream>>>(a, fine, coarse);
    });
    checkLaunch(kFailed);
}

void launchEdgeCorrect(const SolveArguments& a, const EdgeLevel& fine, const EdgeLevel& coarse, cudaStream_t stream) {
    launchForChannels(fine.grid, [&](auto channels, unsigned groups) {
        const dim3 grid{oneSidedBlocks(fine.grid), groups};
        correctKernel<channels.value><<<grid, kThreads, 0, stream>>>(a, fine, coarse);
    });
    checkLaunch(kFailed);
}

void preloadOneSidedCycle() {
    preload(restrictKernel<1>);
    preload(restrictKernel<2>);
    preload(restrictKernel<3>);
    preload(correctKernel<1>);
    preload(correctKernel<2>);
    preload(correctKernel<3>);
}

}  // namespace parallax::gpu
