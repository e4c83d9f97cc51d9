// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of a V-cycle. Red cells have an even sum of coordinates. From zero, the sweep before the coarser level leaves a residual in red
// cells only, which needs the black ones: R = volume * sum of couplings * z. The sweep after it overwrites black cells first. So a level
// reads b and the coarser result, and writes nothing but the coarser right-hand side and z.
#include "gpu/solvers/multigrid/multigrid.hpp"
#include "gpu/solvers/multigrid/tiles.cuh"

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

bool takesTiles(const MultigridLevel& l) { return l.grid.depth == 1 && l.axes[0].coarsened && l.axes[1].coarsened; }

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
        if (sums) tileUpKernel<ResultAndSums><<<tileGrid(fine.grid), kSolverThreads, 0, stream>>>(a, ResultAndSums{}, fine, coarse);
        else tileUpKernel<ResultAlone><<<tileGrid(fine.grid), kSolverThreads, 0, stream>>>(a, ResultAlone{}, fine, coarse);
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
    preload(tileUpKernel<ResultAlone>);
    preload(tileUpKernel<ResultAndSums>);
}

}  // namespace parallax::gpu
