// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of a V-cycle. Red cells have an even sum of coordinates. From zero, the sweep before the coarser level leaves a residual in red cells
// only, which needs the black ones: R = volume * sum of couplings * z. The sweep after it overwrites black cells first. So a level reads b
// and the coarser result, and writes nothing but the coarser right-hand side and z.
#include "gpu/solvers/multigrid.hpp"
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
            visitCells(fine.grid, 0, thread, threads, [&](const Cell& c) {
                z[c.i] = volumeAt(fine, c) * coupled(fine, c, [&](const Cell& n) { return z[n.i]; });
            });
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

constexpr int kTileWidth = 64, kTileHeight = 32;

/// A tile of a level in shared memory, with a margin of cells around it.
template <int Margin>
struct Tile {
    static constexpr int width = kTileWidth + 2 * Margin, height = kTileHeight + 2 * Margin;
    static constexpr int pitch = width + 1;

    /// Couplings along both axes and the inverse of the width, of the columns and rows of the tile.
    struct Axes {
        float before[width], behind[width], inverse[width];
    };
};

template <int Margin, int Cells>
__device__ __forceinline__ void loadAxis(const MultigridAxis& axis, int first, int cells, float* before, float* behind, float* inverse) {
    for (int i = static_cast<int>(threadIdx.x); i < Cells; i += kSolverThreads) {
        const int at = first + i;
        const bool inside = at >= 0 && at < cells;
        before[i] = inside ? axis.before[at] : 0;
        behind[i] = inside ? axis.behind[at] : 0;
        inverse[i] = inside ? __fdividef(1.0F, axis.width[at]) : 0;
    }
}

/// Calls visit(x, y, i) for the cells of a colour that are at least `From` cells away from the tile's border; i is the index in the tile.
/// The tile begins at an even sum of coordinates plus Margin twice.
template <int Margin, int From, class Visit>
__device__ __forceinline__ void visitColour(int colour, Visit&& visit) {
    constexpr int rows = Tile<Margin>::height - 2 * From, columns = (Tile<Margin>::width - 2 * From) / 2;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int row = static_cast<int>(threadIdx.x) / 32; row < rows; row += kSolverThreads / 32) {
        const int y = From + row;
        for (int column = lane; column < columns; column += 32) {
            const int x = From + 2 * column + ((y + From + colour) & 1);
            visit(x, y, y * Tile<Margin>::pitch + x);
        }
    }
}

struct TileOrigin {
    int x, y;
};
__device__ __forceinline__ TileOrigin tileOrigin(const Grid& g) {
    const auto across = static_cast<unsigned>((g.width + kTileWidth - 1) / kTileWidth);
    const unsigned row = blockIdx.x / across;
    return {static_cast<int>(blockIdx.x - row * across) * kTileWidth, static_cast<int>(row) * kTileHeight};
}

__global__ __launch_bounds__(kSolverThreads) void tileDownKernel(SolveArguments a, MultigridLevel fine, MultigridLevel coarse) {
    if (hasEnded(a)) return;
    constexpr int margin = 3;
    using T = Tile<margin>;
    __shared__ float cells[T::pitch * T::height];
    __shared__ float beforeX[T::width], behindX[T::width], inverseX[T::width];
    __shared__ float beforeY[T::height], behindY[T::height], inverseY[T::height];
    const Grid& g = fine.grid;
    const TileOrigin origin = tileOrigin(g);
    const int firstX = origin.x - margin, firstY = origin.y - margin;
    loadAxis<margin, T::width>(fine.axes[0], firstX, g.width, beforeX, behindX, inverseX);
    loadAxis<margin, T::height>(fine.axes[1], firstY, g.height, beforeY, behindY, inverseY);
    const float* const b = fine.b + blockIdx.y * g.plane();
    __syncthreads();
    const auto diagonal = [&](int x, int y) { return fine.mass + (beforeX[x] + behindX[x]) + (beforeY[y] + behindY[y]); };
    const auto coupledAt = [&](int x, int y, int i) {
        return beforeX[x] * cells[i - 1] + behindX[x] * cells[i + 1] + beforeY[y] * cells[i - T::pitch] + behindY[y] * cells[i + T::pitch];
    };
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int y = static_cast<int>(threadIdx.x) / 32; y < T::height; y += kSolverThreads / 32) {
        const bool insideY = firstY + y >= 0 && firstY + y < g.height;
        for (int x = lane; x < T::width; x += 32) {
            const int gx = firstX + x;
            float v = 0;
            if (insideY && gx >= 0 && gx < g.width) {
                v = b[std::int64_t{firstY + y} * g.pitch + gx] * (inverseX[x] * inverseY[y]);
                if (((x + y) & 1) == 0) v = solved(v, diagonal(x, y));
            }
            cells[y * T::pitch + x] = v;
        }
    }
    __syncthreads();
    // Cells outside have no couplings to others, but others may have some to them: they stay 0.
    visitColour<margin, 1>(1, [&](int x, int y, int i) {
        if (inverseX[x] * inverseY[y] > 0) cells[i] = solved(cells[i] + coupledAt(x, y, i), diagonal(x, y));
    });
    __syncthreads();
    visitColour<margin, 2>(0, [&](int x, int y, int i) {
        const float inverse = inverseX[x] * inverseY[y];
        cells[i] = inverse > 0 ? __fdividef(coupledAt(x, y, i), inverse) : 0.0F;
    });
    __syncthreads();
    float* const to = coarse.b + blockIdx.y * coarse.grid.plane();
    const int x = lane, coarseX = origin.x / 2 + x;
    float weights[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const int at = 2 * coarseX - 1 + k;  // within the padding
        weights[k] = at <= g.width ? (k == 0 || k == 3 ? fine.axes[0].other[at] : fine.axes[0].own[at]) : 0.0F;
    }
    for (int y = static_cast<int>(threadIdx.x) / 32; y < kTileHeight / 2; y += kSolverThreads / 32) {
        const int coarseY = origin.y / 2 + y;
        if (coarseX >= coarse.grid.width || coarseY >= coarse.grid.height) continue;
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int at = 2 * coarseY - 1 + k;
            const float weight = k == 0 || k == 3 ? fine.axes[1].other[at] : fine.axes[1].own[at];
            const int i = (2 * y + margin - 1 + k) * T::pitch + 2 * x + margin - 1;
            // The first row and column of the window have the indices margin - 1: red cells are those with an even sum.
            sum += weight * (k % 2 == 0 ? weights[0] * cells[i] + weights[2] * cells[i + 2] : weights[1] * cells[i + 1] + weights[3] * cells[i + 3]);
        }
        to[std::int64_t{coarseY} * coarse.grid.pitch + coarseX] = sum;
    }
}

template <bool Inner>
__global__ __launch_bounds__(kSolverThreads) void tileUpKernel(SolveArguments a, MultigridLevel fine, MultigridLevel coarse) {
    if (hasEnded(a)) return;
    constexpr int margin = 2;
    using T = Tile<margin>;
    __shared__ float cells[T::pitch * T::height];
    __shared__ float beforeX[T::width], behindX[T::width], inverseX[T::width];
    __shared__ float beforeY[T::height], behindY[T::height], inverseY[T::height];
    __shared__ float ownX[T::width], otherX[T::width];
    const Grid& g = fine.grid;
    const TileOrigin origin = tileOrigin(g);
    const int firstX = origin.x - margin, firstY = origin.y - margin;
    loadAxis<margin, T::width>(fine.axes[0], firstX, g.width, beforeX, behindX, inverseX);
    loadAxis<margin, T::height>(fine.axes[1], firstY, g.height, beforeY, behindY, inverseY);
    for (int i = static_cast<int>(threadIdx.x); i < T::width; i += kSolverThreads) {
        const bool inside = firstX + i >= 0 && firstX + i < g.width;
        ownX[i] = inside ? fine.axes[0].own[firstX + i] : 0;
        otherX[i] = inside ? fine.axes[0].other[firstX + i] : 0;
    }
    const float* const b = fine.b + blockIdx.y * g.plane();
    const float* const e = coarse.z + blockIdx.y * coarse.grid.plane();
    __syncthreads();
    const auto diagonal = [&](int x, int y) { return fine.mass + (beforeX[x] + behindX[x]) + (beforeY[y] + behindY[y]); };
    const auto coupledAt = [&](int x, int y, int i) {
        return beforeX[x] * cells[i - 1] + behindX[x] * cells[i + 1] + beforeY[y] * cells[i - T::pitch] + behindY[y] * cells[i + T::pitch];
    };
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int y = static_cast<int>(threadIdx.x) / 32; y < T::height; y += kSolverThreads / 32) {
        const int gy = firstY + y;
        const bool insideY = gy >= 0 && gy < g.height;
        const float ownY = insideY ? fine.axes[1].own[gy] : 0, otherY = insideY ? fine.axes[1].other[gy] : 0;
        const int coarseY = gy >> 1, besideY = otherY != 0 ? coarseY + ((gy & 1) != 0 ? 1 : -1) : coarseY;
        for (int x = lane; x < T::width; x += 32) {
            const int gx = firstX + x;
            float v = 0;
            if (insideY && gx >= 0 && gx < g.width) {
                v = b[std::int64_t{gy} * g.pitch + gx] * (inverseX[x] * inverseY[y]);
                if (((x + y) & 1) == 0) {
                    const float weight = otherX[x];
                    const int coarseX = gx >> 1, besideX = weight != 0 ? coarseX + ((gx & 1) != 0 ? 1 : -1) : coarseX;
                    const float* const near = e + std::int64_t{coarseY} * coarse.grid.pitch;
                    const float* const far = e + std::int64_t{besideY} * coarse.grid.pitch;
                    v = solved(v, diagonal(x, y)) + ownY * (ownX[x] * near[coarseX] + weight * near[besideX]) +
                        otherY * (ownX[x] * far[coarseX] + weight * far[besideX]);
                }
            }
            cells[y * T::pitch + x] = v;
        }
    }
    __syncthreads();
    visitColour<margin, 1>(1, [&](int x, int y, int i) {
        if (inverseX[x] * inverseY[y] > 0) cells[i] = solved(cells[i] + coupledAt(x, y, i), diagonal(x, y));
    });
    __syncthreads();
    float* const z = fine.z + blockIdx.y * g.plane();
    Sums sums;
    const int gx = origin.x + 2 * lane;
    for (int row = static_cast<int>(threadIdx.x) / 32; row < kTileHeight; row += kSolverThreads / 32) {
        const int gy = origin.y + row;
        if (gx >= g.width || gy >= g.height) continue;
        const int x = margin + 2 * lane, y = margin + row, red = (x + y) & 1;
        const std::int64_t at = std::int64_t{gy} * g.pitch + gx;
        const float2 right = *reinterpret_cast<const float2*>(b + at);  // behind the last column lies padding
        const int redX = x + red, i = y * T::pitch + redX;
        const float redRight = red == 0 ? right.x : right.y;
        const float ofRed = solved(redRight * (inverseX[redX] * inverseY[y]) + coupledAt(redX, y, i), diagonal(redX, y));
        const float ofBlack = cells[y * T::pitch + x + 1 - red];
        const float2 result = red == 0 ? float2{ofRed, ofBlack} : float2{ofBlack, ofRed};
        if (gx + 1 < g.width) *reinterpret_cast<float2*>(z + at) = result;
        else z[at] = result.x;
        if constexpr (Inner) {
            sums.a += static_cast<double>(right.x) * static_cast<double>(result.x);
            if (gx + 1 < g.width) sums.a += static_cast<double>(right.y) * static_cast<double>(result.y);
        }
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

void launchMultigridUp(const SolveArguments& a, const MultigridLevel& fine, const MultigridLevel& coarse, cudaStream_t stream) {
    if (takesTiles(fine)) {
        const bool isFinest = fine.grid.width == a.grid.width && fine.grid.height == a.grid.height;
        if (isFinest) tileUpKernel<true><<<tileGrid(fine.grid), kSolverThreads, 0, stream>>>(a, fine, coarse);
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
    return static_cast<unsigned>((g.width + kTileWidth - 1) / kTileWidth) * static_cast<unsigned>((g.height + kTileHeight - 1) / kTileHeight);
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
