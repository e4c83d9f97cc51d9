// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of kernels that apply the stencil: a block takes a strip of 64 columns and runs down its rows, by two rows a warp. A warp loads
// these and the rows beside them at once, all before the first result; the neighbours along x come from shuffles.
#pragma once

#include <type_traits>

#include "gpu/primitives/reduction_parts.cuh"
#include "gpu/runtime/device_clock.cuh"
#include "gpu/solvers/grid.hpp"

namespace parallax::gpu {

inline constexpr int kSolverThreads = 256;
inline constexpr int kStripColumns = 64;
inline constexpr int kRowsOfWarp = 2;

/// Cuts a channel into strips, by its size alone, so that sums have the same order on every device.
struct Strips {
    int across, bands, rows, depth;

    PARALLAX_HOST_DEVICE static Strips of(const Grid& g) {
        constexpr std::int64_t step = kRowsOfWarp * kSolverThreads / 32;
        const int across = (g.width + kStripColumns - 1) / kStripColumns;
        // Enough strips to fill a device; long ones leave fewer sums.
        constexpr std::int64_t enough = 1536;
        const std::int64_t steps = std::int64_t{g.height} * across * g.depth / (enough * step);
        const int length = static_cast<int>(step * (steps < 1 ? 1 : steps > 8 ? 8 : steps));
        return {across, (g.height + length - 1) / length, length, g.depth};
    }
    PARALLAX_HOST_DEVICE unsigned blocks() const { return static_cast<unsigned>(std::int64_t{across} * bands * depth); }
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
template <class T>
__device__ __forceinline__ double2 widened(Two<T> v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y)};
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

/// Which weights the edges have: constant ones in an image or a volume, or each its own.
enum class System { image, volume, weighted };

/// The grid is the whole image.
struct NoRowsBeside {
    static constexpr bool kNone = true;
};

/// What consume() of applyAlongStrip() needs of other arrays, if it needs none.
struct NothingElse {};

/// Applies A to an array that is computed while it is loaded: pair(i), a Two<T>, and single(i) return elements, i being an index in the
/// grid. consume(i, u, q, both, fetched) is called for each pair of columns of which at least the first one is in the grid, with q = A u
/// and what fetch(i) loaded of other arrays before. `beside`: the rows above and below a grid that is a band of an image
/// (bands/band_links.cuh), whose weights of edges along y begin with the row above; the first and the last rows of the band are computed
/// first.
template <System Kind, class Pair, class Single, class Fetch, class Consume, class RowsBeside = NoRowsBeside>
__device__ __forceinline__ void applyAlongStrip(const SolveArguments& a, const BlockShare& share, Pair&& pair, Single&& single,
                                                Fetch&& fetch, Consume&& consume, const RowsBeside& beside = {}) {
    using Elements = std::decay_t<decltype(pair(std::int64_t{}))>;
    using T = decltype(Elements::x);
    using Fetched = std::decay_t<decltype(fetch(std::int64_t{}))>;
    constexpr int rows = kRowsOfWarp;
    constexpr bool weighted = Kind == System::weighted;
    constexpr int ofVolume = Kind == System::image ? 1 : rows;
    const Grid& g = a.grid;
    const GridStencil& s = a.stencil;
    const Strips strips = Strips::of(g);
    if (share.block >= strips.blocks()) return;
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int x = static_cast<int>(share.block % static_cast<unsigned>(strips.across)) * kStripColumns + 2 * lane;
    const int rest = static_cast<int>(share.block / static_cast<unsigned>(strips.across));
    int band = rest % strips.bands;
    const int z = rest / strips.bands;
    if constexpr (!RowsBeside::kNone) band = band == 0 ? 0 : band == 1 ? strips.bands - 1 : band - 1;
    const int begin = band * strips.rows, end = min(begin + strips.rows, g.height);
    const std::int64_t first = g.at(0, 0, z, static_cast<int>(share.channel));  // of the slice
    const std::int64_t firstEdge = g.at(0, 0, z, 0);
    const bool inside = x < g.width, both = x + 1 < g.width;
    // The column beside the strip, for the lanes at its ends.
    const int nextTo = lane == 0 ? x - 1 : lane == 31 ? x + 2 : -1;
    const bool hasNextTo = nextTo >= 0 && nextTo < g.width;
    const bool before = Kind != System::image && z > 0, behind = Kind != System::image && z + 1 < g.depth;
    bool hasAbove = false, hasBelow = false;
    if constexpr (!RowsBeside::kNone) hasAbove = beside.hasAbove(), hasBelow = beside.hasBelow();

    const auto load = [&](int y) {
        if constexpr (!RowsBeside::kNone)
            if (inside && ((y == -1 && hasAbove) || (y == g.height && hasBelow)))
                return beside.pair(y < 0, std::int64_t{g.pitch} * static_cast<int>(share.channel) + x);
        return inside && y >= 0 && y < g.height ? pair(first + std::int64_t{y} * g.pitch + x) : Elements{0, 0};
    };
    // Constant weights: sums of the weights of all edges of a sample.
    const double alongX0 = s.weights[0] * (s.dirichlet ? 2 : (x > 0) + (x + 1 < g.width));
    const double alongX1 = s.weights[0] * (s.dirichlet ? 2 : 1 + (x + 2 < g.width));
    const double alongZ = Kind == System::volume ? s.weights[2] * (s.dirichlet ? 2 : before + behind) : 0;

    for (int top = begin + rows * warp; top < end; top += rows * kSolverThreads / 32) {
        Elements u[rows + 2], beforeU[ofVolume] = {}, behindU[ofVolume] = {};
        T besideStrip[rows] = {};
        Fetched fetched[rows] = {};
#pragma unroll
        for (int k = 0; k < rows + 2; ++k) u[k] = load(top - 1 + k);
#pragma unroll
        for (int k = 0; k < rows; ++k) {
            if (top + k >= g.height) continue;
            const std::int64_t row = first + std::int64_t{top + k} * g.pitch, i = row + x;
            if (hasNextTo) besideStrip[k] = single(row + nextTo);
            if constexpr (Kind != System::image) {
                if (inside && before) beforeU[k] = pair(i - g.slice());
                if (inside && behind) behindU[k] = pair(i + g.slice());
            }
            if (inside) fetched[k] = fetch(i);
        }
        // Of weights of edges: those along x, those along y above and below the rows, and the diagonal.
        double2 edgeX[weighted ? rows : 1] = {}, edgeY[weighted ? rows + 1 : 1] = {}, diagonals[weighted ? rows : 1];
        double edgeLeft[weighted ? rows : 1] = {};
        if constexpr (weighted) {
            const std::int64_t e = firstEdge + std::int64_t{top} * g.pitch + x;
#pragma unroll
            for (int k = 0; k < rows + 1; ++k)
                if (inside && (k + top > 0 || hasAbove) && (k + top < g.height || (k + top == g.height && hasBelow)))
                    edgeY[k] = loadPair(s.edges[1], e + std::int64_t{k - 1} * g.pitch);
#pragma unroll
            for (int k = 0; k < rows; ++k) {
                const std::int64_t row = e + std::int64_t{k} * g.pitch;
                const bool exists = inside && top + k < g.height;
                if (exists) edgeX[k] = loadPair(s.edges[0], row);
                if (exists && lane == 0 && x > 0) edgeLeft[k] = s.edges[0][row - 1];
                diagonals[k] = exists && s.diagonals ? loadPair(s.diagonals, row) : double2{s.diagonal, s.diagonal};
            }
        }
#pragma unroll
        for (int k = 0; k < rows; ++k) {
            const int y = top + k;
            if (y >= g.height) break;
            T toLeft = __shfl_up_sync(kAllLanes, u[k + 1].y, 1), toRight = __shfl_down_sync(kAllLanes, u[k + 1].x, 1);
            if (lane == 0) toLeft = besideStrip[k];
            if (lane == 31) toRight = besideStrip[k];
            const double2 own = widened(u[k + 1]), up = widened(u[k]), down = widened(u[k + 2]);
            const auto left = static_cast<double>(toLeft), right = static_cast<double>(toRight);
            double2 q;
            if constexpr (weighted) {
                const std::int64_t e = firstEdge + std::int64_t{y} * g.pitch + x;
                const double2 ofBefore = widened(beforeU[k]), ofBehind = widened(behindU[k]);
                double2 edgeBefore{0, 0}, edgeBehind{0, 0};
                if (inside && before) edgeBefore = loadPair(s.edges[2], e - g.slice());
                if (inside && behind) edgeBehind = loadPair(s.edges[2], e);
                double2 east = edgeX[k];
                if (x + 1 >= g.width) east.x = 0;
                if (x + 2 >= g.width) east.y = 0;
                double west = __shfl_up_sync(kAllLanes, east.y, 1);
                if (lane == 0) west = edgeLeft[k];
                double outside0 = diagonals[k].x, outside1 = diagonals[k].y;
                if (s.dirichlet) {
                    const double across = s.weights[1] * ((y == 0 && !hasAbove) + (y + 1 == g.height && !hasBelow)) +
                                          (g.depth > 1 ? s.weights[2] * (!before + !behind) : 0);
                    outside0 += across + s.weights[0] * ((x == 0) + (x + 1 == g.width));
                    outside1 += across + s.weights[0] * (x + 2 == g.width);
                }
                // Differences, since weights may be much larger than the diagonal.
                const double2 north = edgeY[k], south = edgeY[k + 1];
                q.x = outside0 * own.x + west * (own.x - left) + east.x * (own.x - own.y) + north.x * (own.x - up.x) +
                      south.x * (own.x - down.x) + edgeBefore.x * (own.x - ofBefore.x) + edgeBehind.x * (own.x - ofBehind.x);
                q.y = outside1 * own.y + east.x * (own.y - own.x) + east.y * (own.y - right) + north.y * (own.y - up.y) +
                      south.y * (own.y - down.y) + edgeBefore.y * (own.y - ofBefore.y) + edgeBehind.y * (own.y - ofBehind.y);
            } else {
                const double common =
                    s.diagonal + alongZ + s.weights[1] * (s.dirichlet ? 2 : (y > 0 || hasAbove) + (y + 1 < g.height || hasBelow));
                q.x = (common + alongX0) * own.x - s.weights[0] * (left + own.y) - s.weights[1] * (up.x + down.x);
                q.y = (common + alongX1) * own.y - s.weights[0] * (own.x + right) - s.weights[1] * (up.y + down.y);
                if constexpr (Kind == System::volume) {
                    const double2 ofBefore = widened(beforeU[k]), ofBehind = widened(behindU[k]);
                    q.x -= s.weights[2] * (ofBefore.x + ofBehind.x);
                    q.y -= s.weights[2] * (ofBefore.y + ofBehind.y);
                }
            }
            if (inside) consume(first + std::int64_t{y} * g.pitch + x, own, q, both, fetched[k]);
        }
    }
}

}  // namespace parallax::gpu
