// SPDX-License-Identifier: GPL-3.0-or-later
// A warp takes a strip of 128 columns of a channel, four per lane, and runs down its rows. Elements behind the ends of rows are 0, as their
// weights are, so that lanes whose first column is within the grid take all four.
#include "gpu/solvers/edges/iteration.hpp"

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/scalars.cuh"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of a solver could not be started";
constexpr int kColumns = 128;

/// Cuts a channel into strips, by its size alone, so that sums have the same order on every device.
struct EdgeStrips {
    int across, rows, bands;

    PARALLAX_HOST_DEVICE static EdgeStrips of(const Grid& g) {
        const int across = (g.width + kColumns - 1) / kColumns;
        // Enough strips to fill a device; long ones read fewer rows twice.
        constexpr std::int64_t enough = 6 * 1024;
        const std::int64_t rows = std::int64_t{g.height} * across / enough;
        const int length = rows < 4 ? 4 : rows > 32 ? 32 : static_cast<int>(rows);
        return {across, length, (g.height + length - 1) / length};
    }
    PARALLAX_HOST_DEVICE std::int64_t count() const { return std::int64_t{across} * bands; }
};

__device__ __forceinline__ float4 loadFour(const float* p, std::int64_t i) { return *reinterpret_cast<const float4*>(p + i); }
__device__ __forceinline__ void storeFour(float* p, std::int64_t i, float4 v) { *reinterpret_cast<float4*>(p + i) = v; }
__device__ __forceinline__ float4 sumOf(float4 v, float factor, float4 w) {
    return {v.x + factor * w.x, v.y + factor * w.y, v.z + factor * w.z, v.w + factor * w.w};
}

/// The strip of a warp.
struct StripOfWarp {
    int x, begin, end;
    int lane;
    bool exists, inside;
    std::int64_t first;  ///< element of the channel

    __device__ __forceinline__ static StripOfWarp of(const Grid& g, const BlockShare& share) {
        const EdgeStrips strips = EdgeStrips::of(g);
        const std::int64_t strip = std::int64_t{share.block} * (kSolverThreads / 32) + threadIdx.x / 32;
        StripOfWarp s;
        s.lane = static_cast<int>(threadIdx.x) % 32;
        s.x = static_cast<int>(strip % strips.across) * kColumns + 4 * s.lane;
        s.begin = static_cast<int>(strip / strips.across) * strips.rows;
        s.end = min(s.begin + strips.rows, g.height);
        s.exists = strip < strips.count();
        s.inside = s.x < g.width;
        s.first = share.channel * g.plane();
        return s;
    }
};

/// The part of the diagonal beyond the couplings.
struct Outside {
    const SolveArguments& a;
    int x;

    __device__ __forceinline__ float4 of(int y) const {
        const Grid& g = a.grid;
        const GridStencil& s = a.stencil;
        double own[4] = {s.diagonal, s.diagonal, s.diagonal, s.diagonal};
        if (s.diagonals)
#pragma unroll
            for (int k = 0; k < 4; ++k) own[k] = s.diagonals[std::int64_t{y} * g.pitch + x + k];
        if (s.dirichlet) {
            const double ofRow = s.weights[1] * ((y == 0) + (y + 1 == g.height));
#pragma unroll
            for (int k = 0; k < 4; ++k) own[k] += ofRow + s.weights[0] * ((x + k == 0) + (x + k + 1 == g.width));
        }
        return {static_cast<float>(own[0]), static_cast<float>(own[1]), static_cast<float>(own[2]), static_cast<float>(own[3])};
    }
};

/// Sums (z . A z) and (z . A p), p being the direction before, edge by edge.
__global__ __launch_bounds__(kSolverThreads, 4) void directionKernel(SolveArguments a, EdgeLevel l, EdgeVectors v) {
    if (hasEnded(a)) return;
    const Grid& g = a.grid;
    const BlockShare share = BlockShare::channelsInTurn(g);
    const ChannelState& state = a.channels[share.channel];
    const StripOfWarp s = StripOfWarp::of(g, share);
    const bool first = state.beta == 0;  // then there is no direction before, and its memory may hold anything
    Sums sums;
    if (s.exists && !state.done) {
        struct Row {
            float4 z{0, 0, 0, 0}, p{0, 0, 0, 0};
        };
        const auto load = [&](int y) {
            Row row;
            if (!s.inside || y >= g.height) return row;
            const std::int64_t i = s.first + std::int64_t{y} * g.pitch + s.x;
            row.z = loadFour(v.z, i);
            if (!first) row.p = loadFour(v.before, i);
            return row;
        };
        Row own = load(s.begin);
#pragma unroll 2
        for (int y = s.begin; y < s.end; ++y) {
            const Row below = load(y + 1);
            const std::int64_t i = std::int64_t{y} * g.pitch + s.x;
            float4 east{0, 0, 0, 0}, south{0, 0, 0, 0}, outside{0, 0, 0, 0};
            if (s.inside) {
                east = loadFour(l.east, i);
                south = loadFour(l.south, i);
                outside = Outside{a, s.x}.of(y);
            }
            float nextZ = __shfl_down_sync(kAllLanes, own.z.x, 1), nextP = __shfl_down_sync(kAllLanes, own.p.x, 1);
            if (s.lane == 31 && s.x + 4 < g.width) {
                nextZ = v.z[s.first + i + 4];
                nextP = first ? 0 : v.before[s.first + i + 4];
            }
            float zz = 0, zp = 0;
            const auto add = [&](float weight, float dz, float dp) {
                const float flow = weight * dz;
                zz += flow * dz;
                zp += flow * dp;
            };
            add(outside.x, own.z.x, own.p.x);
            add(outside.y, own.z.y, own.p.y);
            add(outside.z, own.z.z, own.p.z);
            add(outside.w, own.z.w, own.p.w);
            add(east.x, own.z.x - own.z.y, own.p.x - own.p.y);
            add(east.y, own.z.y - own.z.z, own.p.y - own.p.z);
            add(east.z, own.z.z - own.z.w, own.p.z - own.p.w);
            add(east.w, own.z.w - nextZ, own.p.w - nextP);
            add(south.x, own.z.x - below.z.x, own.p.x - below.p.x);
            add(south.y, own.z.y - below.z.y, own.p.y - below.p.y);
            add(south.z, own.z.z - below.z.z, own.p.z - below.p.z);
            add(south.w, own.z.w - below.z.w, own.p.w - below.p.w);
            sums.a += static_cast<double>(zz);
            sums.b += static_cast<double>(zp);
            own = below;
        }
    }
    sumOverBlocks(
        a, share, sums,
        [&](int channel, const Sums& sum) {
            ChannelState& c = a.channels[channel];
            if (c.done) return;
            c.beta = c.beta != 0 && c.curvature > 0 ? -sum.b / c.curvature : 0;
            c.curvature = sum.a + c.beta * sum.b;  // of z + beta p, which is orthogonal to p
            setAlpha(a, channel, c.curvature);
        },
        [] {});
}

template <IterationOfPair Which>
__global__ __launch_bounds__(kSolverThreads, 3) void updateKernel(SolveArguments a, EdgeLevel l, EdgeVectors v) {
    if (hasEnded(a)) return;
    constexpr bool second = Which == IterationOfPair::second;
    const Grid& g = a.grid;
    const BlockShare share = BlockShare::channelsInTurn(g);
    const ChannelState& state = a.channels[share.channel];
    const StripOfWarp s = StripOfWarp::of(g, share);
    // A channel that ended in the first iteration of the pair still lacks that one's direction in x.
    const double pending = second ? state.pending : 0, alpha = state.done ? 0 : state.alpha;
    const auto beta = static_cast<float>(state.beta), step = static_cast<float>(alpha * state.scale);
    const bool first = beta == 0 && pending == 0;
    Sums sums;
    if (s.exists && (alpha != 0 || pending != 0)) {
        struct Row {
            float4 p{0, 0, 0, 0}, before{0, 0, 0, 0};
            float nextTo = 0;  // the column beside the strip, for the lanes at its ends
        };
        const int nextTo = s.lane == 0 ? s.x - 1 : s.lane == 31 ? s.x + 4 : -1;
        const bool hasNextTo = nextTo >= 0 && nextTo < g.width;
        const auto load = [&](int y) {
            Row row;
            if (y < 0 || y >= g.height) return row;
            const std::int64_t i = s.first + std::int64_t{y} * g.pitch;
            if (s.inside) {
                if (!first) row.before = loadFour(v.before, i + s.x);
                row.p = sumOf(loadFour(v.z, i + s.x), beta, row.before);
            }
            if (hasNextTo) row.nextTo = v.z[i + nextTo] + (first ? 0 : beta * v.before[i + nextTo]);
            return row;
        };
        Row up = load(s.begin - 1), own = load(s.begin);
        float4 north{0, 0, 0, 0};
        if (s.begin > 0 && s.inside) north = loadFour(l.south, std::int64_t{s.begin - 1} * g.pitch + s.x);
        for (int y = s.begin; y < s.end; ++y) {
            const Row down = load(y + 1);
            const std::int64_t e = std::int64_t{y} * g.pitch + s.x, i = s.first + e;
            float4 east{0, 0, 0, 0}, south{0, 0, 0, 0}, outside{0, 0, 0, 0}, r{0, 0, 0, 0};
            double2 x[2] = {};
            if (s.inside) {
                east = loadFour(l.east, e);
                south = loadFour(l.south, e);
                outside = Outside{a, s.x}.of(y);
                r = loadFour(v.r, i);
                if constexpr (second) {
                    x[0] = loadPair(v.x, i);
                    x[1] = loadPair(v.x, i + 2);
                }
            }
            const float4 p = own.p;
            float left = __shfl_up_sync(kAllLanes, p.w, 1), right = __shfl_down_sync(kAllLanes, p.x, 1);
            float west = __shfl_up_sync(kAllLanes, east.w, 1);
            if (s.lane == 0) {
                left = own.nextTo;
                west = hasNextTo ? l.east[e - 1] : 0;
            }
            if (s.lane == 31) right = own.nextTo;
            const float flow[5] = {west * (p.x - left), east.x * (p.x - p.y), east.y * (p.y - p.z), east.z * (p.z - p.w),
                                   east.w * (p.w - right)};
            const float4 q{outside.x * p.x + flow[0] + flow[1] + north.x * (p.x - up.p.x) + south.x * (p.x - down.p.x),
                           outside.y * p.y - flow[1] + flow[2] + north.y * (p.y - up.p.y) + south.y * (p.y - down.p.y),
                           outside.z * p.z - flow[2] + flow[3] + north.z * (p.z - up.p.z) + south.z * (p.z - down.p.z),
                           outside.w * p.w - flow[3] + flow[4] + north.w * (p.w - up.p.w) + south.w * (p.w - down.p.w)};
            r = sumOf(r, -step, q);
            if (s.inside) {
                storeFour(v.r, i, r);
                storeFour(v.p, i, p);
                if constexpr (second) {
                    const auto add = [&](double to, float ofFirst, float ofSecond) {
                        return to + pending * static_cast<double>(ofFirst) + alpha * static_cast<double>(ofSecond);
                    };
                    storePair(v.x, i, {add(x[0].x, own.before.x, p.x), add(x[0].y, own.before.y, p.y)}, true);
                    storePair(v.x, i + 2, {add(x[1].x, own.before.z, p.z), add(x[1].y, own.before.w, p.w)}, true);
                }
            }
            sums.a += static_cast<double>(r.x * r.x + r.y * r.y + (r.z * r.z + r.w * r.w));
            north = south;
            up = own;
            own = down;
        }
    }
    sumOverBlocks(
        a, share, sums,
        [&](int channel, const Sums& sum) {
            const double scale = a.channels[channel].scale;
            setPending(a, channel, Which);
            setResidual(a, channel, sum.a / (scale * scale), true);
        },
        [&] { logResidual(a, a.state->iteration + 1); });
}

unsigned allBlocks(const Grid& g) { return edgeIterationBlocks(g) * static_cast<unsigned>(g.channels); }

}  // namespace

unsigned edgeIterationBlocks(const Grid& g) {
    constexpr int warps = kSolverThreads / 32;
    return static_cast<unsigned>((EdgeStrips::of(g).count() + warps - 1) / warps);
}

void launchEdgeDirection(const SolveArguments& a, const EdgeLevel& finest, const EdgeVectors& v, cudaStream_t stream) {
    directionKernel<<<allBlocks(a.grid), kSolverThreads, 0, stream>>>(a, finest, v);
    checkLaunch(kFailed);
}

void launchEdgeUpdate(const SolveArguments& a, const EdgeLevel& finest, IterationOfPair which, const EdgeVectors& v, cudaStream_t stream) {
    if (which == IterationOfPair::first)
        updateKernel<IterationOfPair::first><<<allBlocks(a.grid), kSolverThreads, 0, stream>>>(a, finest, v);
    else updateKernel<IterationOfPair::second><<<allBlocks(a.grid), kSolverThreads, 0, stream>>>(a, finest, v);
    checkLaunch(kFailed);
}

void preloadEdgeIteration() {
    preload(directionKernel);
    preload(updateKernel<IterationOfPair::first>);
    preload(updateKernel<IterationOfPair::second>);
}

}  // namespace parallax::gpu
