// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned inverse of coarse levels and small volumes: along z first, so that the many parts along z that such a volume needs filter only
// along z in vain.
//
// A thread has a position within the bands along x and y. At each step along z it adds the coefficients of the eight bands there, which
// were requested in the previous step, to its partial sums along z, of the four bands along x and y. Complete sums, two slices of each
// band, go to shared memory, where rows and then columns are filtered into samples. The order of summation depends on neither tiles nor
// parts.
#pragma once

#include "gpu/operations/wavelet/kernels/fused_inverse.cuh"

namespace parallax::gpu {

/// Sizes of a block's work.
template <int Taps, int Threads, int Columns, int TileRows, int Rows>
struct ZInverseShape {
    static constexpr int kTaps = Taps, kThreads = Threads, kColumns = Columns, kTileRows = TileRows, kRows = Rows;
    static constexpr int kHalf = Taps / 2, kSlices = 2, kKept = kHalf - 1;
    static constexpr int kReadRows = TileRows + kHalf - 1;                ///< of coefficients
    static constexpr int kBandWords = Columns + (kHalf - 1 + 3) / 4 * 4;  ///< of a band in a row
    static constexpr int kPlaces = kBandWords * kReadRows, kOwn = (kPlaces + Threads - 1) / Threads;
    static constexpr int kBandRows = 2 * kReadRows, kAllRows = kSlices * kBandRows;
    /// Words per row, an odd multiple of 4: 16-byte accesses to eight neighbouring rows use different banks.
    static constexpr int kPlanePitch = 4 * (kBandWords / 2 | 1), kMiddlePitch = 4 * (Columns / 2 | 1);
    static constexpr int kPlane = kAllRows * kPlanePitch, kMiddle = kAllRows * kMiddlePitch;
    static constexpr int kSharedBytes = (kPlane + kMiddle) * static_cast<int>(sizeof(float));
    static constexpr int kRowTasks = Columns / 4 * kAllRows;           ///< four pairs each
    static constexpr int kColumnLanes = (2 * Columns + 31) / 32 * 32;  ///< whole warps, which use different banks
    static constexpr int kParts = TileRows / Rows, kColumnTasks = kSlices * kParts * kColumnLanes;
    static_assert(Threads % 32 == 0 && Columns % 4 == 0 && TileRows % Rows == 0 && Taps % 2 == 0);
};

/// The level in a launch, in the constant bank. Offsets are in samples.
template <int Rows>
struct ZInverseLevel {
    /// First samples of the bands. Bits 0, 1 and 2 of the index: details along x, y and z.
    const float* bands[8];
    unsigned row, slice, lowSlice;  ///< strides of the mosaic; rows of the approximation are as long
    /// From the last slice to the one that follows it in the extended signal.
    unsigned behind, lowBehind;
    /// Rows of the first pairs.
    float* out[2 * Rows];
    unsigned outRow, outSlice;
    int samples[3], count[3];
    SynthesisPhase phase;
    bool wraps, admitsLate;
    FusedGrid grid;
};

/// The pairs of samples of a block.
template <class S>
struct ZInverseTile {
    int first;  ///< first coefficient of pair 0
    int x0, y0, z0, steps;
    __device__ __forceinline__ explicit ZInverseTile(const ZInverseLevel<S::kRows>& level)
        : first(level.phase.shift - S::kHalf + 1),
          x0(static_cast<int>(blockIdx.x) % level.grid.across * S::kColumns),
          y0(static_cast<int>(blockIdx.x) / level.grid.across * S::kTileRows),
          z0(static_cast<int>(blockIdx.y) * level.grid.chunk),
          steps(min(level.grid.chunk, pairsOf(level.samples[2], level.phase) - z0)) {}
};

/// Reads the coefficients at the positions of a thread, step by step along z.
template <class S>
struct ZInverseReader {
    using Coefficients = float[S::kOwn][4];  ///< per position, of the four bands along x and y

    const ZInverseLevel<S::kRows>& level;
    unsigned from[S::kOwn], fromLow[S::kOwn];
    int left, leftLow;  ///< remaining slices up to the last one, of the bands and of the approximation

    __device__ __forceinline__ ZInverseReader(const ZInverseLevel<S::kRows>& l, const ZInverseTile<S>& tile) : level(l) {
        // Coefficients after the last one are not used by any sample.
        const auto place = [&](int i, int n) { return static_cast<unsigned>(level.wraps ? coefficientIndex(i, n, true) : min(i, n - 1)); };
        const unsigned zFirst = place(tile.z0 + tile.first, level.count[2]);
#pragma unroll
        for (int o = 0; o < S::kOwn; ++o) {
            const int i = min(static_cast<int>(threadIdx.x) + o * S::kThreads, S::kPlaces - 1), u = i % S::kBandWords,
                      v = i / S::kBandWords;
            const unsigned at =
                place(tile.y0 + tile.first + v, level.count[1]) * level.row + place(tile.x0 + tile.first + u, level.count[0]);
            from[o] = zFirst * level.slice + at;
            fromLow[o] = zFirst * level.lowSlice + at;
        }
        left = leftLow = level.count[2] - static_cast<int>(zFirst);
    }
    /// Reads all bands except the approximation along all axes.
    __device__ __forceinline__ void readDetails(Coefficients& lo, Coefficients& hi) {
        const bool more = --left > 0;
        if (!more) left = level.wraps ? level.count[2] : 1;
        const unsigned step = more ? level.slice : level.behind;
#pragma unroll
        for (int o = 0; o < S::kOwn; ++o) {
#pragma unroll
            for (int b = 1; b < 4; ++b) lo[o][b] = level.bands[b][from[o]];
#pragma unroll
            for (int b = 0; b < 4; ++b) hi[o][b] = level.bands[4 + b][from[o]];
            from[o] += step;
        }
    }
    __device__ __forceinline__ void readApproximation(Coefficients& lo) {
        const bool more = --leftLow > 0;
        if (!more) leftLow = level.wraps ? level.count[2] : 1;
        const unsigned step = more ? level.lowSlice : level.lowBehind;
#pragma unroll
        for (int o = 0; o < S::kOwn; ++o) {
            lo[o][0] = level.bands[0][fromLow[o]];
            fromLow[o] += step;
        }
    }
};

/// Filters along z: holds the coefficients of the next step, which are in flight, and the partial sums of the positions.
template <class S>
struct ZInverseSums {
    using Coefficients = typename ZInverseReader<S>::Coefficients;

    const SynthesisFilters<S::kTaps>& filters;
    Coefficients lo, hi;  ///< of the approximation along z and of the details
    float partial[S::kOwn][4][2][S::kKept > 0 ? S::kKept : 1] = {};

    /// Reads the coefficients up to the first step. No kernel that may still be running writes details.
    __device__ __forceinline__ void begin(ZInverseReader<S>& reader) {
        float firstLo[S::kKept + 1][S::kOwn][4], firstHi[S::kKept + 1][S::kOwn][4];
#pragma unroll
        for (int k = 0; k <= S::kKept; ++k) reader.readDetails(firstLo[k], firstHi[k]);
        awaitEarlierKernels();
#pragma unroll
        for (int k = 0; k <= S::kKept; ++k) reader.readApproximation(firstLo[k]);
#pragma unroll
        for (int k = 0; k < S::kKept; ++k)
#pragma unroll
            for (int o = 0; o < S::kOwn; ++o)
#pragma unroll
                for (int b = 0; b < 4; ++b)
#pragma unroll
                    for (int p = 0; p < 2; ++p)
                        (void)synthesiseAlongZ<S::kTaps>(filters, p, partial[o][b][p], firstLo[k][o][b], firstHi[k][o][b]);
#pragma unroll
        for (int o = 0; o < S::kOwn; ++o)
#pragma unroll
            for (int b = 0; b < 4; ++b) lo[o][b] = firstLo[S::kKept][o][b], hi[o][b] = firstHi[S::kKept][o][b];
    }
    /// Completes two slices of each band in `plane` and requests the next coefficients (unused after the last step).
    __device__ __forceinline__ void step(ZInverseReader<S>& reader, float* plane) {
        float now[S::kOwn][4][2];
#pragma unroll
        for (int o = 0; o < S::kOwn; ++o)
#pragma unroll
            for (int b = 0; b < 4; ++b)
#pragma unroll
                for (int p = 0; p < 2; ++p) now[o][b][p] = synthesiseAlongZ<S::kTaps>(filters, p, partial[o][b][p], lo[o][b], hi[o][b]);
        reader.readDetails(lo, hi);
        reader.readApproximation(lo);
        const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
        for (int o = 0; o < S::kOwn; ++o) {
            const int i = thread + o * S::kThreads, u = i % S::kBandWords, v = i / S::kBandWords;
            if ((o + 1) * S::kThreads > S::kPlaces && i >= S::kPlaces) continue;
            float* const at = plane + v * S::kPlanePitch + u;
#pragma unroll
            for (int b = 0; b < 4; ++b)
#pragma unroll
                for (int p = 0; p < 2; ++p)
                    at[(p * S::kBandRows + b / 2 * S::kReadRows) * S::kPlanePitch + b % 2 * S::kBandWords] = now[o][b][p];
        }
    }
};

/// Filters rows of both slices along x; neighbouring threads have neighbouring rows.
template <class S>
__device__ __forceinline__ void synthesisePlaneRows(const SynthesisFilters<S::kTaps>& filters, const float* plane, float* middle) {
#pragma unroll
    for (int j = 0; j < (S::kRowTasks + S::kThreads - 1) / S::kThreads; ++j) {
        const int task = static_cast<int>(threadIdx.x) + j * S::kThreads, group = task / S::kAllRows, row = task % S::kAllRows;
        if ((j + 1) * S::kThreads > S::kRowTasks && task >= S::kRowTasks) continue;
        synthesiseGroup<S::kTaps, S::kBandWords>(filters, plane + row * S::kPlanePitch + 4 * group,
                                                 middle + row * S::kMiddlePitch + 8 * group);
    }
}

/// The samples of a thread along y. Tasks are assigned from the last thread on, since the first ones have more work along x.
template <class S>
struct ZInverseColumns {
    static constexpr int kCount = (S::kColumnTasks + S::kThreads - 1) / S::kThreads;

    const ZInverseLevel<S::kRows>& level;
    const SynthesisFilters<S::kTaps>& filters;
    int y0;
    bool wholeRows;
    int fromColumn[kCount], zOut[kCount];
    unsigned to[kCount];

    static __device__ __forceinline__ int taskOf(int j) { return S::kThreads - 1 - static_cast<int>(threadIdx.x) + j * S::kThreads; }

    __device__ __forceinline__ ZInverseColumns(const ZInverseLevel<S::kRows>& l, const SynthesisFilters<S::kTaps>& f,
                                               const ZInverseTile<S>& tile)
        : level(l), filters(f), y0(tile.y0) {
        const int offset = level.phase.offset;
#pragma unroll
        for (int j = 0; j < kCount; ++j) {
            const int task = taskOf(j), rest = task / S::kColumnLanes, part = rest % S::kParts, s = rest / S::kParts;
            const int column = S::kColumnLanes - 1 - task % S::kColumnLanes, x = 2 * tile.x0 - offset + column;
            const bool active = task < S::kColumnTasks && column < 2 * S::kColumns && x >= 0 && x < level.samples[0] &&
                                2 * (y0 + part * S::kRows) - offset < level.samples[1];
            fromColumn[j] = (s * S::kBandRows + S::kRows * part) * S::kMiddlePitch + column;
            zOut[j] = active ? 2 * tile.z0 - offset + s : level.samples[2];
            to[j] = static_cast<unsigned>(2 * tile.z0 + s) * level.outSlice +
                    static_cast<unsigned>(2 * (y0 + part * S::kRows)) * level.outRow + static_cast<unsigned>(2 * tile.x0 + column);
        }
        wholeRows = 2 * y0 >= offset && 2 * (y0 + S::kTileRows) - offset <= level.samples[1];
    }
    /// Both slices of a step.
    __device__ __forceinline__ void filter(const float* middle) {
#pragma unroll
        for (int j = 0; j < kCount; ++j) {
            const bool some = static_cast<unsigned>(zOut[j]) < static_cast<unsigned>(level.samples[2]);
            const unsigned at = to[j];
            zOut[j] += 2;
            to[j] += 2 * level.outSlice;
            if (!some) continue;
            constexpr int kWords = S::kRows - 1 + S::kHalf;
            float lo[kWords], hi[kWords], samples[2 * S::kRows];
            const float* const column = middle + fromColumn[j];
#pragma unroll
            for (int w = 0; w < kWords; ++w) {
                lo[w] = column[w * S::kMiddlePitch];
                hi[w] = column[(S::kReadRows + w) * S::kMiddlePitch];
            }
            synthesise<S::kTaps, S::kRows>(filters, lo, hi, samples);
            if (wholeRows) {
#pragma unroll
                for (int r = 0; r < 2 * S::kRows; ++r) level.out[r][at] = samples[r];
            } else {
                const int y = 2 * (y0 + taskOf(j) / S::kColumnLanes % S::kParts * S::kRows) - level.phase.offset;
#pragma unroll
                for (int r = 0; r < 2 * S::kRows; ++r)
                    if (y + r >= 0 && y + r < level.samples[1]) level.out[r][at] = samples[r];
            }
        }
    }
};

template <int Taps, int Threads, int Columns, int TileRows, int Rows, int Blocks>
__global__ void __launch_bounds__(Threads, Blocks)
    zFirstInverseKernel(const ZInverseLevel<Rows> level, const SynthesisFilters<Taps> filters) {
    using Shape = ZInverseShape<Taps, Threads, Columns, TileRows, Rows>;
    extern __shared__ float4 fusedMemory[];
    float* const plane = reinterpret_cast<float*>(fusedMemory);
    float* const middle = plane + Shape::kPlane;

    if (!level.admitsLate) admitNextKernel();
    const ZInverseTile<Shape> tile(level);
    ZInverseReader<Shape> reader(level, tile);
    ZInverseSums<Shape> sums{filters};
    sums.begin(reader);
    ZInverseColumns<Shape> columns(level, filters, tile);
#pragma unroll 1
    for (int step = 0; step < tile.steps; ++step) {
        sums.step(reader, plane);
        __syncthreads();
        synthesisePlaneRows<Shape>(filters, plane, middle);
        __syncthreads();
        columns.filter(middle);
    }
    if (level.admitsLate) admitNextKernel();
}

/// Pairs along z of a part, and their cost in pairs.
struct ZInverseParts {
    int chunk = 1;
    double cost = std::numeric_limits<double>::infinity();
};
/// A cost model: blocks run in waves, the last part along z may be smaller, and blocks on the same multiprocessor wait at the same time.
/// Fitted to volumes of 133 x 133 x 24 to 259 x 259 x 259.
inline ZInverseParts zInverseParts(std::int64_t tiles, int positions, int chunks, int multiprocessors, const ZInverseTuning& tuning) {
    constexpr int kMaxChunks = 65535;
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
        // Large numbers of parts hardly differ.
        const int most = std::min(positions, kMaxChunks);
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

    /// Returns whether its kernel may begin early.
    static bool prepare() { return prepareFused(reinterpret_cast<const void*>(kKernel), kSharedBytes); }
    static FusedGrid grid(const FusedLevel& level, double& cost) {
        const SynthesisPhase phase = synthesisPhase(Taps, level.rule);
        FusedGrid g;
        g.across = (pairsOf(level.samples[0], phase) + T.columns - 1) / T.columns;
        g.down = (pairsOf(level.samples[1], phase) + T.tileRows - 1) / T.tileRows;
        const int positions = pairsOf(level.samples[2], phase);
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
        l.wraps = level.rule == WaveletMode::periodization;
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

/// Chooses the kernel whose tiles suit a level best; all are bit-identical.
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
