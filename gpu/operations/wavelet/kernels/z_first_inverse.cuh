// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned inverse of coarse levels and small volumes: along z first, so that parts along z, which such a volume needs many of, filter
// nothing in vain but along z.
//
// A thread has a place within the bands along x and y. At each step along z it takes the coefficients of the eight bands there, which were
// on their way since the step before, and adds them to sums along z that it keeps, those of the four bands along x and y. What is complete,
// two slices of each, goes into shared memory, where rows are filtered, and then columns, which are samples. Sums are in the same order
// whatever the tile and the parts.
#pragma once

#include "gpu/operations/wavelet/kernels/fused_inverse.cuh"

namespace parallax::gpu {

/// How the work of a block is laid out.
template <int Taps, int Threads, int Columns, int TileRows, int Rows>
struct ZInverseShape {
    static constexpr int kHalf = Taps / 2, kSlices = 2;
    static constexpr int kReadRows = TileRows + kHalf - 1;                ///< of coefficients
    static constexpr int kBandWords = Columns + (kHalf - 1 + 3) / 4 * 4;  ///< of a band in a row
    static constexpr int kPlaces = kBandWords * kReadRows, kOwn = (kPlaces + Threads - 1) / Threads;
    static constexpr int kBandRows = 2 * kReadRows, kAllRows = kSlices * kBandRows;
    /// Words of a row. An odd multiple of 4: eight rows side by side meet different banks, 16 bytes each.
    static constexpr int kPlanePitch = 4 * (kBandWords / 2 | 1), kMiddlePitch = 4 * (Columns / 2 | 1);
    static constexpr int kPlane = kAllRows * kPlanePitch, kMiddle = kAllRows * kMiddlePitch;
    static constexpr int kSharedBytes = (kPlane + kMiddle) * static_cast<int>(sizeof(float));
    static constexpr int kRowTasks = Columns / 4 * kAllRows;           ///< four pairs each
    static constexpr int kColumnLanes = (2 * Columns + 31) / 32 * 32;  ///< whole warps, which meet different banks
    static constexpr int kParts = TileRows / Rows, kColumnTasks = kSlices * kParts * kColumnLanes;
    static_assert(Threads % 32 == 0 && Columns % 4 == 0 && TileRows % Rows == 0 && Taps % 2 == 0);
};

/// What a launch knows of a level, all of it in the constant bank. Places are counted in samples.
template <int Rows>
struct ZInverseLevel {
    /// Where the bands begin: x is odd in the index where it has details, then y, then z.
    const float* bands[8];
    unsigned row, slice, lowSlice;  ///< of the mosaic; rows of the approximation are as long
    /// From the last slice to what stands for the one behind it.
    unsigned behind, lowBehind;
    /// Rows of the first pairs.
    float* out[2 * Rows];
    unsigned outRow, outSlice;
    int samples[3], count[3];
    SynthesisPhase phase;
    bool wraps, admitsLate;
    FusedGrid grid;
};

template <int Taps, int Threads, int Columns, int TileRows, int Rows, int Blocks>
__global__ void __launch_bounds__(Threads, Blocks)
    zFirstInverseKernel(const ZInverseLevel<Rows> level, const SynthesisFilters<Taps> filters) {
    using Shape = ZInverseShape<Taps, Threads, Columns, TileRows, Rows>;
    constexpr int kHalf = Taps / 2, kKept = kHalf - 1, kOwn = Shape::kOwn, kPlaces = Shape::kPlaces;
    constexpr int kPlanePitch = Shape::kPlanePitch, kMiddlePitch = Shape::kMiddlePitch;
    extern __shared__ float4 fusedMemory[];
    float* const plane = reinterpret_cast<float*>(fusedMemory);
    float* const middle = plane + Shape::kPlane;

    if (!level.admitsLate) admitNextKernel();
    const int thread = static_cast<int>(threadIdx.x);
    const SynthesisPhase phase = level.phase;
    const int first = phase.shift - kHalf + 1;  // coefficient that pair 0 meets first
    const int x0 = static_cast<int>(blockIdx.x) % level.grid.across * Columns;
    const int y0 = static_cast<int>(blockIdx.x) / level.grid.across * TileRows;
    const int z0 = static_cast<int>(blockIdx.y) * level.grid.chunk;
    const int steps = min(level.grid.chunk, (level.samples[2] - 1 + phase.offset) / 2 + 1 - z0);
    // Behind the last coefficient there is what meets no sample.
    const auto place = [&](int i, int n) { return static_cast<unsigned>(level.wraps ? coefficientIndex(i, n, true) : min(i, n - 1)); };

    const unsigned zFirst = place(z0 + first, level.count[2]);
    unsigned from[kOwn], fromLow[kOwn];
#pragma unroll
    for (int o = 0; o < kOwn; ++o) {
        const int i = min(thread + o * Threads, kPlaces - 1), u = i % Shape::kBandWords, v = i / Shape::kBandWords;
        const unsigned at = place(y0 + first + v, level.count[1]) * level.row + place(x0 + first + u, level.count[0]);
        from[o] = zFirst * level.slice + at;
        fromLow[o] = zFirst * level.lowSlice + at;
    }
    // Coefficients of a place, of the approximation along z and of the details.
    float lo[kOwn][4], hi[kOwn][4];
    int left = level.count[2] - static_cast<int>(zFirst), leftLow = left;  // slices to the last one, and that
    const auto nextDetails = [&](float(&l)[kOwn][4], float(&h)[kOwn][4]) {
        const bool more = --left > 0;
        if (!more) left = level.wraps ? level.count[2] : 1;
        const unsigned step = more ? level.slice : level.behind;
#pragma unroll
        for (int o = 0; o < kOwn; ++o) {
#pragma unroll
            for (int b = 1; b < 4; ++b) l[o][b] = level.bands[b][from[o]];
#pragma unroll
            for (int b = 0; b < 4; ++b) h[o][b] = level.bands[4 + b][from[o]];
            from[o] += step;
        }
    };
    const auto nextLow = [&](float(&l)[kOwn][4]) {
        const bool more = --leftLow > 0;
        if (!more) leftLow = level.wraps ? level.count[2] : 1;
        const unsigned step = more ? level.lowSlice : level.lowBehind;
#pragma unroll
        for (int o = 0; o < kOwn; ++o) {
            l[o][0] = level.bands[0][fromLow[o]];
            fromLow[o] += step;
        }
    };
    // Along z, of even samples, then of odd ones: see goOn.
    float pending[kOwn][4][2][kKept > 0 ? kKept : 1] = {};
    {
        float warmLo[kKept + 1][kOwn][4], warmHi[kKept + 1][kOwn][4];
        // No kernel that may still be at work writes details.
#pragma unroll
        for (int k = 0; k <= kKept; ++k) nextDetails(warmLo[k], warmHi[k]);
        awaitEarlierKernels();
#pragma unroll
        for (int k = 0; k <= kKept; ++k) nextLow(warmLo[k]);
#pragma unroll
        for (int k = 0; k < kKept; ++k)
#pragma unroll
            for (int o = 0; o < kOwn; ++o)
#pragma unroll
                for (int b = 0; b < 4; ++b)
#pragma unroll
                    for (int p = 0; p < 2; ++p) (void)goOn<Taps>(filters, p, pending[o][b][p], warmLo[k][o][b], warmHi[k][o][b]);
#pragma unroll
        for (int o = 0; o < kOwn; ++o)
#pragma unroll
            for (int b = 0; b < 4; ++b) lo[o][b] = warmLo[kKept][o][b], hi[o][b] = warmHi[kKept][o][b];
    }

    // What this thread makes along y, from the last thread on: the first ones have more to do along x.
    constexpr int kOwnColumns = (Shape::kColumnTasks + Threads - 1) / Threads;
    int fromColumn[kOwnColumns], zOut[kOwnColumns];
    unsigned to[kOwnColumns];
#pragma unroll
    for (int j = 0; j < kOwnColumns; ++j) {
        const int task = Threads - 1 - thread + j * Threads, rest = task / Shape::kColumnLanes;
        const int part = rest % Shape::kParts, s = rest / Shape::kParts;
        const int column = Shape::kColumnLanes - 1 - task % Shape::kColumnLanes, x = 2 * x0 - phase.offset + column;
        const bool active = task < Shape::kColumnTasks && column < 2 * Columns && x >= 0 && x < level.samples[0] &&
                            2 * (y0 + part * Rows) - phase.offset < level.samples[1];
        fromColumn[j] = (s * Shape::kBandRows + Rows * part) * kMiddlePitch + column;
        zOut[j] = active ? 2 * z0 - phase.offset + s : level.samples[2];
        to[j] = static_cast<unsigned>(2 * z0 + s) * level.outSlice + static_cast<unsigned>(2 * (y0 + part * Rows)) * level.outRow +
                static_cast<unsigned>(2 * x0 + column);
    }
    const bool wholeRows = 2 * y0 >= phase.offset && 2 * (y0 + TileRows) - phase.offset <= level.samples[1];

#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        float now[kOwn][4][2];
#pragma unroll
        for (int o = 0; o < kOwn; ++o)
#pragma unroll
            for (int b = 0; b < 4; ++b)
#pragma unroll
                for (int p = 0; p < 2; ++p) now[o][b][p] = goOn<Taps>(filters, p, pending[o][b][p], lo[o][b], hi[o][b]);
        // Those of the last step are in vain.
        nextDetails(lo, hi);
        nextLow(lo);
#pragma unroll
        for (int o = 0; o < kOwn; ++o) {
            const int i = thread + o * Threads, u = i % Shape::kBandWords, v = i / Shape::kBandWords;
            if ((o + 1) * Threads > kPlaces && i >= kPlaces) continue;
            float* const at = plane + v * kPlanePitch + u;
#pragma unroll
            for (int b = 0; b < 4; ++b)
#pragma unroll
                for (int p = 0; p < 2; ++p)
                    at[(p * Shape::kBandRows + b / 2 * Shape::kReadRows) * kPlanePitch + b % 2 * Shape::kBandWords] = now[o][b][p];
        }
        __syncthreads();
        // Rows: neighbouring threads have neighbouring ones.
#pragma unroll
        for (int j = 0; j < (Shape::kRowTasks + Threads - 1) / Threads; ++j) {
            const int task = thread + j * Threads, group = task / Shape::kAllRows, row = task % Shape::kAllRows;
            if ((j + 1) * Threads > Shape::kRowTasks && task >= Shape::kRowTasks) continue;
            const float* const at = plane + row * kPlanePitch + 4 * group;
            float* const result = middle + row * kMiddlePitch + 8 * group;
            constexpr int kWords = (3 + kHalf + 3) / 4 * 4;
            float l[kWords], h[kWords], samples[8];
#pragma unroll
            for (int w = 0; w < kWords; w += 4) {
                const float4 a = *reinterpret_cast<const float4*>(at + w), d = *reinterpret_cast<const float4*>(at + Shape::kBandWords + w);
                l[w] = a.x, l[w + 1] = a.y, l[w + 2] = a.z, l[w + 3] = a.w;
                h[w] = d.x, h[w + 1] = d.y, h[w + 2] = d.z, h[w + 3] = d.w;
            }
            synthesise<Taps, 4>(filters, l, h, samples);
            *reinterpret_cast<float4*>(result) = make_float4(samples[0], samples[1], samples[2], samples[3]);
            *reinterpret_cast<float4*>(result + 4) = make_float4(samples[4], samples[5], samples[6], samples[7]);
        }
        __syncthreads();
        // Columns.
#pragma unroll
        for (int j = 0; j < kOwnColumns; ++j) {
            const bool some = static_cast<unsigned>(zOut[j]) < static_cast<unsigned>(level.samples[2]);
            const unsigned at = to[j];
            zOut[j] += 2;
            to[j] += 2 * level.outSlice;
            if (!some) continue;
            constexpr int kWords = Rows - 1 + kHalf;
            float l[kWords], h[kWords], samples[2 * Rows];
            const float* const column = middle + fromColumn[j];
#pragma unroll
            for (int w = 0; w < kWords; ++w) {
                l[w] = column[w * kMiddlePitch];
                h[w] = column[(Shape::kReadRows + w) * kMiddlePitch];
            }
            synthesise<Taps, Rows>(filters, l, h, samples);
            if (wholeRows) {
#pragma unroll
                for (int r = 0; r < 2 * Rows; ++r) level.out[r][at] = samples[r];
            } else {
                const int task = Threads - 1 - thread + j * Threads;
                const int y = 2 * (y0 + task / Shape::kColumnLanes % Shape::kParts * Rows) - phase.offset;
#pragma unroll
                for (int r = 0; r < 2 * Rows; ++r)
                    if (y + r >= 0 && y + r < level.samples[1]) level.out[r][at] = samples[r];
            }
        }
    }
    if (level.admitsLate) admitNextKernel();
}

/// Pairs along z of a part, and what that costs, in pairs.
struct ZInverseParts {
    int chunk = 1;
    double cost = std::numeric_limits<double>::infinity();
};
/// Blocks run in waves of as many as the device holds; the last part along z may be smaller. Those that share a multiprocessor wait at the
/// same time. Fitted to what volumes of 133 x 133 x 24 to 259 x 259 x 259 took.
inline ZInverseParts zInverseParts(std::int64_t tiles, int positions, int chunks, int multiprocessors, const ZInverseTuning& tuning) {
    constexpr int kMostChunks = 65535;
    const std::int64_t atOnce = std::int64_t{multiprocessors} * tuning.blocks;
    const auto wave = [&](std::int64_t blocks, int chunk) {
        const auto shared = static_cast<double>((blocks + multiprocessors - 1) / multiprocessors);
        return blocks == 0 ? 0.0 : (chunk + kZInverseStartSteps) * (kZInverseWait + shared * tuning.pairs());
    };
    ZInverseParts best;
    const auto consider = [&](int parts) {
        const int chunk = (positions + parts - 1) / parts, rest = positions % chunk;
        const std::int64_t blocks = tiles * (positions / chunk), last = blocks % atOnce, smaller = rest > 0 ? tiles : 0;
        double cost = static_cast<double>(blocks / atOnce) * wave(atOnce, chunk);
        if (last > 0 && last + smaller <= atOnce) cost += wave(last + smaller, chunk);
        else cost += wave(last, chunk) + static_cast<double>(smaller / atOnce) * wave(atOnce, rest) + wave(smaller % atOnce, rest);
        if (cost < best.cost) best = {chunk, cost};
    };
    if (chunks > 0) {
        consider(std::min(chunks, positions));
    } else {
        // Many parts differ by little.
        const int most = std::min(positions, kMostChunks);
        for (int parts = std::max(1, positions / 4096); parts <= most; parts += 1 + parts / 16) consider(parts);
    }
    return best;
}

/// A kernel with tiles of one size.
template <int Taps, ZInverseTuning T>
struct ZInverseTiles {
    using Shape = ZInverseShape<Taps, T.threads, T.columns, T.tileRows, T.rows>;
    static constexpr auto kKernel = &zFirstInverseKernel<Taps, T.threads, T.columns, T.tileRows, T.rows, T.blocks>;
    static constexpr int kSharedBytes = Shape::kSharedBytes;

    /// May its kernel begin early?
    static bool prepare() { return prepareFused(reinterpret_cast<const void*>(kKernel), kSharedBytes); }
    static FusedGrid grid(const FusedLevel& level, double& cost) {
        const SynthesisPhase phase = synthesisPhase(Taps, level.rule);
        const auto pairsOf = [&](int n) { return (n - 1 + phase.offset) / 2 + 1; };
        FusedGrid g;
        g.across = (pairsOf(level.samples[0]) + T.columns - 1) / T.columns;
        g.down = (pairsOf(level.samples[1]) + T.tileRows - 1) / T.tileRows;
        const int positions = pairsOf(level.samples[2]);
        const ZInverseParts parts = zInverseParts(g.blocks(), positions, level.chunks, level.multiprocessors, T);
        g.chunk = parts.chunk;
        g.chunks = (positions + g.chunk - 1) / g.chunk;
        cost = parts.cost;
        return g;
    }
    static void launch(const FusedLevel& level, const FusedGrid& grid, cudaStream_t stream) {
        ZInverseLevel<T.rows> l{};
        for (int b = 0; b < 8; ++b)
            l.bands[b] = level.in.data + ((b & 1) != 0 ? level.detail[0] : 0) + ((b & 2) != 0 ? level.detail[1] * level.in.rowStride : 0) +
                         ((b & 4) != 0 ? level.detail[2] * level.in.sliceStride : 0);
        l.bands[0] = level.inLow.data;
        l.row = static_cast<unsigned>(level.in.rowStride);
        l.slice = static_cast<unsigned>(level.in.sliceStride);
        l.lowSlice = static_cast<unsigned>(level.inLow.sliceStride);
        l.phase = synthesisPhase(Taps, level.rule);
        l.wraps = level.rule == ExtensionRule::periodization;
        const unsigned behind = l.wraps ? 1U - static_cast<unsigned>(level.count[2]) : 0U;
        l.behind = behind * l.slice, l.lowBehind = behind * l.lowSlice;
        const int offset = l.phase.offset;
        for (int r = 0; r < 2 * T.rows; ++r)
            l.out[r] = level.out.data + (r - offset) * level.out.rowStride - offset * (level.out.sliceStride + 1);
        l.outRow = static_cast<unsigned>(level.out.rowStride);
        l.outSlice = static_cast<unsigned>(level.out.sliceStride);
        std::copy_n(level.samples, 3, l.samples);
        std::copy_n(level.count, 3, l.count);
        l.admitsLate = level.admitsLate;
        l.grid = grid;
        const dim3 blocks(static_cast<unsigned>(grid.blocks()), static_cast<unsigned>(grid.chunks));
        launchFused(kKernel, blocks, T.threads, kSharedBytes, stream, level.early, l, synthesisFilters<Taps>(level));
    }
};

/// The kernel whose tiles suit a level best. They all have the same bits.
template <int Taps, ZInverseTuning... Tunings>
struct ZFirstInverse {
    static constexpr int kSharedBytes = std::max({ZInverseTiles<Taps, Tunings>::kSharedBytes...});
    static bool prepare() { return (static_cast<int>(ZInverseTiles<Taps, Tunings>::prepare()) & ...) != 0; }
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        double costs[sizeof...(Tunings)];
        std::size_t i = 0;
        const FusedGrid grids[] = {ZInverseTiles<Taps, Tunings>::grid(level, costs[i++])...};
        const auto best = static_cast<std::size_t>(std::min_element(std::begin(costs), std::end(costs)) - std::begin(costs));
        i = 0;
        ((i++ == best ? ZInverseTiles<Taps, Tunings>::launch(level, grids[best], stream) : static_cast<void>(0)), ...);
    }
};

}  // namespace parallax::gpu
