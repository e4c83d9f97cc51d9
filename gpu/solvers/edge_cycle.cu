// SPDX-License-Identifier: GPL-3.0-or-later
// The V-cycle of edge_multigrid.hpp on levels that take more than one block. A warp takes a strip of 56 columns, two per lane, and runs
// down its rows. Each step (smoothing, residual, restriction) follows one row behind the step before it, with its rows in registers and the
// neighbours along x from shuffles. Halos (four columns on each side, six rows) are computed by both strips. Couplings are loaded once for
// all channels of a group, and no step writes anything but the coarser right-hand side or the result.
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/edge_multigrid.hpp"
#include "gpu/solvers/edge_smoothing.cuh"
#include "gpu/solvers/scalars.cuh"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of multigrid could not be started";
constexpr int kThreads = 128, kWarps = kThreads / 32;
constexpr int kHaloLanes = 2, kColumns = 64 - 4 * kHaloLanes;

/// Cuts a level into strips, by its size alone, so that sums have the same order on every device.
struct CycleStrips {
    int across, pairs, bands;  ///< `pairs`: rows of the coarser level in a band

    PARALLAX_HOST_DEVICE static CycleStrips of(const Grid& g) {
        const int across = (g.width + kColumns - 1) / kColumns, coarseRows = (g.height + 1) / 2;
        // Enough strips to fill a device; long ones compute fewer rows twice.
        constexpr std::int64_t enough = 3 * 1024;
        const std::int64_t pairs = std::int64_t{coarseRows} * across / enough;
        const int length = pairs < 4 ? 4 : pairs > 32 ? 32 : static_cast<int>(pairs);
        return {across, (coarseRows + length - 1) / length, length};
    }
    PARALLAX_HOST_DEVICE std::int64_t count() const { return std::int64_t{across} * bands; }
};

/// The part of a level that a lane takes: columns x and x + 1 of the rows 2 begin to 2 end.
struct Lane {
    int x, begin, end;
    bool inside;  ///< x is in the grid
    bool writes;  ///< and not in the halo

    __device__ __forceinline__ static Lane of(const CycleStrips& strips, const Grid& g, std::int64_t strip) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
        const int band = static_cast<int>(strip / strips.across), column = static_cast<int>(strip % strips.across);
        Lane l;
        l.x = column * kColumns + 2 * (lane - kHaloLanes);
        l.begin = band * strips.pairs;
        l.end = min(l.begin + strips.pairs, (g.height + 1) / 2);
        l.inside = l.x >= 0 && l.x < g.width;
        l.writes = l.inside && lane >= kHaloLanes && lane < 32 - kHaloLanes;
        return l;
    }
};
__device__ __forceinline__ std::int64_t stripOfWarp() { return std::int64_t{blockIdx.x} * kWarps + threadIdx.x / 32; }

__device__ __forceinline__ float2 loadTwo(const float* p, std::int64_t i) { return *reinterpret_cast<const float2*>(p + i); }
__device__ __forceinline__ float fromLeft(float v) { return __shfl_up_sync(kAllLanes, v, 1); }
__device__ __forceinline__ float fromRight(float v) { return __shfl_down_sync(kAllLanes, v, 1); }

/// Row of the matrix for two samples; all 0 outside of the grid. `FivePoint`: without couplings between diagonal neighbours.
template <bool FivePoint>
struct MatrixRow {
    float2 east{0, 0}, south{0, 0}, southEast{0, 0}, southWest{0, 0}, diagonal{0, 0}, inverse{0, 0};
    float west = 0, southEastOfLeft = 0, southWestOfRight = 0;

    __device__ __forceinline__ static MatrixRow load(const EdgeLevel& l, const Lane& lane, int y) {
        MatrixRow row;
        if (lane.inside && y >= 0 && y < l.grid.height) {
            const std::int64_t i = std::int64_t{y} * l.grid.pitch + lane.x;
            row.east = loadTwo(l.east, i);
            row.south = loadTwo(l.south, i);
            row.diagonal = loadTwo(l.diagonal, i);
            if constexpr (FivePoint) {
                row.inverse = {jacobiInverse(row.diagonal.x), jacobiInverse(row.diagonal.y)};
            } else {
                row.inverse = loadTwo(l.inverse, i);
                row.southEast = loadTwo(l.southEast, i);
                row.southWest = loadTwo(l.southWest, i);
            }
        }
        row.west = fromLeft(row.east.y);
        if constexpr (!FivePoint) {
            row.southEastOfLeft = fromLeft(row.southEast.y);
            row.southWestOfRight = fromRight(row.southWest.x);
        }
        return row;
    }
    /// b + `coupled` - diagonal u
    __device__ __forceinline__ float2 residual(float2 b, float2 coupled, float2 u) const {
        return {b.x + coupled.x - diagonal.x * u.x, b.y + coupled.y - diagonal.y * u.y};
    }
    /// u after a step of the smoother.
    __device__ __forceinline__ float2 smooth(float factor, float2 b, float2 coupled, float2 u) const {
        if constexpr (FivePoint) {
            const float rest = 1 - factor;  // here the inverse is that of the diagonal
            return {rest * u.x + factor * (inverse.x * (b.x + coupled.x)), rest * u.y + factor * (inverse.y * (b.y + coupled.y))};
        } else {
            const float2 r = residual(b, coupled, u);
            return {u.x + factor * (inverse.x * r.x), u.y + factor * (inverse.y * r.y)};
        }
    }
};

/// Sums of couplings times values, for rows that arrive one after the other.
template <bool FivePoint>
struct CoupledRows {
    float2 last{0, 0};     ///< the row that arrived last
    float2 partial{0, 0};  ///< its sum, without the row below it
    float2 above{0, 0};    ///< with nine points: the sum of the next row, from the row above it

    /// Takes a row and returns the sums of the row before.
    __device__ __forceinline__ float2 take(const MatrixRow<FivePoint>& before, const MatrixRow<FivePoint>& row, float2 u) {
        const float left = fromLeft(u.y), right = fromRight(u.x);
        float2 sum{partial.x + before.south.x * u.x, partial.y + before.south.y * u.y};
        if constexpr (FivePoint) {
            partial = {before.south.x * last.x, before.south.y * last.y};
        } else {
            sum.x += before.southEast.x * u.y + before.southWest.x * left;
            sum.y += before.southEast.y * right + before.southWest.y * u.x;
            partial = above;
            above = {row.south.x * u.x + row.southEastOfLeft * left + row.southWest.y * u.y,
                     row.south.y * u.y + row.southEast.x * u.x + row.southWestOfRight * right};
        }
        partial.x += row.west * left + row.east.x * u.y;
        partial.y += row.east.x * u.x + row.east.y * right;
        last = u;
        return sum;
    }
};

/// A step of the smoother. `u` and `b` are the result and the right-hand side in the row before the one that arrived last.
template <bool FivePoint>
struct Smoothed {
    float2 b{0, 0}, u{0, 0}, lastB{0, 0};
    CoupledRows<FivePoint> coupled;

    __device__ __forceinline__ void take(float factor, const MatrixRow<FivePoint>& before, const MatrixRow<FivePoint>& row,
                                         float2 arrivingB, float2 arriving) {
        const float2 last = coupled.last, sum = coupled.take(before, row, arriving);
        b = lastB;
        u = before.smooth(factor, b, sum, last);
        lastB = arrivingB;
    }
    /// The second step, after a first one from zero.
    __device__ __forceinline__ void takeFromZero(const MatrixRow<FivePoint>& before, const MatrixRow<FivePoint>& row, float2 arrivingB) {
        take(kSecond, before, row, arrivingB, {kFirst * row.inverse.x * arrivingB.x, kFirst * row.inverse.y * arrivingB.y});
    }
};

/// Two rows of the right-hand side and of the matrix, loaded together.
template <bool FivePoint, int Channels>
struct LoadedRows {
    float2 b[2][Channels];
    MatrixRow<FivePoint> matrix[2];

    __device__ __forceinline__ LoadedRows(const EdgeLevel& l, const Lane& lane, int y) {
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const bool inside = lane.inside && y + k >= 0 && y + k < l.grid.height;
            const float* const from = l.b + blockIdx.y * Channels * l.grid.plane() + std::int64_t{y + k} * l.grid.pitch + lane.x;
#pragma unroll
            for (int channel = 0; channel < Channels; ++channel)
                b[k][channel] = inside ? loadTwo(from, channel * l.grid.plane()) : float2{0, 0};
            matrix[k] = MatrixRow<FivePoint>::load(l, lane, y + k);
        }
    }
};

/// Weights of a coarse sample in its neighbours, in the order of EdgeLevel::spread; 0 outside of the grid.
struct Spreads {
    float of[9] = {};

    __device__ __forceinline__ void load(const EdgeLevel& fine, std::int64_t i, bool inside, int begin, int end) {
#pragma unroll
        for (int k = begin; k < end; ++k)
            if (k != 4) of[k] = inside ? fine.spread[k][i] : 0.0F;
    }
};

template <bool FivePoint, int Channels>
__global__ __launch_bounds__(kThreads, FivePoint || Channels < 3 ? 3 : 2) void downKernel(SolveArguments a, EdgeLevel fine,
                                                                                          EdgeLevel coarse) {
    const CycleStrips strips = CycleStrips::of(fine.grid);
    if (hasEnded(a) || stripOfWarp() >= strips.count()) return;
    const Lane lane = Lane::of(strips, fine.grid, stripOfWarp());
    const std::int64_t plane = coarse.grid.plane();
    float* const to = coarse.b + blockIdx.y * Channels * plane;
    Smoothed<FivePoint> smoothed[Channels];
    CoupledRows<FivePoint> coupled[Channels];
    float2 lastB[Channels] = {};
    float restricted[Channels] = {};
    MatrixRow<FivePoint> before, twoBefore;
    for (int y = lane.begin - 3; y < lane.end; ++y) {
        // Rows 2 y + 2 and 2 y + 3 arrive, residuals of 2 y and 2 y + 1 leave.
        const LoadedRows<FivePoint, Channels> rows(fine, lane, 2 * y + 2);
        const std::int64_t i = std::int64_t{y} * coarse.grid.pitch + (lane.x >> 1);
        Spreads spreads, below;
        spreads.load(fine, i, lane.inside && y >= lane.begin, 3, 9);
        below.load(fine, i + coarse.grid.pitch, lane.inside && y + 1 >= lane.begin && y + 1 < lane.end, 0, 3);
#pragma unroll
        for (int k = 0; k < 2; ++k) {
#pragma unroll
            for (int channel = 0; channel < Channels; ++channel) {
                Smoothed<FivePoint>& s = smoothed[channel];
                s.takeFromZero(before, rows.matrix[k], rows.b[k][channel]);
                const float2 last = coupled[channel].last, sum = coupled[channel].take(twoBefore, before, s.u);
                const float2 r = twoBefore.residual(lastB[channel], sum, last);
                lastB[channel] = s.b;
                const float left = fromLeft(r.y);
                float& sumOfRows = restricted[channel];
                if (k == 0) {
                    sumOfRows += r.x + spreads.of[3] * left + spreads.of[5] * r.y;
                } else {
                    sumOfRows += spreads.of[6] * left + spreads.of[7] * r.x + spreads.of[8] * r.y;
                    if (lane.writes && y >= lane.begin) to[channel * plane + i] = sumOfRows;
                    sumOfRows = below.of[0] * left + below.of[1] * r.x + below.of[2] * r.y;
                }
            }
            twoBefore = before;
            before = rows.matrix[k];
        }
    }
}

/// Interpolates the coarser result.
template <int Channels>
struct Interpolation {
    float value[Channels] = {};  ///< of the coarse row
    Spreads spreads;             ///< of the coarse row

    /// Moves on to the next coarse row and returns the corrections of the two rows before it: of the coarse row and the one between both.
    __device__ __forceinline__ void take(const EdgeLevel& fine, const EdgeLevel& coarse, const Lane& lane, int y,
                                         float2 (&corrections)[2][Channels]) {
        const bool inside = lane.inside && y >= 0 && y < coarse.grid.height;
        const std::int64_t i = std::int64_t{y} * coarse.grid.pitch + (lane.x >> 1);
        const float* const from = coarse.result + blockIdx.y * Channels * coarse.grid.plane() + i;
        Spreads next;
        next.load(fine, i, inside, 0, 9);
#pragma unroll
        for (int channel = 0; channel < Channels; ++channel) {
            const float e = value[channel], below = inside ? from[channel * coarse.grid.plane()] : 0.0F;
            const float right = fromRight(spreads.of[3] * e), rightBelow = fromRight(spreads.of[6] * e + next.of[0] * below);
            corrections[0][channel] = {e, spreads.of[5] * e + right};
            corrections[1][channel] = {spreads.of[7] * e + next.of[1] * below, spreads.of[8] * e + next.of[2] * below + rightBelow};
            value[channel] = below;
        }
        spreads = next;
    }
};

/// `Inner`: sums (r . z), too.
template <bool FivePoint, int Channels, bool Inner>
__device__ __forceinline__ void goUp(const EdgeLevel& fine, const EdgeLevel& coarse, const Lane& lane, Sums (&inner)[Channels]) {
    const std::int64_t plane = fine.grid.plane();
    float* const to = fine.result + blockIdx.y * Channels * plane;
    Smoothed<FivePoint> smoothed[Channels], second[Channels], first[Channels];
    MatrixRow<FivePoint> before, twoBefore, threeBefore;
    Interpolation<Channels> interpolation;
    for (int y = lane.begin - 2; y <= lane.end; ++y) {
        // Rows 2 y + 1 and 2 y + 2 arrive, 2 y and 2 y + 1 are corrected, 2 y - 2 and 2 y - 1 leave.
        const LoadedRows<FivePoint, Channels> rows(fine, lane, 2 * y + 1);
        float2 corrections[2][Channels];
        interpolation.take(fine, coarse, lane, y + 1, corrections);
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const int leaving = 2 * y - 2 + k;
            const bool writes = lane.writes && y > lane.begin && leaving < fine.grid.height;
#pragma unroll
            for (int channel = 0; channel < Channels; ++channel) {
                Smoothed<FivePoint>& s = smoothed[channel];
                s.takeFromZero(before, rows.matrix[k], rows.b[k][channel]);
                const float2 e = corrections[k][channel];
                second[channel].take(kSecond, twoBefore, before, s.b, {s.u.x + e.x, s.u.y + e.y});
                first[channel].take(kFirst, threeBefore, twoBefore, second[channel].b, second[channel].u);
                if (!writes) continue;
                const float2 b = first[channel].b, z = first[channel].u;
                const std::int64_t i = channel * plane + std::int64_t{leaving} * fine.grid.pitch + lane.x;
                if (lane.x + 1 < fine.grid.width) *reinterpret_cast<float2*>(to + i) = z;
                else to[i] = z.x;
                // Behind the end of a row b is 0.
                if constexpr (Inner) inner[channel].a += static_cast<double>(b.x * z.x + b.y * z.y);
            }
            threeBefore = twoBefore;
            twoBefore = before;
            before = rows.matrix[k];
        }
    }
}

template <bool FivePoint, int Channels>
__global__ __launch_bounds__(kThreads, FivePoint || Channels < 3 ? 3 : 2) void upKernel(SolveArguments a, EdgeLevel fine,
                                                                                        EdgeLevel coarse) {
    if (hasEnded(a)) return;
    const CycleStrips strips = CycleStrips::of(fine.grid);
    Sums inner[Channels];
    if (stripOfWarp() < strips.count())
        goUp<FivePoint, Channels, FivePoint>(fine, coarse, Lane::of(strips, fine.grid, stripOfWarp()), inner);
    if constexpr (FivePoint)
        sumOverBlocks<kThreads>(
            a, BlockShare{blockIdx.y * Channels, blockIdx.x, gridDim.x}, inner,
            [&](int channel, const Sums& s) { setInner(a, channel, s.a); }, [] {});
}

/// Calls launch(grid) with the number of channels that a block takes as a constant.
template <class Launch>
void launchForChannels(const Grid& g, Launch&& launch) {
    const auto grid = [&](int channels) { return dim3{edgeCycleBlocks(g), static_cast<unsigned>(g.channels / channels)}; };
    if (g.channels % 3 == 0) launch(grid(3), std::integral_constant<int, 3>());
    else if (g.channels % 2 == 0) launch(grid(2), std::integral_constant<int, 2>());
    else launch(grid(1), std::integral_constant<int, 1>());
    checkLaunch(kFailed);
}

bool isFinest(const SolveArguments& a, const EdgeLevel& level) {
    return level.grid.width == a.grid.width && level.grid.height == a.grid.height;
}

}  // namespace

unsigned edgeCycleBlocks(const Grid& g) { return static_cast<unsigned>((CycleStrips::of(g).count() + kWarps - 1) / kWarps); }

void launchEdgeDown(const SolveArguments& a, const EdgeLevel& fine, const EdgeLevel& coarse, cudaStream_t stream) {
    launchForChannels(fine.grid, [&](dim3 grid, auto channels) {
        if (isFinest(a, fine)) downKernel<true, channels.value><<<grid, kThreads, 0, stream>>>(a, fine, coarse);
        else downKernel<false, channels.value><<<grid, kThreads, 0, stream>>>(a, fine, coarse);
    });
}

void launchEdgeUp(const SolveArguments& a, const EdgeLevel& fine, const EdgeLevel& coarse, cudaStream_t stream) {
    launchForChannels(fine.grid, [&](dim3 grid, auto channels) {
        if (isFinest(a, fine)) upKernel<true, channels.value><<<grid, kThreads, 0, stream>>>(a, fine, coarse);
        else upKernel<false, channels.value><<<grid, kThreads, 0, stream>>>(a, fine, coarse);
    });
}

namespace {

template <int Channels>
void preloadForChannels() {
    preload(downKernel<true, Channels>);
    preload(downKernel<false, Channels>);
    preload(upKernel<true, Channels>);
    preload(upKernel<false, Channels>);
}

}  // namespace

void preloadEdgeCycle() {
    preloadForChannels<1>();
    preloadForChannels<2>();
    preloadForChannels<3>();
}

}  // namespace parallax::gpu
