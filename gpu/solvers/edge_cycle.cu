// SPDX-License-Identifier: GPL-3.0-or-later
// The V-cycle of edge_multigrid.hpp on levels that take more than one block. A warp takes a strip of columns, two per lane, and runs down
// its rows. Each step (smoothing, residual, restriction) follows one row behind the step before it, with its rows in registers and the
// neighbours along x from shuffles. Neighbouring strips both compute what lies in their halos. Couplings are loaded once for all channels
// of a group.
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/edge_multigrid.hpp"
#include "gpu/solvers/edge_smoothing.cuh"
#include "gpu/solvers/scalars.cuh"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of multigrid could not be started";
constexpr int kThreads = 128, kWarps = kThreads / 32;
constexpr int kHaloLanes = kSmoothingSteps < 4 ? 2 : 3, kColumns = 64 - 4 * kHaloLanes;

/// Cuts a level into strips, by its size alone, so that sums have the same order on every device.
struct CycleStrips {
    int across, pairs, bands;  ///< `pairs`: rows of the coarser level in a band

    PARALLAX_HOST_DEVICE static CycleStrips of(const Grid& g) {
        const int across = (g.width + kColumns - 1) / kColumns, coarseRows = (g.height + 1) / 2;
        // Enough strips to fill a device; long ones compute fewer rows twice.
        constexpr std::int64_t enough = 3 * 1024;
        const std::int64_t pairs = std::int64_t{coarseRows} * across / enough;
        const int length = pairs < 2 ? 2 : pairs > 32 ? 32 : static_cast<int>(pairs);
        return {.across = across, .pairs = length, .bands = (coarseRows + length - 1) / length};
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

__device__ __forceinline__ float2 loadFloats(const float* p, std::int64_t i) { return *reinterpret_cast<const float2*>(p + i); }
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
            row.east = loadFloats(l.east, i);
            row.south = loadFloats(l.south, i);
            row.diagonal = loadFloats(l.diagonal, i);
            if constexpr (FivePoint) {
                row.inverse = {jacobiInverse(row.diagonal.x), jacobiInverse(row.diagonal.y)};
            } else {
                row.inverse = loadFloats(l.inverse, i);
                row.southEast = loadFloats(l.southEast, i);
                row.southWest = loadFloats(l.southWest, i);
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
    __device__ __forceinline__ float2 smoothFromZero(float factor, float2 b) const {
        return {factor * (inverse.x * b.x), factor * (inverse.y * b.y)};
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

/// The last rows of the matrix: row[k] is that of k rows before the one that arrived last.
template <bool FivePoint>
struct MatrixRows {
    MatrixRow<FivePoint> row[kSmoothingSteps + 1];

    __device__ __forceinline__ void take(const MatrixRow<FivePoint>& arriving) {
#pragma unroll
        for (int k = kSmoothingSteps; k > 0; --k) row[k] = row[k - 1];
        row[0] = arriving;
    }
};

/// Right-hand side and solution in a row.
struct Equations {
    float2 b{0, 0}, u{0, 0};
};

/// A step of the smoother.
template <bool FivePoint>
struct SmoothedRows {
    float2 lastB{0, 0};
    CoupledRows<FivePoint> coupled;

    /// Takes a row and returns the row before, smoothed. `delay`: rows that arrived after the one taken.
    __device__ __forceinline__ Equations take(float factor, const MatrixRows<FivePoint>& matrix, int delay, const Equations& arriving) {
        const MatrixRow<FivePoint>& before = matrix.row[delay + 1];
        const float2 last = coupled.last, sum = coupled.take(before, matrix.row[delay], arriving.u);
        const Equations result{lastB, before.smooth(factor, lastB, sum, last)};
        lastB = arriving.b;
        return result;
    }
    /// Likewise, but returns the residual.
    __device__ __forceinline__ float2 takeForResidual(const MatrixRows<FivePoint>& matrix, int delay, const Equations& arriving) {
        const MatrixRow<FivePoint>& before = matrix.row[delay + 1];
        const float2 last = coupled.last, sum = coupled.take(before, matrix.row[delay], arriving.u);
        const float2 residual = before.residual(lastB, sum, last);
        lastB = arriving.b;
        return residual;
    }
};

/// Loads a row of a group of channels; 0 outside of the grid.
template <int Channels>
__device__ __forceinline__ void loadRow(const float* array, const Grid& g, const Lane& lane, int y, float2 (&row)[Channels]) {
    const bool inside = lane.inside && y >= 0 && y < g.height;
    const float* const from = array + blockIdx.y * Channels * g.plane() + std::int64_t{y} * g.pitch + lane.x;
#pragma unroll
    for (int channel = 0; channel < Channels; ++channel) row[channel] = inside ? loadFloats(from, channel * g.plane()) : float2{0, 0};
}
/// Behind the end of a row, values are 0.
template <int Channels>
__device__ __forceinline__ void storeRow(float* array, const Grid& g, const Lane& lane, int y, const float2 (&row)[Channels]) {
    if (!lane.writes || y < 2 * lane.begin || y >= min(2 * lane.end, g.height)) return;
    float* const to = array + blockIdx.y * Channels * g.plane() + std::int64_t{y} * g.pitch + lane.x;
#pragma unroll
    for (int channel = 0; channel < Channels; ++channel) *reinterpret_cast<float2*>(to + channel * g.plane()) = row[channel];
}

/// Weights of a coarse sample in its neighbours, in the order of EdgeLevel::spread; 0 outside of the grid.
struct Spreads {
    float of[9] = {};

    __device__ __forceinline__ void load(const EdgeLevel& fine, std::int64_t i, bool inside, int begin, int end) {
#pragma unroll
        for (int k = begin; k < end; ++k)
            if (k != 4) of[k] = inside ? fine.spread[k][i] : 0.0F;
    }
};

/// Smooths from zero: writes z and the right-hand side of the coarser level.
template <bool FivePoint, int Channels>
__global__ __launch_bounds__(kThreads, FivePoint || Channels < 3 ? 3 : 2) void downKernel(SolveArguments a, EdgeLevel fine,
                                                                                          EdgeLevel coarse) {
    const CycleStrips strips = CycleStrips::of(fine.grid);
    if (hasEnded(a) || stripOfWarp() >= strips.count()) return;
    const Lane lane = Lane::of(strips, fine.grid, stripOfWarp());
    SmoothedRows<FivePoint> steps[kSmoothingSteps][Channels];  // the last one computes the residual
    MatrixRows<FivePoint> matrix;
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

/// Interpolates the coarser result.
template <int Channels>
struct Interpolation {
    float value[Channels] = {};  ///< of the coarse row
    Spreads spreads;             ///< of the coarse row

    /// Adds the correction of the present coarse row and of the row below it, then moves on to coarse row `next`.
    __device__ __forceinline__ void take(const EdgeLevel& fine, const EdgeLevel& coarse, const Lane& lane, int next,
                                         float2 (&rows)[2][Channels]) {
        const bool inside = lane.inside && next >= 0 && next < coarse.grid.height;
        const std::int64_t i = std::int64_t{next} * coarse.grid.pitch + (lane.x >> 1);
        const float* const from = coarse.result + blockIdx.y * Channels * coarse.grid.plane() + i;
        Spreads below;
        below.load(fine, i, inside, 0, 9);
#pragma unroll
        for (int channel = 0; channel < Channels; ++channel) {
            const float e = value[channel], ofBelow = inside ? from[channel * coarse.grid.plane()] : 0.0F;
            rows[0][channel].x += e;
            rows[0][channel].y += spreads.of[5] * e + fromRight(spreads.of[3] * e);
            rows[1][channel].x += spreads.of[7] * e + below.of[1] * ofBelow;
            rows[1][channel].y += spreads.of[8] * e + below.of[2] * ofBelow + fromRight(spreads.of[6] * e + below.of[0] * ofBelow);
            value[channel] = ofBelow;
        }
        spreads = below;
    }
};

/// Corrects z by the coarser result and smooths. `Inner`: sums (r . result), too.
template <bool FivePoint, int Channels, bool Inner>
__device__ __forceinline__ void goUp(const EdgeLevel& fine, const EdgeLevel& coarse, const Lane& lane, Sums (&inner)[Channels]) {
    constexpr int halo = (kSmoothingSteps + 1) / 2;  // in rows of the coarser level
    SmoothedRows<FivePoint> steps[kSmoothingSteps][Channels];
    MatrixRows<FivePoint> matrix;
    Interpolation<Channels> interpolation;
    float2 unused[2][Channels] = {};
    interpolation.take(fine, coarse, lane, lane.begin - halo, unused);
    for (int y = lane.begin - halo; y < lane.end + halo; ++y) {
        float2 b[2][Channels], z[2][Channels];
        MatrixRow<FivePoint> rows[2];
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            loadRow(fine.b, fine.grid, lane, 2 * y + k, b[k]);
            loadRow(fine.z, fine.grid, lane, 2 * y + k, z[k]);
            rows[k] = MatrixRow<FivePoint>::load(fine, lane, 2 * y + k);
        }
        interpolation.take(fine, coarse, lane, y + 1, z);
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
