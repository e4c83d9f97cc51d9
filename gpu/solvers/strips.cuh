// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of kernels that apply the stencil: a warp takes a strip of 64 columns and runs down its rows, with three rows in registers and
// the neighbours along x from shuffles.
#pragma once

#include "gpu/primitives/reduction_parts.cuh"
#include "gpu/runtime/device_clock.cuh"
#include "gpu/solvers/grid.hpp"

namespace parallax::gpu {

inline constexpr int kSolverThreads = 256;
inline constexpr int kStripColumns = 64;

/// Cuts a channel into strips, by its size alone, so that sums have the same order on every device.
struct Strips {
    int across, bands, rows, depth;

    PARALLAX_HOST_DEVICE static Strips of(const Grid& g) {
        const int across = (g.width + kStripColumns - 1) / kStripColumns;
        // Enough strips to fill a device; long ones read fewer rows twice.
        constexpr std::int64_t enough = 12 * 1024;
        const std::int64_t rows = std::int64_t{g.height} * across * g.depth / enough;
        const int length = rows < 4 ? 4 : rows > 32 ? 32 : static_cast<int>(rows);
        return {across, (g.height + length - 1) / length, length, g.depth};
    }
    PARALLAX_HOST_DEVICE std::int64_t count() const { return std::int64_t{across} * bands * depth; }
    PARALLAX_HOST_DEVICE unsigned blocks() const {
        constexpr int warps = kSolverThreads / 32;
        return static_cast<unsigned>((count() + warps - 1) / warps);
    }
};

struct Sums {
    double a = 0, b = 0;
};

/// Share of a block in the work of a kernel.
struct BlockShare {
    unsigned channel;        ///< first channel that the block takes
    unsigned block, blocks;  ///< which one of the blocks that take this channel

    /// Grids of (blocks, channels).
    __device__ __forceinline__ static BlockShare byGrid() { return {blockIdx.y, blockIdx.x, gridDim.x}; }
    /// Grids of (blocks x channels): blocks that run at the same time share the weights of edges in the cache.
    __device__ __forceinline__ static BlockShare channelsInTurn(const Grid& g) {
        const auto channels = static_cast<unsigned>(g.channels);
        const unsigned block = blockIdx.x / channels;
        return {blockIdx.x - block * channels, block, gridDim.x / channels};
    }
};

/// Sums over all blocks of each channel, of which a block takes `Channels`; the last block calls finish(channel, sums) in its thread 0 for
/// each channel, then finishAll(). All threads must call it.
template <int Threads, int Channels, class Finish, class FinishAll>
__device__ __forceinline__ void sumOverBlocks(const SolveArguments& a, const BlockShare& share, Sums (&mine)[Channels], Finish&& finish,
                                              FinishAll&& finishAll) {
    const auto merge = [](Sums& s, const Sums& t) {
        s.a += t.a;
        s.b += t.b;
    };
    auto* const partials = reinterpret_cast<Sums*>(a.partials);
#pragma unroll
    for (int k = 0; k < Channels; ++k) {
        reduceBlock<Threads>(mine[k], merge);
        if (threadIdx.x == 0) partials[std::int64_t{share.channel + k} * share.blocks + share.block] = mine[k];
    }
    if (!isLastBlock(&a.state->ticket, gridDim.x * gridDim.y)) return;
    for (int channel = 0; channel < a.grid.channels; ++channel) {
        Sums total;
        for (unsigned i = threadIdx.x; i < share.blocks; i += Threads)
            merge(total, loadFromOthers(partials + std::int64_t{channel} * share.blocks + i));
        reduceBlock<Threads>(total, merge);
        if (threadIdx.x == 0) finish(channel, total);
    }
    if (threadIdx.x == 0) finishAll();
}
template <class Finish, class FinishAll>
__device__ __forceinline__ void sumOverBlocks(const SolveArguments& a, const BlockShare& share, const Sums& mine, Finish&& finish,
                                              FinishAll&& finishAll) {
    Sums sums[1] = {mine};
    sumOverBlocks<kSolverThreads>(a, share, sums, finish, finishAll);
}
template <class Finish, class FinishAll>
__device__ __forceinline__ void sumOverBlocks(const SolveArguments& a, const Sums& mine, Finish&& finish, FinishAll&& finishAll) {
    sumOverBlocks(a, BlockShare::byGrid(), mine, finish, finishAll);
}

/// Two neighbouring elements of a row. Rows begin at multiples of 128 bytes and `i` is even.
template <class T>
struct alignas(2 * sizeof(T)) Two {
    T x, y;
};
template <class T>
__device__ __forceinline__ Two<T> loadTwo(const T* p, std::int64_t i) {
    return *reinterpret_cast<const Two<T>*>(p + i);
}
__device__ __forceinline__ double2 loadPair(const double* p, std::int64_t i) { return *reinterpret_cast<const double2*>(p + i); }
__device__ __forceinline__ double2 loadPair(const float* p, std::int64_t i) {
    const float2 v = *reinterpret_cast<const float2*>(p + i);
    return {static_cast<double>(v.x), static_cast<double>(v.y)};
}
/// Stores the first element, and the second one if it is within the row.
__device__ __forceinline__ void storePair(double* p, std::int64_t i, double2 v, bool both) {
    if (both) *reinterpret_cast<double2*>(p + i) = v;
    else p[i] = v.x;
}
__device__ __forceinline__ void storePair(float* p, std::int64_t i, double2 v, bool both) {
    if (both) *reinterpret_cast<float2*>(p + i) = {static_cast<float>(v.x), static_cast<float>(v.y)};
    else p[i] = static_cast<float>(v.x);
}

/// The grid is the whole image.
struct NoRowsBeside {
    static constexpr bool kNone = true;
};

/// Applies A to an array that is computed while it is loaded: pair(i) and single(i) return elements, i being an index in the grid.
/// consume(i, u, q, both) is called for each pair of columns of which at least the first one is in the grid, with q = A u. `General`: with
/// weights of edges, not constant ones. `beside`: the rows above and below a grid that is a band of an image (bands/band_links.cuh), whose
/// weights of edges along y begin with the row above; the first and the last rows of the band are computed first.
template <bool General, class Pair, class Single, class Consume, class RowsBeside = NoRowsBeside>
__device__ __forceinline__ void applyAlongStrip(const SolveArguments& a, const BlockShare& share, Pair&& pair, Single&& single,
                                                Consume&& consume, const RowsBeside& beside = {}) {
    const Grid& g = a.grid;
    const GridStencil& s = a.stencil;
    const Strips strips = Strips::of(g);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const std::int64_t strip = std::int64_t{share.block} * (kSolverThreads / 32) + threadIdx.x / 32;
    if (strip >= strips.count()) return;
    const int x = static_cast<int>(strip % strips.across) * kStripColumns + 2 * lane;
    const std::int64_t rest = strip / strips.across;
    int band = static_cast<int>(rest % strips.bands);
    const int z = static_cast<int>(rest / strips.bands);
    if constexpr (!RowsBeside::kNone) band = band == 0 ? 0 : band == 1 ? strips.bands - 1 : band - 1;
    const int begin = band * strips.rows, end = min(begin + strips.rows, g.height);
    const std::int64_t first = g.at(0, 0, z, static_cast<int>(share.channel));  // of the slice
    const std::int64_t firstEdge = g.at(0, 0, z, 0);
    const bool inside = x < g.width, both = x + 1 < g.width;
    // The column beside the strip, for the lanes at its ends.
    const int nextTo = lane == 0 ? x - 1 : lane == 31 ? x + 2 : -1;
    const bool hasNextTo = nextTo >= 0 && nextTo < g.width;
    const bool before = z > 0, behind = z + 1 < g.depth;

    struct Row {
        double2 u;
        double nextTo;
    };
    bool hasAbove = false, hasBelow = false;
    if constexpr (!RowsBeside::kNone) hasAbove = beside.hasAbove(), hasBelow = beside.hasBelow();
    const auto load = [&](int y) {
        Row row{{0, 0}, 0};
        if constexpr (!RowsBeside::kNone) {
            if (y < 0 ? hasAbove : y >= g.height && hasBelow) {
                const std::int64_t row0 = std::int64_t{g.pitch} * static_cast<int>(share.channel);
                if (inside) row.u = beside.pair(y < 0, row0 + x);
                if (hasNextTo) row.nextTo = beside.single(y < 0, row0 + nextTo);
                return row;
            }
        }
        if (y < 0 || y >= g.height) return row;
        const std::int64_t i = first + std::int64_t{y} * g.pitch;
        if (inside) row.u = pair(i + x);
        if (hasNextTo) row.nextTo = single(i + nextTo);
        return row;
    };
    // Constant weights: sums of the weights of all edges of a sample.
    const double alongX0 = s.weights[0] * (s.dirichlet ? 2 : (x > 0) + (x + 1 < g.width));
    const double alongX1 = s.weights[0] * (s.dirichlet ? 2 : 1 + (x + 2 < g.width));
    const double alongZ = g.depth > 1 ? s.weights[2] * (s.dirichlet ? 2 : before + behind) : 0;

    Row up = load(begin - 1), here = load(begin);
    double2 edgeUp{0, 0};
    if constexpr (General)
        if ((begin > 0 || hasAbove) && inside) edgeUp = loadPair(s.edges[1], firstEdge + std::int64_t{begin - 1} * g.pitch + x);
    for (int y = begin; y < end; ++y) {
        const Row down = load(y + 1);
        double left = __shfl_up_sync(kAllLanes, here.u.y, 1), right = __shfl_down_sync(kAllLanes, here.u.x, 1);
        if (lane == 0) left = here.nextTo;
        if (lane == 31) right = here.nextTo;
        const std::int64_t i = first + std::int64_t{y} * g.pitch + x;
        double2 beforeU{0, 0}, behindU{0, 0};
        if (inside && before) beforeU = pair(i - g.slice());
        if (inside && behind) behindU = pair(i + g.slice());
        double2 q;
        if constexpr (General) {
            const std::int64_t e = firstEdge + std::int64_t{y} * g.pitch + x;
            double2 edgeX{0, 0}, edgeDown{0, 0}, edgeBefore{0, 0}, edgeBehind{0, 0};
            if (inside) edgeX = loadPair(s.edges[0], e);
            if (x + 1 >= g.width) edgeX.x = 0;
            if (x + 2 >= g.width) edgeX.y = 0;
            if (inside && (y + 1 < g.height || hasBelow)) edgeDown = loadPair(s.edges[1], e);
            if (inside && before) edgeBefore = loadPair(s.edges[2], e - g.slice());
            if (inside && behind) edgeBehind = loadPair(s.edges[2], e);
            double edgeLeft = __shfl_up_sync(kAllLanes, edgeX.y, 1);
            if (lane == 0) edgeLeft = x > 0 ? s.edges[0][e - 1] : 0;
            double outside0 = s.diagonal, outside1 = s.diagonal;
            if (s.diagonals && inside) {
                const double2 own = loadPair(s.diagonals, e);
                outside0 = own.x;
                outside1 = own.y;
            }
            if (s.dirichlet) {
                const double rows = s.weights[1] * ((y == 0 && !hasAbove) + (y + 1 == g.height && !hasBelow)) +
                                    (g.depth > 1 ? s.weights[2] * (!before + !behind) : 0);
                outside0 += rows + s.weights[0] * ((x == 0) + (x + 1 == g.width));
                outside1 += rows + s.weights[0] * (x + 2 == g.width);
            }
            // Differences, since weights may be much larger than the diagonal.
            q.x = outside0 * here.u.x + edgeLeft * (here.u.x - left) + edgeX.x * (here.u.x - here.u.y) + edgeUp.x * (here.u.x - up.u.x) +
                  edgeDown.x * (here.u.x - down.u.x) + edgeBefore.x * (here.u.x - beforeU.x) + edgeBehind.x * (here.u.x - behindU.x);
            q.y = outside1 * here.u.y + edgeX.x * (here.u.y - here.u.x) + edgeX.y * (here.u.y - right) + edgeUp.y * (here.u.y - up.u.y) +
                  edgeDown.y * (here.u.y - down.u.y) + edgeBefore.y * (here.u.y - beforeU.y) + edgeBehind.y * (here.u.y - behindU.y);
            edgeUp = edgeDown;
        } else {
            const double common =
                s.diagonal + alongZ + s.weights[1] * (s.dirichlet ? 2 : (y > 0 || hasAbove) + (y + 1 < g.height || hasBelow));
            q.x = (common + alongX0) * here.u.x - s.weights[0] * (left + here.u.y) - s.weights[1] * (up.u.x + down.u.x) -
                  s.weights[2] * (beforeU.x + behindU.x);
            q.y = (common + alongX1) * here.u.y - s.weights[0] * (here.u.x + right) - s.weights[1] * (up.u.y + down.u.y) -
                  s.weights[2] * (beforeU.y + behindU.y);
        }
        if (inside) consume(i, here.u, q, both);
        up = here;
        here = down;
    }
}

}  // namespace parallax::gpu
