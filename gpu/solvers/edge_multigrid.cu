// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the levels, and runs the V-cycle on small ones.
#include <algorithm>

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/edge_multigrid.hpp"
#include "gpu/solvers/edge_smoothing.cuh"
#include "gpu/solvers/edges/one_sided_cycle.hpp"
#include "gpu/solvers/scalars.cuh"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of multigrid could not be started";

/// Rounded up, so that no row loses its dominance.
__device__ __forceinline__ float diagonalFrom(double v) { return static_cast<float>(v) * 1.0000002F; }

/// Calls visit(x, y, i) for the samples that thread `thread` of `threads` takes.
template <class Visit>
__device__ __forceinline__ void visitSamples(const Grid& g, std::int64_t thread, std::int64_t threads, Visit&& visit) {
    const auto across = static_cast<unsigned>(g.width);
    const std::int64_t all = std::int64_t{g.width} * g.height;
    for (std::int64_t n = thread; n < all; n += threads) {
        const int y = static_cast<int>(static_cast<unsigned>(n) / across), x = static_cast<int>(static_cast<unsigned>(n) % across);
        visit(x, y, std::int64_t{y} * g.pitch + x);
    }
}
__device__ __forceinline__ std::int64_t gridThread() { return std::int64_t{blockIdx.x} * kSolverThreads + threadIdx.x; }
__device__ __forceinline__ std::int64_t gridThreads() { return std::int64_t{gridDim.x} * kSolverThreads; }

/// Sum of couplings times value(i) of the neighbours. Where there is no neighbour the coupling is 0 and the value some finite number.
template <class Value>
__device__ __forceinline__ float coupled(const EdgeLevel& l, std::int64_t i, Value&& value) {
    const int p = l.grid.pitch;
    float sum = l.east[i] * value(i + 1) + l.east[i - 1] * value(i - 1) + l.south[i] * value(i + p) + l.south[i - p] * value(i - p);
    if (!l.fivePoint)
        sum += l.southEast[i] * value(i + p + 1) + l.southEast[i - p - 1] * value(i - p - 1) + l.southWest[i] * value(i + p - 1) +
               l.southWest[i - p + 1] * value(i - p + 1);
    return sum;
}

/// Coupling of sample i with the one at dx, dy.
__device__ __forceinline__ double couplingTo(const EdgeLevel& l, std::int64_t i, int dx, int dy) {
    const int p = l.grid.pitch;
    if (dy == 0) return l.east[dx > 0 ? i : i - 1];
    if (dx == 0) return l.south[dy > 0 ? i : i - p];
    if (dx == dy) return l.southEast[dy > 0 ? i : i - p - 1];
    return l.southWest[dy > 0 ? i : i - p + 1];
}

// ---- making the levels --------------------------------------------------------------------------------------------------------------

__global__ __launch_bounds__(kSolverThreads) void finestKernel(SolveArguments a, EdgeLevel l, bool hasAbove, bool hasBelow) {
    const GridStencil& s = a.stencil;
    visitSamples(l.grid, gridThread(), gridThreads(), [&](int x, int y, std::int64_t i) {
        const int width = l.grid.width;
        const bool isFirst = y == 0 && !hasAbove, isLast = y + 1 == l.grid.height && !hasBelow;
        const double east = x + 1 < width ? s.edges[0][i] : 0, west = x > 0 ? s.edges[0][i - 1] : 0;
        const double south = isLast ? 0 : s.edges[1][i], north = isFirst ? 0 : s.edges[1][i - l.grid.pitch];
        double diagonal = (s.diagonals ? s.diagonals[i] : s.diagonal) + (east + west) + (north + south);
        if (s.dirichlet) diagonal += s.weights[0] * ((x == 0) + (x + 1 == width)) + s.weights[1] * (isFirst + isLast);
        l.east[i] = static_cast<float>(east);
        l.south[i] = static_cast<float>(south);
        l.diagonal[i] = diagonalFrom(diagonal);
        l.inverse[i] = jacobiInverse(l.diagonal[i]);
    });
}

/// Weights of a coarse sample in the neighbours along the axes: of the couplings across that line, the share on this side.
__global__ __launch_bounds__(kSolverThreads) void spreadAxesKernel(EdgeLevel fine, Grid coarse) {
    visitSamples(coarse, gridThread(), gridThreads(), [&](int x, int y, std::int64_t i) {
        const auto share = [&](int dx, int dy) {
            const int fx = 2 * x + dx, fy = 2 * y + dy;
            if (fx < 0 || fy < 0 || fx >= fine.grid.width || fy >= fine.grid.height) return 0.0F;
            const std::int64_t j = std::int64_t{fy} * fine.grid.pitch + fx;
            double towards = 0, across = 0;
            for (int k = -1; k <= 1; ++k) {
                towards += dx != 0 ? couplingTo(fine, j, -dx, k) : couplingTo(fine, j, k, -dy);
                across += dx != 0 ? couplingTo(fine, j, dx, k) : couplingTo(fine, j, k, dy);
            }
            // The diagonal without the couplings along the line; never less than those across it.
            const double along =
                dx != 0 ? couplingTo(fine, j, 0, -1) + couplingTo(fine, j, 0, 1) : couplingTo(fine, j, -1, 0) + couplingTo(fine, j, 1, 0);
            const double rest = fmax(static_cast<double>(fine.diagonal[j]) - along, towards + across);
            return rest > 0 ? static_cast<float>(towards / rest) : 0.0F;
        };
        fine.spread[3][i] = share(-1, 0);
        fine.spread[5][i] = share(1, 0);
        fine.spread[1][i] = share(0, -1);
        fine.spread[7][i] = share(0, 1);
    });
}

/// Those in the diagonal neighbours, whose equations are solved with the values of the ones along the axes.
__global__ __launch_bounds__(kSolverThreads) void spreadDiagonalsKernel(EdgeLevel fine, Grid coarse) {
    visitSamples(coarse, gridThread(), gridThreads(), [&](int x, int y, std::int64_t i) {
        for (int dy = -1; dy <= 1; dy += 2)
            for (int dx = -1; dx <= 1; dx += 2) {
                const int fx = 2 * x + dx, fy = 2 * y + dy;
                float weight = 0;
                if (fx >= 0 && fy >= 0 && fx < fine.grid.width && fy < fine.grid.height) {
                    const std::int64_t j = std::int64_t{fy} * fine.grid.pitch + fx;
                    const double sum = couplingTo(fine, j, -dx, -dy) +
                                       couplingTo(fine, j, 0, -dy) * static_cast<double>(fine.spread[4 + dx][i]) +
                                       couplingTo(fine, j, -dx, 0) * static_cast<double>(fine.spread[4 + 3 * dy][i]);
                    weight = fine.diagonal[j] > 0 ? static_cast<float>(sum / static_cast<double>(fine.diagonal[j])) : 0.0F;
                }
                fine.spread[4 + 3 * dy + dx][i] = weight;
            }
    });
}

/// P' A P: a column of A P in a window of 5 x 5, multiplied by the columns of P of this sample and of the next ones.
__global__ __launch_bounds__(kSolverThreads) void productKernel(EdgeLevel fine, EdgeLevel coarse) {
    visitSamples(coarse.grid, gridThread(), gridThreads(), [&](int x, int y, std::int64_t i) {
        const auto weightOf = [&](std::int64_t sample, int dx, int dy) {
            return dx == 0 && dy == 0 ? 1.0 : static_cast<double>(fine.spread[4 + 3 * dy + dx][sample]);
        };
        double column[5][5] = {};
#pragma unroll
        for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
            for (int dx = -1; dx <= 1; ++dx) {
                const double weight = weightOf(i, dx, dy);
                if (weight == 0) continue;
                const std::int64_t j = std::int64_t{2 * y + dy} * fine.grid.pitch + 2 * x + dx;
#pragma unroll
                for (int ey = -1; ey <= 1; ++ey)
#pragma unroll
                    for (int ex = -1; ex <= 1; ++ex)
                        column[dy + ey + 2][dx + ex + 2] +=
                            weight * (ex == 0 && ey == 0 ? static_cast<double>(fine.diagonal[j]) : -couplingTo(fine, j, ex, ey));
            }
        // Entry of A with the coarse sample at ex, ey.
        const auto entry = [&](int ex, int ey) {
            double sum = 0;
#pragma unroll
            for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
                for (int dx = -1; dx <= 1; ++dx) {
                    const int cx = 2 * ex + dx, cy = 2 * ey + dy;
                    if (cx < -2 || cx > 2 || cy < -2 || cy > 2) continue;
                    sum += weightOf(i + std::int64_t{ey} * coarse.grid.pitch + ex, dx, dy) * column[cy + 2][cx + 2];
                }
            return sum;
        };
        const bool hasWest = x > 0, hasEast = x + 1 < coarse.grid.width, hasSouth = y + 1 < coarse.grid.height;
        const double diagonal = entry(0, 0);
        coarse.diagonal[i] = diagonalFrom(diagonal);
        coarse.east[i] = hasEast ? static_cast<float>(-entry(1, 0)) : 0.0F;
        coarse.south[i] = hasSouth ? static_cast<float>(-entry(0, 1)) : 0.0F;
        coarse.southEast[i] = hasEast && hasSouth ? static_cast<float>(-entry(1, 1)) : 0.0F;
        coarse.southWest[i] = hasWest && hasSouth ? static_cast<float>(-entry(-1, 1)) : 0.0F;
    });
}

/// The inverse for Jacobi steps. Where couplings exceed the diagonal, as negative ones of coarser matrices may, it is that of their mean,
/// so that no eigenvalue exceeds 2 (Gershgorin).
__global__ __launch_bounds__(kSolverThreads) void inverseKernel(EdgeLevel l) {
    visitSamples(l.grid, gridThread(), gridThreads(), [&](int, int, std::int64_t i) {
        double row = static_cast<double>(l.diagonal[i]);
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx)
                if (dx != 0 || dy != 0) row += fabs(couplingTo(l, i, dx, dy));
        const double diagonal = fmax(static_cast<double>(l.diagonal[i]), 0.5 * row);
        l.inverse[i] = diagonal > 0 ? static_cast<float>(1 / diagonal) : 0.0F;
    });
}

// ---- the cycle on small levels, by one block for each channel ------------------------------------------------------------------------

constexpr int kTailThreads = 512;

/// Steps of the samples of one channel. Each ends with a barrier.
struct TailChannel {
    const EdgeLevel& fine;
    const float* b;
    float *z, *result;

    __device__ TailChannel(const EdgeLevel& level, std::int64_t channel)
        : fine(level),
          b(level.b + channel * level.grid.plane()),
          z(level.z + channel * level.grid.plane()),
          result(level.result + channel * level.grid.plane()) {}

    template <class Visit>
    __device__ __forceinline__ void forAll(const Grid& g, Visit&& visit) const {
        visitSamples(g, threadIdx.x, kTailThreads, visit);
        __syncthreads();
    }
    __device__ __forceinline__ void smoothFromZero(float* to) const {
        forAll(fine.grid, [&](int, int, std::int64_t i) {
            const auto first = [&](std::int64_t j) { return smoothingFactor(0) * b[j] * fine.inverse[j]; };
            const float own = first(i);
            to[i] = own + smoothingFactor(1) * fine.inverse[i] * (b[i] + coupled(fine, i, first) - fine.diagonal[i] * own);
        });
    }
    __device__ __forceinline__ void smooth(float factor, const float* from, float* to) const {
        forAll(fine.grid, [&](int, int, std::int64_t i) {
            const float sum = b[i] + coupled(fine, i, [&](std::int64_t j) { return from[j]; });
            to[i] = from[i] + factor * fine.inverse[i] * (sum - fine.diagonal[i] * from[i]);
        });
    }
    /// `result` becomes the residual of z.
    __device__ __forceinline__ void residual() const {
        forAll(fine.grid, [&](int, int, std::int64_t i) {
            result[i] = b[i] + coupled(fine, i, [&](std::int64_t j) { return z[j]; }) - fine.diagonal[i] * z[i];
        });
    }
    /// Makes the right-hand side of the coarser level from `result`.
    __device__ __forceinline__ void restrict(const Grid& coarse, float* to) const {
        forAll(coarse, [&](int x, int y, std::int64_t i) {
            const float* const r = result + std::int64_t{2 * y} * fine.grid.pitch + 2 * x;
            const int p = fine.grid.pitch;
            to[i] = r[0] + fine.spread[0][i] * r[-p - 1] + fine.spread[1][i] * r[-p] + fine.spread[2][i] * r[-p + 1] +
                    fine.spread[3][i] * r[-1] + fine.spread[5][i] * r[1] + fine.spread[6][i] * r[p - 1] + fine.spread[7][i] * r[p] +
                    fine.spread[8][i] * r[p + 1];
        });
    }
    /// Adds the coarser result to z.
    __device__ __forceinline__ void correct(const Grid& coarse, const float* e) const {
        forAll(fine.grid, [&](int x, int y, std::int64_t i) {
            const int oddX = x & 1, oddY = y & 1;
            const bool hasRight = oddX != 0 && x / 2 + 1 < coarse.width, hasBelow = oddY != 0 && y / 2 + 1 < coarse.height;
            const std::int64_t at = std::int64_t{y / 2} * coarse.pitch + x / 2;
            const auto part = [&](std::int64_t j, int dx, int dy) {
                return dx == 0 && dy == 0 ? e[j] : fine.spread[4 + 3 * dy + dx][j] * e[j];
            };
            float sum = part(at, oddX, oddY);
            if (hasRight) sum += part(at + 1, -1, oddY);
            if (hasBelow) sum += part(at + coarse.pitch, oddX, -1);
            if (hasRight && hasBelow) sum += part(at + coarse.pitch + 1, -1, -1);
            z[i] += sum;
        });
    }
};

__global__ __launch_bounds__(kTailThreads) void tailKernel(SolveArguments a, const EdgeTail* tail, bool sums) {
    static_assert(kSmoothingSteps == 3);
    if (hasEnded(a)) return;
    const int last = tail->count - 1, channel = static_cast<int>(blockIdx.y);
    const auto at = [&](int level) { return TailChannel(tail->levels[level], channel); };
    for (int level = 0; level < last; ++level) {
        const TailChannel t = at(level);
        const EdgeLevel& coarse = tail->levels[level + 1];
        t.smoothFromZero(t.result);
        t.smooth(smoothingFactor(2), t.result, t.z);
        t.residual();
        t.restrict(coarse.grid, coarse.b + channel * coarse.grid.plane());
    }
    if (threadIdx.x == 0) {
        const TailChannel t = at(last);
        t.result[0] = t.b[0] * t.fine.inverse[0];
    }
    __syncthreads();
    for (int level = last - 1; level >= 0; --level) {
        const TailChannel t = at(level);
        const EdgeLevel& coarse = tail->levels[level + 1];
        t.correct(coarse.grid, coarse.result + channel * coarse.grid.plane());
        t.smooth(smoothingFactor(2), t.z, t.result);
        t.smooth(smoothingFactor(1), t.result, t.z);
        t.smooth(smoothingFactor(0), t.z, t.result);
    }
    if (!sums) return;
    const TailChannel t = at(0);
    double inner = 0;
    visitSamples(t.fine.grid, threadIdx.x, kTailThreads,
                 [&](int, int, std::int64_t i) { inner += static_cast<double>(t.b[i]) * static_cast<double>(t.result[i]); });
    reduceBlock<kTailThreads>(inner, [](double& sum, double v) { sum += v; });
    if (threadIdx.x == 0) setInner(a, channel, inner);
}

unsigned blocksFor(const Grid& g) {
    constexpr std::int64_t most = 2048;
    return static_cast<unsigned>(std::min(most, (g.samples() + kSolverThreads - 1) / kSolverThreads));
}

}  // namespace

void launchEdgeFinest(const SolveArguments& a, const EdgeLevel& finest, const bool (&hasNeighbour)[2], cudaStream_t stream) {
    finestKernel<<<blocksFor(finest.grid), kSolverThreads, 0, stream>>>(a, finest, hasNeighbour[0], hasNeighbour[1]);
    checkLaunch(kFailed);
}

void launchEdgeInverse(const EdgeLevel& level, cudaStream_t stream) {
    inverseKernel<<<blocksFor(level.grid), kSolverThreads, 0, stream>>>(level);
    checkLaunch(kFailed);
}

void launchEdgeCoarsen(const EdgeLevel& fine, const EdgeLevel& coarse, cudaStream_t stream) {
    const unsigned blocks = blocksFor(coarse.grid);
    spreadAxesKernel<<<blocks, kSolverThreads, 0, stream>>>(fine, coarse.grid);
    spreadDiagonalsKernel<<<blocks, kSolverThreads, 0, stream>>>(fine, coarse.grid);
    productKernel<<<blocks, kSolverThreads, 0, stream>>>(fine, coarse);
    inverseKernel<<<blocks, kSolverThreads, 0, stream>>>(coarse);
    checkLaunch(kFailed);
}

void launchEdgeTail(const SolveArguments& a, const EdgeTail* tail, bool sums, cudaStream_t stream) {
    tailKernel<<<dim3{1, static_cast<unsigned>(a.grid.channels)}, kTailThreads, 0, stream>>>(a, tail, sums);
    checkLaunch(kFailed);
}

void preloadEdgeMultigrid() {
    preload(finestKernel);
    preload(spreadAxesKernel);
    preload(spreadDiagonalsKernel);
    preload(productKernel);
    preload(inverseKernel);
    preload(tailKernel);
    preloadEdgeCycle();
    preloadOneSidedCycle();
}

}  // namespace parallax::gpu
