// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of a V-cycle. Red cells have an even sum of coordinates. From zero, the sweep before the coarser level leaves a residual in red
// cells only, which needs the black ones: R = volume * sum of couplings * z. The sweep after it overwrites black cells first. So a level
// reads b and the coarser result, and writes nothing but the coarser right-hand side and z.
#include "gpu/solvers/multigrid/multigrid.hpp"
#include "gpu/solvers/scalars.cuh"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of multigrid could not be started";

// ---- one cell at a time: volumes, thin images, coarse levels ----------------------------------------------------------------------------

struct Cell {
    int x, y, z;
    std::int64_t i;  ///< index in the channel
};

__device__ __forceinline__ float diagonalAt(const MultigridLevel& l, const Cell& c) {
    return l.mass + l.axes[0].before[c.x] + l.axes[0].behind[c.x] + l.axes[1].before[c.y] + l.axes[1].behind[c.y] + l.axes[2].before[c.z] +
           l.axes[2].behind[c.z];
}
__device__ __forceinline__ float volumeAt(const MultigridLevel& l, const Cell& c) {
    return l.axes[0].width[c.x] * l.axes[1].width[c.y] * l.axes[2].width[c.z];
}
/// A singular system has one cell without couplings, on its coarsest level.
__device__ __forceinline__ float solved(float right, float diagonal) { return diagonal > 0 ? __fdividef(right, diagonal) : 0.0F; }

/// The value of a red cell after a sweep from zero.
__device__ __forceinline__ float redFromZero(const MultigridLevel& l, const float* b, const Cell& c) {
    return solved(b[c.i], volumeAt(l, c) * diagonalAt(l, c));
}

/// Sum of couplings times value(neighbour).
template <class Value>
__device__ __forceinline__ float coupled(const MultigridLevel& l, const Cell& c, Value&& value) {
    const Grid& g = l.grid;
    float sum = 0;
    if (c.x > 0) sum += l.axes[0].before[c.x] * value(Cell{c.x - 1, c.y, c.z, c.i - 1});
    if (c.x + 1 < g.width) sum += l.axes[0].behind[c.x] * value(Cell{c.x + 1, c.y, c.z, c.i + 1});
    if (c.y > 0) sum += l.axes[1].before[c.y] * value(Cell{c.x, c.y - 1, c.z, c.i - g.pitch});
    if (c.y + 1 < g.height) sum += l.axes[1].behind[c.y] * value(Cell{c.x, c.y + 1, c.z, c.i + g.pitch});
    if (c.z > 0) sum += l.axes[2].before[c.z] * value(Cell{c.x, c.y, c.z - 1, c.i - g.slice()});
    if (c.z + 1 < g.depth) sum += l.axes[2].behind[c.z] * value(Cell{c.x, c.y, c.z + 1, c.i + g.slice()});
    return sum;
}

/// Interpolates the coarser result.
__device__ __forceinline__ float interpolated(const MultigridLevel& fine, const Grid& coarse, const float* e, const Cell& c) {
    const int at[3] = {c.x, c.y, c.z};
    int place[3][2];
    float weight[3][2];
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        const MultigridAxis& axis = fine.axes[k];
        place[k][0] = axis.coarsened ? at[k] / 2 : at[k];
        place[k][1] = place[k][0] + (at[k] % 2 == 1 ? 1 : -1);
        weight[k][0] = axis.own[at[k]];
        weight[k][1] = axis.other[at[k]];
    }
    float sum = 0;
#pragma unroll
    for (int corner = 0; corner < 8; ++corner) {
        const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        const float w = weight[0][i] * weight[1][j] * weight[2][k];
        if (w != 0) sum += w * e[coarse.at(place[0][i], place[1][j], place[2][k], 0)];
    }
    return sum;
}

/// Calls visit(cell) for the cells of one colour, or of both (colour 2), that thread `thread` of `threads` takes.
template <class Visit>
__device__ __forceinline__ void visitCells(const Grid& g, int colour, std::int64_t thread, std::int64_t threads, Visit&& visit) {
    const auto across = static_cast<unsigned>(colour == 2 ? g.width : (g.width + 1) / 2);
    const std::int64_t all = std::int64_t{across} * g.height * g.depth;
    for (std::int64_t n = thread; n < all; n += threads) {
        const auto row = static_cast<unsigned>(n / across);
        const int column = static_cast<int>(n - std::int64_t{row} * across);
        const int y = static_cast<int>(row % static_cast<unsigned>(g.height)), z = static_cast<int>(row / static_cast<unsigned>(g.height));
        const int x = colour == 2 ? column : 2 * column + ((y + z + colour) & 1);
        if (x < g.width) visit(Cell{x, y, z, g.at(x, y, z, 0)});
    }
}

enum class Step { blackFromZero, redResidual, restrict, redCorrected, black, red };

/// One step of the cells of one channel.
__device__ __forceinline__ void takeStep(Step step, const MultigridLevel& fine, const MultigridLevel& coarse, int channel,
                                         std::int64_t thread, std::int64_t threads) {
    const float* const b = fine.b + channel * fine.grid.plane();
    float* const z = fine.z + channel * fine.grid.plane();
    switch (step) {
        case Step::blackFromZero:
            visitCells(fine.grid, 1, thread, threads, [&](const Cell& c) {
                const float sum = coupled(fine, c, [&](const Cell& n) { return redFromZero(fine, b, n); });
                z[c.i] = solved(__fdividef(b[c.i], volumeAt(fine, c)) + sum, diagonalAt(fine, c));
            });
            break;
        case Step::redResidual:
            visitCells(fine.grid, 0, thread, threads,
                       [&](const Cell& c) { z[c.i] = volumeAt(fine, c) * coupled(fine, c, [&](const Cell& n) { return z[n.i]; }); });
            break;
        case Step::restrict: {
            float* const to = coarse.b + channel * coarse.grid.plane();
            visitCells(coarse.grid, 2, thread, threads, [&](const Cell& c) {
                const int at[3] = {c.x, c.y, c.z}, cells[3] = {fine.grid.width, fine.grid.height, fine.grid.depth};
                int begin[3], end[3];
#pragma unroll
                for (int k = 0; k < 3; ++k) {
                    begin[k] = fine.axes[k].coarsened ? max(2 * at[k] - 1, 0) : at[k];
                    end[k] = fine.axes[k].coarsened ? min(2 * at[k] + 3, cells[k]) : at[k] + 1;
                }
                const auto weight = [&](int k, int i) {
                    const MultigridAxis& axis = fine.axes[k];
                    return !axis.coarsened || i / 2 == at[k] ? axis.own[i] : axis.other[i];
                };
                float sum = 0;
                for (int fz = begin[2]; fz < end[2]; ++fz)
                    for (int fy = begin[1]; fy < end[1]; ++fy) {
                        const float ofRow = weight(2, fz) * weight(1, fy);
                        for (int fx = begin[0] + ((begin[0] + fy + fz) & 1); fx < end[0]; fx += 2)
                            sum += ofRow * weight(0, fx) * z[fine.grid.at(fx, fy, fz, 0)];
                    }
                to[c.i] = sum;
            });
            break;
        }
        case Step::redCorrected: {
            const float* const e = coarse.z + channel * coarse.grid.plane();
            visitCells(fine.grid, 0, thread, threads,
                       [&](const Cell& c) { z[c.i] = redFromZero(fine, b, c) + interpolated(fine, coarse.grid, e, c); });
            break;
        }
        case Step::black:
        case Step::red:
            visitCells(fine.grid, step == Step::black ? 1 : 0, thread, threads, [&](const Cell& c) {
                const float sum = coupled(fine, c, [&](const Cell& n) { return z[n.i]; });
                z[c.i] = solved(__fdividef(b[c.i], volumeAt(fine, c)) + sum, diagonalAt(fine, c));
            });
            break;
    }
}

__global__ __launch_bounds__(kSolverThreads) void stepKernel(SolveArguments a, Step step, MultigridLevel fine, MultigridLevel coarse) {
    if (hasEnded(a)) return;
    takeStep(step, fine, coarse, static_cast<int>(blockIdx.y), std::int64_t{blockIdx.x} * kSolverThreads + threadIdx.x,
             std::int64_t{gridDim.x} * kSolverThreads);
}

constexpr int kTailThreads = 512;

/// All levels of the tail, one block for each channel.
__global__ __launch_bounds__(kTailThreads) void tailKernel(SolveArguments a, const MultigridTail* tail) {
    if (hasEnded(a)) return;
    const int last = tail->count - 1, channel = static_cast<int>(blockIdx.y);
    const auto take = [&](Step step, int level) {
        takeStep(step, tail->levels[level], tail->levels[level + 1], channel, threadIdx.x, kTailThreads);
        __syncthreads();
    };
    for (int level = 0; level < last; ++level) {
        take(Step::blackFromZero, level);
        take(Step::redResidual, level);
        take(Step::restrict, level);
    }
    if (threadIdx.x == 0) {
        const MultigridLevel& coarsest = tail->levels[last];
        const std::int64_t i = channel * coarsest.grid.plane();
        coarsest.z[i] = redFromZero(coarsest, coarsest.b + i, Cell{0, 0, 0, 0});
    }
    __syncthreads();
    for (int level = last - 1; level >= 0; --level) {
        take(Step::redCorrected, level);
        take(Step::black, level);
        take(Step::red, level);
    }
}

__global__ __launch_bounds__(kSolverThreads) void innerKernel(SolveArguments a, MultigridLevel finest) {
    if (hasEnded(a)) return;
    Sums sums;
    const std::int64_t offset = blockIdx.y * finest.grid.plane();
    visitCells(finest.grid, 2, std::int64_t{blockIdx.x} * kSolverThreads + threadIdx.x, std::int64_t{gridDim.x} * kSolverThreads,
               [&](const Cell& c) { sums.a += static_cast<double>(finest.b[offset + c.i]) * static_cast<double>(finest.z[offset + c.i]); });
    sumOverBlocks(
        a, sums, [&](int channel, const Sums& s) { setInner(a, channel, s.a); }, [] {});
}

// ---- tiles of images ----------------------------------------------------------------------------------------------------------------

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

template <class Coefficients>
__device__ __forceinline__ void goDown(const Coefficients& c, const MultigridLevel& fine, const MultigridLevel& coarse,
                                       const TileOrigin& origin, bool even, float* cells) {
    constexpr int margin = 3;
    using T = Tile<margin>;
    const Grid& g = fine.grid;
    loadTile<margin>(g, fine.b + blockIdx.y * g.plane(), origin.x - margin, origin.y - margin, even, cells, [&](int x, int y, float b) {
        const float v = c.perVolume(b, x, y);
        return ((x + y) & 1) == 0 ? c.solve(v, x, y) : v;
    });
    __syncthreads();
    // Cells outside stay 0: the border couples those inside to them.
    visitColour<margin, 1>(cells, 1, [&](int x, int y, float* cell) {
        if (c.contains(x, y)) *cell = c.solve(*cell + c.coupled(cell, x, y), x, y);
    });
    __syncthreads();
    visitColour<margin, 2>(
        cells, 0, [&](int x, int y, float* cell) { *cell = c.contains(x, y) ? c.timesVolume(c.coupled(cell, x, y), x, y) : 0.0F; });
    __syncthreads();
    float* const to = coarse.b + blockIdx.y * coarse.grid.plane();
    const int column = static_cast<int>(threadIdx.x) % 32, coarseX = origin.x / 2 + column;
    if (column >= kTileWidth / 2 || coarseX >= coarse.grid.width) return;
    const int x = margin - 1 + 2 * column;
    const float weights[4] = {c.otherX(x), c.ownX(x + 1), c.ownX(x + 2), c.otherX(x + 3)};
    for (int row = static_cast<int>(threadIdx.x) / 32; row < kTileHeight / 2; row += kSolverThreads / 32) {
        const int coarseY = origin.y / 2 + row, y = margin - 1 + 2 * row;
        if (coarseY >= coarse.grid.height) break;
        const float* const corner = cells + y * T::pitch + x;  // of a window of 4 x 4; a red cell
        const float sum = c.otherY(y) * (weights[0] * corner[0] + weights[2] * corner[2]) +
                          c.ownY(y + 1) * (weights[1] * corner[T::pitch + 1] + weights[3] * corner[T::pitch + 3]) +
                          c.ownY(y + 2) * (weights[0] * corner[2 * T::pitch] + weights[2] * corner[2 * T::pitch + 2]) +
                          c.otherY(y + 3) * (weights[1] * corner[3 * T::pitch + 1] + weights[3] * corner[3 * T::pitch + 3]);
        to[std::int64_t{coarseY} * coarse.grid.pitch + coarseX] = sum;
    }
}

__global__ __launch_bounds__(kSolverThreads) void tileDownKernel(SolveArguments a, MultigridLevel fine, MultigridLevel coarse) {
    if (hasEnded(a)) return;
    constexpr int margin = 3;
    using T = Tile<margin>;
    __shared__ float cells[T::pitch * T::height];
    __shared__ TileAxis<T::width> alongX;
    __shared__ TileAxis<T::height> alongY;
    const TileOrigin origin = tileOrigin(fine.grid);
    if (EvenTile<margin>::is(fine, origin.x - margin, origin.y - margin)) {
        goDown(EvenTile<margin>::of(fine), fine, coarse, origin, true, cells);
        return;
    }
    alongX.load(fine.axes[0], origin.x - margin, fine.grid.width);
    alongY.load(fine.axes[1], origin.y - margin, fine.grid.height);
    __syncthreads();
    goDown(UnevenTile<margin>{alongX, alongY, fine.mass}, fine, coarse, origin, false, cells);
}

/// Returns the part of this thread in (r . z).
template <bool Inner, class Coefficients>
__device__ __forceinline__ double goUp(const Coefficients& c, const MultigridLevel& fine, const MultigridLevel& coarse,
                                       const TileOrigin& origin, bool even, float* cells) {
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
        if constexpr (Inner) inner += static_cast<double>(right.x * result.x) + (both ? static_cast<double>(right.y * result.y) : 0.0);
    }
    return inner;
}

template <bool Inner>
__global__ __launch_bounds__(kSolverThreads) void tileUpKernel(SolveArguments a, MultigridLevel fine, MultigridLevel coarse) {
    if (hasEnded(a)) return;
    constexpr int margin = 2;
    using T = Tile<margin>;
    __shared__ float cells[T::pitch * T::height];
    __shared__ TileAxis<T::width> alongX;
    __shared__ TileAxis<T::height> alongY;
    const TileOrigin origin = tileOrigin(fine.grid);
    Sums sums;
    if (EvenTile<margin>::is(fine, origin.x - margin, origin.y - margin)) {
        sums.a = goUp<Inner>(EvenTile<margin>::of(fine), fine, coarse, origin, true, cells);
    } else {
        alongX.load(fine.axes[0], origin.x - margin, fine.grid.width);
        alongY.load(fine.axes[1], origin.y - margin, fine.grid.height);
        __syncthreads();
        sums.a = goUp<Inner>(UnevenTile<margin>{alongX, alongY, fine.mass}, fine, coarse, origin, false, cells);
    }
    if constexpr (Inner)
        sumOverBlocks(
            a, sums, [&](int channel, const Sums& s) { setInner(a, channel, s.a); }, [] {});
}

bool takesTiles(const MultigridLevel& l) { return l.grid.depth == 1 && l.axes[0].coarsened && l.axes[1].coarsened; }

dim3 tileGrid(const Grid& g) { return {multigridTiles(g), static_cast<unsigned>(g.channels)}; }
dim3 cellGrid(const Grid& g) {
    constexpr std::int64_t most = 2048;
    const std::int64_t blocks = (g.samples() / 2 + kSolverThreads) / kSolverThreads;
    return {static_cast<unsigned>(blocks < most ? blocks : most), static_cast<unsigned>(g.channels)};
}

void launchStep(Step step, const SolveArguments& a, const MultigridLevel& fine, const MultigridLevel& coarse, cudaStream_t stream) {
    stepKernel<<<cellGrid(step == Step::restrict ? coarse.grid : fine.grid), kSolverThreads, 0, stream>>>(a, step, fine, coarse);
    checkLaunch(kFailed);
}

}  // namespace

void launchMultigridDown(const SolveArguments& a, const MultigridLevel& fine, const MultigridLevel& coarse, cudaStream_t stream) {
    if (takesTiles(fine)) {
        tileDownKernel<<<tileGrid(fine.grid), kSolverThreads, 0, stream>>>(a, fine, coarse);
        checkLaunch(kFailed);
        return;
    }
    for (const Step step : {Step::blackFromZero, Step::redResidual, Step::restrict}) launchStep(step, a, fine, coarse, stream);
}

void launchMultigridUp(const SolveArguments& a, const MultigridLevel& fine, const MultigridLevel& coarse, bool sums, cudaStream_t stream) {
    if (takesTiles(fine)) {
        if (sums) tileUpKernel<true><<<tileGrid(fine.grid), kSolverThreads, 0, stream>>>(a, fine, coarse);
        else tileUpKernel<false><<<tileGrid(fine.grid), kSolverThreads, 0, stream>>>(a, fine, coarse);
        checkLaunch(kFailed);
        return;
    }
    for (const Step step : {Step::redCorrected, Step::black, Step::red}) launchStep(step, a, fine, coarse, stream);
}

bool multigridUpComputesInner(const MultigridLevel& finest) { return takesTiles(finest); }

void launchMultigridTail(const SolveArguments& a, const MultigridTail* tail, cudaStream_t stream) {
    tailKernel<<<dim3{1, static_cast<unsigned>(a.grid.channels)}, kTailThreads, 0, stream>>>(a, tail);
    checkLaunch(kFailed);
}

void launchMultigridInner(const SolveArguments& a, const MultigridLevel& finest, cudaStream_t stream) {
    innerKernel<<<cellGrid(finest.grid), kSolverThreads, 0, stream>>>(a, finest);
    checkLaunch(kFailed);
}

unsigned multigridTiles(const Grid& g) {
    return static_cast<unsigned>((g.width + kTileWidth - 1) / kTileWidth) *
           static_cast<unsigned>((g.height + kTileHeight - 1) / kTileHeight);
}

void preloadMultigrid() {
    preload(stepKernel);
    preload(tailKernel);
    preload(innerKernel);
    preload(tileDownKernel);
    preload(tileUpKernel<false>);
    preload(tileUpKernel<true>);
}

}  // namespace parallax::gpu
