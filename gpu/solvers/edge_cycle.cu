// SPDX-License-Identifier: GPL-3.0-or-later
// The V-cycle of edge_multigrid.hpp on levels that take more than one block, with as much smoothing before the coarser level as after it.
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/edges/cycle_parts.cuh"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of multigrid could not be started";
constexpr int kThreads = 128, kWarps = kThreads / 32;
using LevelStrips = CycleStrips<kSmoothingSteps>;

/// Smooths from zero: writes z and the right-hand side of the coarser level.
template <bool FivePoint, int Channels>
__global__ __launch_bounds__(kThreads, FivePoint || Channels < 3 ? 3 : 2) void downKernel(SolveArguments a, EdgeLevel fine,
                                                                                          EdgeLevel coarse) {
    const LevelStrips strips = LevelStrips::of(fine.grid);
    if (hasEnded(a) || stripOfWarp<kThreads>() >= strips.count()) return;
    const Lane lane = Lane::of(strips, fine.grid, stripOfWarp<kThreads>());
    SmoothedRows<FivePoint, kSmoothingSteps> steps[kSmoothingSteps][Channels];  // the last one computes the residual
    MatrixRows<FivePoint, kSmoothingSteps> matrix;
    float restricted[Channels] = {};
    for (int y = lane.begin - kSmoothingSteps - 1; y < lane.end; ++y) {
        // Residuals of the rows 2 y and 2 y + 1 leave.
        const int arriving = 2 * y + kSmoothingSteps;
        float2 b[2][Channels];
        MatrixRow<FivePoint> rows[2];
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            loadRow(fine.b, fine.grid, lane, arriving + k, b[k]);
            rows[k] = MatrixRow<FivePoint>::load(fine, lane, arriving + k);
        }
        const std::int64_t i = std::int64_t{y} * coarse.grid.pitch + (lane.x >> 1);
        Spreads spreads, below;
        spreads.load(fine, i, lane.inside && y >= lane.begin, 3, 9);
        below.load(fine, i + coarse.grid.pitch, lane.inside && y + 1 >= lane.begin && y + 1 < lane.end, 0, 3);
        float toCoarse[Channels];
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            matrix.take(rows[k]);
            float2 z[Channels];
#pragma unroll
            for (int channel = 0; channel < Channels; ++channel) {
                Equations row{b[k][channel], matrix.row[0].smoothFromZero(smoothingFactor(0), b[k][channel])};
#pragma unroll
                for (int step = 1; step < kSmoothingSteps; ++step)
                    row = steps[step - 1][channel].take(smoothingFactor(step), matrix, step - 1, row);
                z[channel] = row.u;
                const float2 r = steps[kSmoothingSteps - 1][channel].takeForResidual(matrix, kSmoothingSteps - 1, row);
                const float left = fromLeft(r.y);
                if (k == 0) {
                    restricted[channel] += r.x + spreads.of[3] * left + spreads.of[5] * r.y;
                } else {
                    toCoarse[channel] = restricted[channel] + spreads.of[6] * left + spreads.of[7] * r.x + spreads.of[8] * r.y;
                    restricted[channel] = below.of[0] * left + below.of[1] * r.x + below.of[2] * r.y;
                }
            }
            storeRow(fine.z, fine.grid, lane, arriving + k - (kSmoothingSteps - 1), z);
        }
        if (!lane.writes || y < lane.begin) continue;
#pragma unroll
        for (int channel = 0; channel < Channels; ++channel)
            coarse.b[(blockIdx.y * Channels + channel) * coarse.grid.plane() + i] = toCoarse[channel];
    }
}

/// Corrects z by the coarser result and smooths. `Inner`: sums (r . result), too.
template <bool FivePoint, int Channels, bool Inner>
__device__ __forceinline__ void goUp(const EdgeLevel& fine, const EdgeLevel& coarse, const Lane& lane, Sums (&inner)[Channels]) {
    constexpr int halo = (kSmoothingSteps + 1) / 2;  // in rows of the coarser level
    SmoothedRows<FivePoint, kSmoothingSteps> steps[kSmoothingSteps][Channels];
    MatrixRows<FivePoint, kSmoothingSteps> matrix;
    CoarseRow<Channels> present = CoarseRow<Channels>::load(fine, coarse, lane, lane.begin - halo);
    for (int y = lane.begin - halo; y < lane.end + halo; ++y) {
        float2 b[2][Channels], z[2][Channels];
        MatrixRow<FivePoint> rows[2];
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            loadRow(fine.b, fine.grid, lane, 2 * y + k, b[k]);
            loadRow(fine.z, fine.grid, lane, 2 * y + k, z[k]);
            rows[k] = MatrixRow<FivePoint>::load(fine, lane, 2 * y + k);
        }
        const CoarseRow<Channels> below = CoarseRow<Channels>::load(fine, coarse, lane, y + 1);
        interpolate(present, below, z);
        present = below;
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const int leaving = 2 * y + k - kSmoothingSteps;
            matrix.take(rows[k]);
            float2 result[Channels];
#pragma unroll
            for (int channel = 0; channel < Channels; ++channel) {
                Equations row{b[k][channel], z[k][channel]};
#pragma unroll
                for (int step = 0; step < kSmoothingSteps; ++step)
                    row = steps[step][channel].take(smoothingFactor(kSmoothingSteps - 1 - step), matrix, step, row);
                result[channel] = row.u;
                if (Inner && lane.writes && leaving >= 2 * lane.begin && leaving < 2 * lane.end)
                    inner[channel].a += static_cast<double>(row.b.x * row.u.x + row.b.y * row.u.y);
            }
            storeRow(fine.result, fine.grid, lane, leaving, result);
        }
    }
}

template <bool FivePoint, int Channels, bool Inner>
__global__ __launch_bounds__(kThreads, FivePoint || Channels < 3 ? 3 : 2) void upKernel(SolveArguments a, EdgeLevel fine,
                                                                                        EdgeLevel coarse) {
    if (hasEnded(a)) return;
    const LevelStrips strips = LevelStrips::of(fine.grid);
    Sums inner[Channels];
    if (stripOfWarp<kThreads>() < strips.count())
        goUp<FivePoint, Channels, Inner>(fine, coarse, Lane::of(strips, fine.grid, stripOfWarp<kThreads>()), inner);
    if constexpr (Inner)
        sumOverBlocks<kThreads>(
            a, BlockShare{blockIdx.y * Channels, blockIdx.x, gridDim.x}, inner,
            [&](int channel, const Sums& s) { setInner(a, channel, s.a); }, [] {});
}

}  // namespace

unsigned edgeCycleBlocks(const Grid& g) { return static_cast<unsigned>((LevelStrips::of(g).count() + kWarps - 1) / kWarps); }

void launchEdgeDown(const SolveArguments& a, const EdgeLevel& fine, const EdgeLevel& coarse, cudaStream_t stream) {
    launchForChannels(fine.grid, [&](auto channels, unsigned groups) {
        const dim3 grid{edgeCycleBlocks(fine.grid), groups};
        if (fine.fivePoint) downKernel<true, channels.value><<<grid, kThreads, 0, stream>>>(a, fine, coarse);
        else downKernel<false, channels.value><<<grid, kThreads, 0, stream>>>(a, fine, coarse);
    });
    checkLaunch(kFailed);
}

void launchEdgeUp(const SolveArguments& a, const EdgeLevel& fine, const EdgeLevel& coarse, bool sums, cudaStream_t stream) {
    launchForChannels(fine.grid, [&](auto channels, unsigned groups) {
        const dim3 grid{edgeCycleBlocks(fine.grid), groups};
        const auto kernel = !fine.fivePoint ? upKernel<false, channels.value, false>
                            : sums          ? upKernel<true, channels.value, true>
                                            : upKernel<true, channels.value, false>;
        kernel<<<grid, kThreads, 0, stream>>>(a, fine, coarse);
    });
    checkLaunch(kFailed);
}

namespace {

template <int Channels>
void preloadForChannels() {
    preload(downKernel<true, Channels>);
    preload(downKernel<false, Channels>);
    preload(upKernel<true, Channels, true>);
    preload(upKernel<true, Channels, false>);
    preload(upKernel<false, Channels, false>);
}

}  // namespace

void preloadEdgeCycle() {
    preloadForChannels<1>();
    preloadForChannels<2>();
    preloadForChannels<3>();
}

}  // namespace parallax::gpu
