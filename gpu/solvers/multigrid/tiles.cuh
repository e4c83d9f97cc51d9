// SPDX-License-Identifier: GPL-3.0-or-later
// Levels of images whose rows and columns are both coarsened: one kernel down and one up, by tiles in shared memory.
#pragma once

#include "gpu/solvers/iteration.cuh"
#include "gpu/solvers/multigrid/multigrid.hpp"

namespace parallax::gpu {

/// A singular system has one cell without couplings, on its coarsest level.
__device__ __forceinline__ float solved(float right, float diagonal) { return diagonal > 0 ? __fdividef(right, diagonal) : 0.0F; }

/// Widths and heights for which few lanes and warps are idle: with the margins of both kernels, half a row has at most 32 cells.
constexpr int kTileWidth = 58, kTileHeight = 44;

/// Sizes of a tile in shared memory, with a margin of cells around it.
template <int Margin>
struct Tile {
    static constexpr int width = kTileWidth + 2 * Margin, height = kTileHeight + 2 * Margin;
    static constexpr int pitch = width + 1;
};

/// Entries of the tables of an axis for the cells of a tile.
template <int Cells>
struct TileAxis {
    float before[Cells], behind[Cells], inverse[Cells], own[Cells], other[Cells];  ///< `inverse` of the width; all 0 outside of the grid

    __device__ __forceinline__ void load(const MultigridAxis& axis, int first, int cells) {
        for (int i = static_cast<int>(threadIdx.x); i < Cells; i += kSolverThreads) {
            const int at = first + i;
            const bool inside = at >= 0 && at < cells;
            before[i] = inside ? axis.before[at] : 0;
            behind[i] = inside ? axis.behind[at] : 0;
            inverse[i] = inside ? __fdividef(1.0F, axis.width[at]) : 0;
            own[i] = inside ? axis.own[at] : 0;
            other[i] = inside ? axis.other[at] : 0;
        }
    }
};

/// Coefficients of a tile at the border of the image, or in a level whose cells there differ.
template <int Margin>
struct UnevenTile {
    using T = Tile<Margin>;
    const TileAxis<T::width>& alongX;
    const TileAxis<T::height>& alongY;
    float mass;

    __device__ __forceinline__ bool contains(int x, int y) const { return alongX.inverse[x] * alongY.inverse[y] > 0; }
    __device__ __forceinline__ float perVolume(float b, int x, int y) const { return b * (alongX.inverse[x] * alongY.inverse[y]); }
    __device__ __forceinline__ float timesVolume(float v, int x, int y) const {
        return __fdividef(v, alongX.inverse[x] * alongY.inverse[y]);
    }
    __device__ __forceinline__ float solve(float right, int x, int y) const {
        return solved(right, mass + (alongX.before[x] + alongX.behind[x]) + (alongY.before[y] + alongY.behind[y]));
    }
    __device__ __forceinline__ float coupled(const float* c, int x, int y) const {
        return alongX.before[x] * c[-1] + alongX.behind[x] * c[1] + alongY.before[y] * c[-T::pitch] + alongY.behind[y] * c[T::pitch];
    }
    __device__ __forceinline__ float ownX(int x) const { return alongX.own[x]; }
    __device__ __forceinline__ float otherX(int x) const { return alongX.other[x]; }
    __device__ __forceinline__ float ownY(int y) const { return alongY.own[y]; }
    __device__ __forceinline__ float otherY(int y) const { return alongY.other[y]; }
};

/// Coefficients of a tile whose cells, margin included, are alike.
template <int Margin>
struct EvenTile {
    float couplingX, couplingY, inverseVolume, volume, inverseDiagonal, ownOfX, otherOfX, ownOfY, otherOfY;

    __device__ __forceinline__ static bool is(const MultigridLevel& l, int firstX, int firstY) {
        const MultigridAxis &x = l.axes[0], &y = l.axes[1];
        return firstX >= x.evenBegin && firstX + Tile<Margin>::width <= x.evenEnd && firstY >= y.evenBegin &&
               firstY + Tile<Margin>::height <= y.evenEnd;
    }
    __device__ __forceinline__ static EvenTile of(const MultigridLevel& l) {
        const MultigridAxis &x = l.axes[0], &y = l.axes[1];
        const int i = x.evenBegin, j = y.evenBegin;
        const float volume = x.width[i] * y.width[j];
        return {x.before[i], y.before[j], 1 / volume, volume,    1 / (l.mass + 2 * (x.before[i] + y.before[j])),
                x.own[i],    x.other[i],  y.own[j],   y.other[j]};
    }
    __device__ __forceinline__ bool contains(int, int) const { return true; }
    __device__ __forceinline__ float perVolume(float b, int, int) const { return b * inverseVolume; }
    __device__ __forceinline__ float timesVolume(float v, int, int) const { return v * volume; }
    __device__ __forceinline__ float solve(float right, int, int) const { return right * inverseDiagonal; }
    __device__ __forceinline__ float coupled(const float* c, int, int) const {
        constexpr int pitch = Tile<Margin>::pitch;
        return couplingX * (c[-1] + c[1]) + couplingY * (c[-pitch] + c[pitch]);
    }
    __device__ __forceinline__ float ownX(int) const { return ownOfX; }
    __device__ __forceinline__ float otherX(int) const { return otherOfX; }
    __device__ __forceinline__ float ownY(int) const { return ownOfY; }
    __device__ __forceinline__ float otherY(int) const { return otherOfY; }
};

/// Calls visit(x, y, cell) for the cells of a colour that are at least `From` cells away from the tile's border.
template <int Margin, int From, class Visit>
__device__ __forceinline__ void visitColour(float* cells, int colour, Visit&& visit) {
    constexpr int rows = Tile<Margin>::height - 2 * From, columns = (Tile<Margin>::width - 2 * From) / 2;
    static_assert(columns <= 32);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (lane >= columns) return;
    for (int row = static_cast<int>(threadIdx.x) / 32; row < rows; row += kSolverThreads / 32) {
        const int y = From + row;
        const int x = From + 2 * lane + ((y + From + colour) & 1);
        visit(x, y, cells + y * Tile<Margin>::pitch + x);
    }
}

struct TileOrigin {
    int x, y;  ///< both even
};
__device__ __forceinline__ TileOrigin tileOrigin(const Grid& g) {
    const auto across = static_cast<unsigned>((g.width + kTileWidth - 1) / kTileWidth);
    const unsigned row = blockIdx.x / across;
    return {static_cast<int>(blockIdx.x - row * across) * kTileWidth, static_cast<int>(row) * kTileHeight};
}

/// Calls visit(x, y, cell, b) for all cells of the tile, with b = 0 outside of the grid.
template <int Margin, class Visit>
__device__ __forceinline__ void loadTile(const Grid& g, const float* b, int firstX, int firstY, bool even, float* cells, Visit&& visit) {
    using T = Tile<Margin>;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int y = static_cast<int>(threadIdx.x) / 32; y < T::height; y += kSolverThreads / 32) {
        const float* const row = b + std::int64_t{firstY + y} * g.pitch + firstX;
        const bool insideY = even || (firstY + y >= 0 && firstY + y < g.height);
#pragma unroll
        for (int x = lane; x < T::width; x += 32) {
            const bool inside = even || (insideY && firstX + x >= 0 && firstX + x < g.width);
            cells[y * T::pitch + x] = inside ? visit(x, y, row[x]) : 0.0F;
        }
    }
}

/// The way up computes z alone.
struct ResultAlone {
    static constexpr bool kSums = false;
};
/// (r . z) of the whole image.
struct ResultAndSums {
    static constexpr bool kSums = true;
    OneDevice links;
    __device__ bool counts(int) const { return true; }
    __device__ void visit(int, int, int, float2, bool) const {}
};

/// Returns the part of this thread in (r . z).
template <class Besides, class Coefficients>
__device__ __forceinline__ double goUp(const Besides& besides, const Coefficients& c, const MultigridLevel& fine,
                                       const MultigridLevel& coarse, const TileOrigin& origin, bool even, float* cells) {
    constexpr int margin = 2;
    using T = Tile<margin>;
    const Grid& g = fine.grid;
    const float* const b = fine.b + blockIdx.y * g.plane();
    const float* const e = coarse.z + blockIdx.y * coarse.grid.plane();
    const int firstX = origin.x - margin, firstY = origin.y - margin;
    loadTile<margin>(g, b, firstX, firstY, even, cells, [&](int x, int y, float ofCell) {
        const float v = c.perVolume(ofCell, x, y);
        if (((x + y) & 1) != 0) return v;
        const int gx = firstX + x, gy = firstY + y;
        const float otherX = c.otherX(x), otherY = c.otherY(y);
        // Without another coarse cell the weight is 0, and the own one is read again.
        const int besideX = otherX != 0 ? ((gx & 1) != 0 ? 1 : -1) : 0, besideY = otherY != 0 ? ((gy & 1) != 0 ? 1 : -1) : 0;
        const float* const near = e + std::int64_t{gy >> 1} * coarse.grid.pitch + (gx >> 1);
        const float* const far = near + besideY * coarse.grid.pitch;
        return c.solve(v, x, y) + c.ownY(y) * (c.ownX(x) * near[0] + otherX * near[besideX]) +
               otherY * (c.ownX(x) * far[0] + otherX * far[besideX]);
    });
    __syncthreads();
    visitColour<margin, 1>(cells, 1, [&](int x, int y, float* cell) {
        if (c.contains(x, y)) *cell = c.solve(*cell + c.coupled(cell, x, y), x, y);
    });
    __syncthreads();
    float* const z = fine.z + blockIdx.y * g.plane();
    double inner = 0;
    const int column = 2 * (static_cast<int>(threadIdx.x) % 32), gx = origin.x + column;
    if (column >= kTileWidth || gx >= g.width) return inner;
    for (int row = static_cast<int>(threadIdx.x) / 32; row < kTileHeight; row += kSolverThreads / 32) {
        const int gy = origin.y + row;
        if (gy >= g.height) break;
        const int x = margin + column, y = margin + row, red = row & 1;  // the red one of two columns
        const std::int64_t at = std::int64_t{gy} * g.pitch + gx;
        const float2 right = *reinterpret_cast<const float2*>(b + at);  // behind the last column lies padding
        const float* const cell = cells + y * T::pitch + x + red;
        const float ofRed = c.solve(c.perVolume(red == 0 ? right.x : right.y, x + red, y) + c.coupled(cell, x + red, y), x + red, y);
        const float ofBlack = cell[1 - 2 * red];
        const float2 result = red == 0 ? float2{ofRed, ofBlack} : float2{ofBlack, ofRed};
        const bool both = gx + 1 < g.width;
        if (both) *reinterpret_cast<float2*>(z + at) = result;
        else z[at] = result.x;
        if constexpr (Besides::kSums) {
            if (!besides.counts(gy)) continue;
            inner += static_cast<double>(right.x * result.x) + (both ? static_cast<double>(right.y * result.y) : 0.0);
            besides.visit(static_cast<int>(blockIdx.y), gx, gy, result, both);
        }
    }
    return inner;
}

template <class Besides>
__global__ __launch_bounds__(kSolverThreads, 6) void tileUpKernel(SolveArguments a, const __grid_constant__ Besides besides,
                                                                  MultigridLevel fine, MultigridLevel coarse) {
    if (hasEnded(a)) return;
    constexpr int margin = 2;
    using T = Tile<margin>;
    __shared__ float cells[T::pitch * T::height];
    __shared__ TileAxis<T::width> alongX;
    __shared__ TileAxis<T::height> alongY;
    const TileOrigin origin = tileOrigin(fine.grid);
    Sums sums;
    if (EvenTile<margin>::is(fine, origin.x - margin, origin.y - margin)) {
        sums.a = goUp(besides, EvenTile<margin>::of(fine), fine, coarse, origin, true, cells);
    } else {
        alongX.load(fine.axes[0], origin.x - margin, fine.grid.width);
        alongY.load(fine.axes[1], origin.y - margin, fine.grid.height);
        __syncthreads();
        sums.a = goUp(besides, UnevenTile<margin>{alongX, alongY, fine.mass}, fine, coarse, origin, false, cells);
    }
    if constexpr (Besides::kSums)
        sumOverAll(
            a, besides.links, BlockShare::byGrid(), sums, [&](int channel, const Sums& s) { setInner(a, channel, s.a); }, [] {});
}

inline dim3 tileGrid(const Grid& g) { return {multigridTiles(g), static_cast<unsigned>(g.channels)}; }

}  // namespace parallax::gpu
