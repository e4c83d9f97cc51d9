// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the kernels of the V-cycle of edge_multigrid.hpp. A warp takes a strip of columns, two per lane, and runs down its rows. Each
// step (smoothing, residual, restriction) follows one row behind the step before it, with its rows in registers and the neighbours along x
// from shuffles. Neighbouring strips both compute what lies in their halos. Couplings are loaded once for all channels of a group.
#pragma once

#include <type_traits>

#include "gpu/solvers/edge_multigrid.hpp"
#include "gpu/solvers/edge_smoothing.cuh"
#include "gpu/solvers/scalars.cuh"

namespace parallax::gpu {

/// Cuts a level into strips, by its size alone, so that sums have the same order on every device. `Steps`: of the smoother.
template <int Steps>
struct CycleStrips {
    static constexpr int kHaloLanes = (Steps + 2) / 2, kColumns = 64 - 4 * kHaloLanes;
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

    template <class Strips>
    __device__ __forceinline__ static Lane of(const Strips& strips, const Grid& g, std::int64_t strip) {
        constexpr int halo = Strips::kHaloLanes;
        const int lane = static_cast<int>(threadIdx.x) % 32;
        const int band = static_cast<int>(strip / strips.across), column = static_cast<int>(strip % strips.across);
        Lane l;
        l.x = column * Strips::kColumns + 2 * (lane - halo);
        l.begin = band * strips.pairs;
        l.end = min(l.begin + strips.pairs, (g.height + 1) / 2);
        l.inside = l.x >= 0 && l.x < g.width;
        l.writes = l.inside && lane >= halo && lane < 32 - halo;
        return l;
    }
};
/// `Threads`: of a block.
template <int Threads>
__device__ __forceinline__ std::int64_t stripOfWarp() {
    return std::int64_t{blockIdx.x} * (Threads / 32) + threadIdx.x / 32;
}

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
    /// A row of the finest level. All lanes must call it.
    __device__ __forceinline__ static MatrixRow of(float2 east, float2 south, float2 diagonal) {
        static_assert(FivePoint);
        MatrixRow row;
        row.east = east;
        row.south = south;
        row.diagonal = diagonal;
        row.inverse = {jacobiInverse(diagonal.x), jacobiInverse(diagonal.y)};
        row.west = fromLeft(east.y);
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
            return {rest * u.x + (factor * inverse.x) * (b.x + coupled.x), rest * u.y + (factor * inverse.y) * (b.y + coupled.y)};
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
template <bool FivePoint, int Steps>
struct MatrixRows {
    MatrixRow<FivePoint> row[Steps + 1];

    __device__ __forceinline__ void take(const MatrixRow<FivePoint>& arriving) {
#pragma unroll
        for (int k = Steps; k > 0; --k) row[k] = row[k - 1];
        row[0] = arriving;
    }
};

/// Right-hand side and solution in a row.
struct Equations {
    float2 b{0, 0}, u{0, 0};
};

/// A step of the smoother.
template <bool FivePoint, int Steps>
struct SmoothedRows {
    float2 lastB{0, 0};
    CoupledRows<FivePoint> coupled;

    /// Takes a row and returns the row before, smoothed. `delay`: rows that arrived after the one taken.
    __device__ __forceinline__ Equations take(float factor, const MatrixRows<FivePoint, Steps>& matrix, int delay,
                                              const Equations& arriving) {
        const MatrixRow<FivePoint>& before = matrix.row[delay + 1];
        const float2 last = coupled.last, sum = coupled.take(before, matrix.row[delay], arriving.u);
        const Equations result{lastB, before.smooth(factor, lastB, sum, last)};
        lastB = arriving.b;
        return result;
    }
    /// Likewise, but returns the residual.
    __device__ __forceinline__ float2 takeForResidual(const MatrixRows<FivePoint, Steps>& matrix, int delay, const Equations& arriving) {
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

/// Result of the coarser level and its weights in a row.
template <int Channels>
struct CoarseRow {
    float value[Channels] = {};
    Spreads spreads;

    __device__ __forceinline__ static CoarseRow load(const EdgeLevel& fine, const EdgeLevel& coarse, const Lane& lane, int y) {
        const bool inside = lane.inside && y >= 0 && y < coarse.grid.height;
        const std::int64_t i = std::int64_t{y} * coarse.grid.pitch + (lane.x >> 1);
        const float* const from = coarse.result + blockIdx.y * Channels * coarse.grid.plane() + i;
        CoarseRow row;
        row.spreads.load(fine, i, inside, 0, 9);
#pragma unroll
        for (int channel = 0; channel < Channels; ++channel) row.value[channel] = inside ? from[channel * coarse.grid.plane()] : 0.0F;
        return row;
    }
};

/// Adds what two rows of a level get from the coarse row of the first one and from the next coarse row.
template <int Channels>
__device__ __forceinline__ void interpolate(const CoarseRow<Channels>& present, const CoarseRow<Channels>& below,
                                            float2 (&rows)[2][Channels]) {
    const Spreads &s = present.spreads, &t = below.spreads;
#pragma unroll
    for (int channel = 0; channel < Channels; ++channel) {
        const float e = present.value[channel], ofBelow = below.value[channel];
        rows[0][channel].x += e;
        rows[0][channel].y += s.of[5] * e + fromRight(s.of[3] * e);
        rows[1][channel].x += s.of[7] * e + t.of[1] * ofBelow;
        rows[1][channel].y += s.of[8] * e + t.of[2] * ofBelow + fromRight(s.of[6] * e + t.of[0] * ofBelow);
    }
}

/// Calls launch(channels, groups) with the number of channels that a block takes as a constant.
template <class Launch>
void launchForChannels(const Grid& g, Launch&& launch) {
    const auto groups = [&](int channels) { return static_cast<unsigned>(g.channels / channels); };
    if (g.channels % 3 == 0) launch(std::integral_constant<int, 3>(), groups(3));
    else if (g.channels % 2 == 0) launch(std::integral_constant<int, 2>(), groups(2));
    else launch(std::integral_constant<int, 1>(), groups(1));
}

}  // namespace parallax::gpu
