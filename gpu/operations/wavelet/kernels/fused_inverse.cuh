// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned inverse transform; see fused_parts.cuh. It mirrors fused_forward.cuh: the two slices of a step are a coefficient of both bands
// along z, and a thread computes pairs of samples.
#pragma once

#include "gpu/operations/wavelet/kernels/fused_parts.cuh"

namespace parallax::gpu {

/// Reversed taps of the even and the odd sample of a pair, in the order of the coefficients. Kernel parameters are in the constant bank.
template <int Taps>
struct SynthesisFilters {
    float lo[2][Taps / 2], hi[2][Taps / 2];
};

template <int Taps>
SynthesisFilters<Taps> synthesisFilters(const FusedLevel& level) {
    SynthesisFilters<Taps> filters;
    for (int k = 0; k < Taps / 2; ++k)
        for (int p = 0; p < 2; ++p) {
            filters.lo[p][k] = level.lo[2 * (Taps / 2 - 1 - k) + p];
            filters.hi[p][k] = level.hi[2 * (Taps / 2 - 1 - k) + p];
        }
    return filters;
}

/// Returns the pairs of `n` samples along an axis.
__host__ __device__ inline int pairsOf(int n, const SynthesisPhase& phase) { return (n - 1 + phase.offset) / 2 + 1; }

/// Computes pairs of samples; their coefficients begin one apart.
template <int Taps, int Pairs>
__device__ __forceinline__ void synthesise(const SynthesisFilters<Taps>& filters, const float* lo, const float* hi, float* samples) {
#pragma unroll
    for (int i = 0; i < 2 * Pairs; ++i) samples[i] = 0;
#pragma unroll
    for (int k = 0; k < Taps / 2; ++k)
#pragma unroll
        for (int i = 0; i < 2 * Pairs; ++i) {
            samples[i] = fmaf(filters.lo[i % 2][k], lo[i / 2 + k], samples[i]);
            samples[i] = fmaf(filters.hi[i % 2][k], hi[i / 2 + k], samples[i]);
        }
}

/// Computes four pairs of a row in shared memory; the details are BandWords after the approximation.
template <int Taps, int BandWords>
__device__ __forceinline__ void synthesiseGroup(const SynthesisFilters<Taps>& filters, const float* from, float* result) {
    constexpr int kWords = (3 + Taps / 2 + 3) / 4 * 4;
    float lo[kWords], hi[kWords], samples[8];
    readFours<kWords>(from, lo);
    readFours<kWords>(from + BandWords, hi);
    synthesise<Taps, 4>(filters, lo, hi, samples);
    *reinterpret_cast<float4*>(result) = make_float4(samples[0], samples[1], samples[2], samples[3]);
    *reinterpret_cast<float4*>(result + 4) = make_float4(samples[4], samples[5], samples[6], samples[7]);
}

/// accumulateAlongZ() for even (`parity` 0) or odd samples (1); a pair of values is a coefficient of each band.
template <int Taps>
__device__ __forceinline__ float synthesiseAlongZ(const SynthesisFilters<Taps>& filters, int parity, float* partial, float lo, float hi) {
    return accumulateAlongZ<Taps / 2 - 1>([&](int a) { return make_float2(filters.lo[parity][a], filters.hi[parity][a]); }, partial, lo,
                                          hi);
}

/// Returns the index of a coefficient, or -1 if there is none.
__device__ __forceinline__ int coefficientIndex(int i, int n, bool wraps) {
    if (static_cast<unsigned>(i) < static_cast<unsigned>(n)) return i;
    if (!wraps) return -1;
    const int m = i % n;
    return m < 0 ? m + n : m;
}

/// Sizes of a block's work.
template <int Taps, bool AlongZ, int Threads, int Columns, int Rows, int Stages, bool Overlapped>
struct InverseShape {
    static constexpr int kTaps = Taps, kThreads = Threads, kColumns = Columns, kRows = Rows, kStages = Stages;
    static constexpr bool kAlongZ = AlongZ, kOverlapped = Overlapped;
    static constexpr int kSlices = AlongZ ? 2 : 1, kHalf = Taps / 2;                     ///< slices of a step
    static constexpr int kKept = AlongZ ? kHalf - 1 : 0;                                 ///< partial sums along z of a sample
    static constexpr int kTileRows = Rows * (Threads / (2 * Columns));                   ///< pairs
    static constexpr int kBandRows = kTileRows + kHalf - 1, kStageRows = 2 * kBandRows;  ///< rows of coefficients
    static constexpr int kBandWords = Columns + (kHalf - 1 + 3) / 4 * 4;                 ///< words of a band in a row
    /// Words per row, an odd multiple of 4: 16-byte accesses to eight neighbouring rows use different banks.
    static constexpr int kStagePitch = 4 * (kBandWords / 2 | 1), kMiddlePitch = 4 * (Columns / 2 | 1);
    static constexpr int kStage = kStageRows * kStagePitch, kMiddle = kSlices * kStageRows * kMiddlePitch;
    static constexpr int kMiddles = Overlapped ? 2 : 1;
    /// A warp copies rows in pieces of 32 words; the remaining columns of each band are distributed among the threads.
    static constexpr int kPieces = Columns / 32, kRest = Columns + kHalf - 1 - 32 * kPieces;
    static constexpr int kRestCopies = (kStageRows * 2 * kRest + Threads - 1) / Threads;  ///< of a thread
    static constexpr int kSharedBytes =
        (Stages * kSlices * kStage + kMiddles * kMiddle + 2 * kRestCopies * Threads + kStagePitch + kStageRows) *
        static_cast<int>(sizeof(float));
    static_assert(Threads % 32 == 0 && Columns % 4 == 0 && Columns >= 32 && kTileRows > 0 && Taps % 2 == 0 && Taps <= 18);
};

/// The pairs of samples of a block.
template <class S>
struct InverseTile {
    SynthesisPhase phase;
    int first;  ///< first coefficient of pair 0
    bool wraps;
    int x0, y0, z0, zEnd;
    int pairs, groups;  ///< along x; groups of four
    int pairRows;       ///< along y

    __device__ __forceinline__ InverseTile(const FusedLevel& level, const FusedGrid& grid)
        : phase(synthesisPhase(S::kTaps, level.rule)),
          first(phase.shift - S::kHalf + 1),
          wraps(level.rule == WaveletMode::periodization),
          x0(static_cast<int>(blockIdx.x) % grid.across * S::kColumns),
          y0(static_cast<int>(blockIdx.x) / grid.across * S::kTileRows),
          z0(static_cast<int>(blockIdx.y) * grid.chunk),
          zEnd(min(z0 + grid.chunk, S::kAlongZ ? pairsOf(level.samples[2], phase) : level.samples[2])),
          pairs(min(S::kColumns, pairsOf(level.samples[0], phase) - x0)),
          groups((pairs + 3) / 4),
          pairRows(min(S::kTileRows, pairsOf(level.samples[1], phase) - y0)) {}
};

/// Copies slices of coefficients into stages. A thread copies to the same positions of every slice: columns of the pieces of rows, by band,
/// and its share of the rest. Positions without a coefficient stay 0.
template <class S>
struct InverseLoader {
    static constexpr int kWarps = S::kThreads / 32, kRestOfRow = S::kRest > 0 ? 2 * S::kRest : 1;
    static constexpr int kLow = 1;  ///< bit of an offset: in the approximation along x and y

    const FusedLevel& level;
    bool wraps;
    int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
    int2* restCopies;
    int *columnOffsets, *rowOffsets;  ///< of the stage, in bytes
    int across[2][S::kPieces];
    std::int64_t sliceBytes, lowBytes;

    __device__ __forceinline__ InverseLoader(const FusedLevel& l, const InverseTile<S>& tile, float* tables)
        : level(l),
          wraps(tile.wraps),
          restCopies(reinterpret_cast<int2*>(tables) + thread),
          columnOffsets(reinterpret_cast<int*>(restCopies - thread + S::kRestCopies * S::kThreads)),
          rowOffsets(columnOffsets + S::kStagePitch) {}

    __device__ __forceinline__ void findOffsets(const InverseTile<S>& tile) {
#pragma unroll 1
        for (int i = thread; i < S::kStagePitch; i += S::kThreads) {
            const int dx = i >= S::kBandWords, u = i - dx * S::kBandWords;
            const int c = u < tile.pairs + S::kHalf - 1 ? coefficientIndex(tile.x0 + tile.first + u, level.count[0], wraps) : -1;
            columnOffsets[i] = c < 0 ? kNoOffset : (c + (dx > 0 ? level.detail[0] : 0)) * static_cast<int>(sizeof(float));
        }
#pragma unroll 1
        for (int i = thread; i < S::kStageRows; i += S::kThreads) {
            const int dy = i >= S::kBandRows, v = i - dy * S::kBandRows;
            const int c = v < tile.pairRows + S::kHalf - 1 ? coefficientIndex(tile.y0 + tile.first + v, level.count[1], wraps) : -1;
            rowOffsets[i] =
                c < 0 ? kNoOffset
                      : (c + (dy > 0 ? level.detail[1] : 0)) * static_cast<int>(level.in.rowStride * static_cast<int>(sizeof(float)));
        }
    }

    /// To be called after findOffsets() and a barrier.
    __device__ __forceinline__ void findCopies() {
#pragma unroll
        for (int dx = 0; dx < 2; ++dx)
#pragma unroll
            for (int g = 0; g < S::kPieces; ++g) across[dx][g] = columnOffsets[dx * S::kBandWords + 32 * g + lane];
#pragma unroll 1
        for (int k = 0; k < S::kRestCopies; ++k) {
            const int copy = thread + k * S::kThreads, row = copy / kRestOfRow, i = copy % kRestOfRow;
            const int column = 32 * S::kPieces + (i < S::kRest ? i : i - S::kRest + S::kBandWords);
            int2 own = make_int2(kNoOffset, row * S::kStagePitch + column);
            if (row < S::kStageRows && rowOffsets[row] >= 0 && columnOffsets[column] >= 0)
                own.x = rowOffsets[row] + columnOffsets[column] + (row < S::kBandRows && i < S::kRest ? kLow : 0);
            restCopies[k * S::kThreads] = own;
        }
        sliceBytes = level.in.sliceStride * static_cast<std::int64_t>(sizeof(float));
        lowBytes = level.inLow.sliceStride * static_cast<std::int64_t>(sizeof(float));
    }

    /// Starts the copies of coefficient z along z into a stage: the slice of the approximation, then that of the details.
    __device__ __forceinline__ void fill(float* stage, int z) const {
        const int c = S::kAlongZ ? coefficientIndex(z, level.count[2], wraps) : z;
        if (c < 0) {
#pragma unroll 1
            for (int slot = thread; slot < S::kSlices * S::kStage; slot += S::kThreads) stage[slot] = 0;
            return;
        }
        const char* const approximation = reinterpret_cast<const char*>(level.in.data) + c * sliceBytes;
        const char* const low = reinterpret_cast<const char*>(level.inLow.data) + c * lowBytes;
        const char* const details = approximation + level.detail[2] * sliceBytes;
#pragma unroll
        for (int g = 0; g < S::kPieces; ++g) {
            const bool hasFirst = across[0][g] >= 0, hasSecond = across[1][g] >= 0;
            const std::int64_t first = across[0][g], second = across[1][g];
            const char *const fromLow = low + first, *const fromFirst = approximation + first, *const fromSecond = approximation + second;
            const char *const detailsFirst = details + first, *const detailsSecond = details + second;
            float* const to = stage + 32 * g + lane;
#pragma unroll
            for (int row = 0; row < S::kStageRows; row += kWarps) {
                const int r = row + warp;
                if (row + kWarps > S::kStageRows && r >= S::kStageRows) continue;
                const int down = rowOffsets[r];
                if (down < 0) continue;
                if (hasFirst) {
                    __pipeline_memcpy_async(to + r * S::kStagePitch, (r < S::kBandRows ? fromLow : fromFirst) + down, sizeof(float));
                    if constexpr (S::kAlongZ)
                        __pipeline_memcpy_async(to + r * S::kStagePitch + S::kStage, detailsFirst + down, sizeof(float));
                }
                if (hasSecond) {
                    __pipeline_memcpy_async(to + r * S::kStagePitch + S::kBandWords, fromSecond + down, sizeof(float));
                    if constexpr (S::kAlongZ)
                        __pipeline_memcpy_async(to + r * S::kStagePitch + S::kBandWords + S::kStage, detailsSecond + down, sizeof(float));
                }
            }
        }
#pragma unroll
        for (int k = 0; k < S::kRestCopies; ++k) {
            const int2 own = restCopies[k * S::kThreads];
            if (own.x < 0) continue;
            const unsigned at = static_cast<unsigned>(own.x & ~kLow);
            __pipeline_memcpy_async(stage + own.y, ((own.x & kLow) != 0 ? low : approximation) + at, sizeof(float));
            if constexpr (S::kAlongZ) __pipeline_memcpy_async(stage + own.y + S::kStage, details + at, sizeof(float));
        }
    }
};

/// Filters rows of all slices of a stage along x; neighbouring threads have neighbouring rows.
template <class S>
__device__ __forceinline__ void synthesiseRows(const SynthesisFilters<S::kTaps>& filters, int groups, const float* stage, float* middle) {
    constexpr int kAllRows = S::kSlices * S::kStageRows;
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < groups * kAllRows; i += S::kThreads) {
        const int group = i / kAllRows, row = i % kAllRows;
        synthesiseGroup<S::kTaps, S::kBandWords>(filters, stage + row * S::kStagePitch + 4 * group,
                                                 middle + row * S::kMiddlePitch + 8 * group);
    }
}

/// The samples of a thread: one column, some pairs of rows. Filters along y and z.
template <class S>
struct InverseColumn {
    const FusedLevel& level;
    const SynthesisFilters<S::kTaps>& filters;
    int column, part;
    bool active;
    int fromRow, endRow;  ///< rows within the volume
    std::int64_t rowStride;
    int zOut;
    float* to;
    float partial[2][2 * S::kRows][S::kKept > 0 ? S::kKept : 1] = {};  ///< along z, of even samples, then of odd ones

    __device__ __forceinline__ InverseColumn(const FusedLevel& l, const SynthesisFilters<S::kTaps>& f, const InverseTile<S>& tile)
        : level(l), filters(f) {
        const int thread = static_cast<int>(threadIdx.x);
        column = thread % (2 * S::kColumns), part = thread / (2 * S::kColumns);
        const int x = 2 * tile.x0 - tile.phase.offset + column, y = 2 * (tile.y0 + part * S::kRows) - tile.phase.offset;
        active = x >= 0 && x < level.samples[0] && y < level.samples[1] &&
                 (S::kThreads % (2 * S::kColumns) == 0 || part < S::kThreads / (2 * S::kColumns));
        fromRow = max(0, -y), endRow = min(2 * S::kRows, level.samples[1] - y);
        rowStride = level.out.rowStride;
        zOut = S::kAlongZ ? 2 * tile.z0 - tile.phase.offset : tile.z0;
        to = level.out.data + zOut * level.out.sliceStride + y * rowStride + x;
    }

    /// `middle`: rows filtered along x.
    __device__ __forceinline__ void filter(const float* middle, int step) {
        if (!active) return;
        float now[S::kSlices][2 * S::kRows];
#pragma unroll
        for (int s = 0; s < S::kSlices; ++s) {
            constexpr int kWords = S::kRows - 1 + S::kHalf;
            float lo[kWords], hi[kWords];
            const float* const from = middle + (s * S::kStageRows + S::kRows * part) * S::kMiddlePitch + column;
#pragma unroll
            for (int w = 0; w < kWords; ++w) {
                lo[w] = from[w * S::kMiddlePitch];
                hi[w] = from[(S::kBandRows + w) * S::kMiddlePitch];
            }
            synthesise<S::kTaps, S::kRows>(filters, lo, hi, now[s]);
        }
        if constexpr (S::kAlongZ) {
            float first[2 * S::kRows], second[2 * S::kRows];
#pragma unroll
            for (int i = 0; i < 2 * S::kRows; ++i) {
                first[i] = synthesiseAlongZ<S::kTaps>(filters, 0, partial[0][i], now[0][i], now[1][i]);
                second[i] = synthesiseAlongZ<S::kTaps>(filters, 1, partial[1][i], now[0][i], now[1][i]);
            }
            if (step >= S::kKept) storePair(first, second);
        } else {
#pragma unroll
            for (int i = 0; i < 2 * S::kRows; ++i)
                if (i >= fromRow && i < endRow) *(to + i * rowStride) = now[0][i];
            to += level.out.sliceStride;
        }
    }

private:
    __device__ __forceinline__ void storePair(const float* first, const float* second) {
        const bool even = zOut >= 0, odd = zOut + 1 < level.samples[2];
        if (fromRow == 0 && endRow == 2 * S::kRows && even && odd) {
#pragma unroll
            for (int i = 0; i < 2 * S::kRows; ++i) {
                *(to + i * rowStride) = first[i];
                *(to + (i * rowStride + level.out.sliceStride)) = second[i];
            }
        } else {
#pragma unroll
            for (int i = 0; i < 2 * S::kRows; ++i) {
                if (i < fromRow || i >= endRow) continue;
                if (even) *(to + i * rowStride) = first[i];
                if (odd) *(to + (i * rowStride + level.out.sliceStride)) = second[i];
            }
        }
        to += 2 * level.out.sliceStride;
        zOut += 2;
    }
};

template <int Taps, bool AlongZ, int Threads, int Columns, int Rows, int Blocks, int Stages, bool Overlapped>
__global__ void __launch_bounds__(Threads, Blocks)
    fusedInverseKernel(const FusedLevel level, const FusedGrid grid, const SynthesisFilters<Taps> filters) {
    using Shape = InverseShape<Taps, AlongZ, Threads, Columns, Rows, Stages, Overlapped>;
    extern __shared__ float4 fusedMemory[];
    float* const stages = reinterpret_cast<float*>(fusedMemory);
    float* const middles = stages + Stages * Shape::kSlices * Shape::kStage;

    admitNextKernel();
    const InverseTile<Shape> tile(level, grid);
    InverseLoader<Shape> loader(level, tile, middles + Shape::kMiddles * Shape::kMiddle);
    loader.findOffsets(tile);
    for (int i = static_cast<int>(threadIdx.x); i < Stages * Shape::kSlices * Shape::kStage / 4; i += Threads)
        fusedMemory[i] = make_float4(0, 0, 0, 0);
    __syncthreads();
    loader.findCopies();
    InverseColumn<Shape> column(level, filters, tile);
    int z = AlongZ ? tile.z0 + tile.first : tile.z0;
    awaitEarlierKernels();
    walkAlongZ<Stages, Overlapped, Shape::kSlices * Shape::kStage, Shape::kMiddle>(
        stages, middles, tile.zEnd - tile.z0 + Shape::kKept,
        [&](float* stage) {
            loader.fill(stage, z);
            ++z;
        },
        [&](const float* stage, float* middle) { synthesiseRows<Shape>(filters, tile.groups, stage, middle); },
        [&](const float* middle, int step) { column.filter(middle, step); });
}

template <int Taps, bool AlongZ, FusedTuning Tuning>
struct FusedInverse {
    using Shape = InverseShape<Taps, AlongZ, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.stages, Tuning.overlapped>;
    static constexpr auto kKernel =
        &fusedInverseKernel<Taps, AlongZ, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.blocks, Tuning.stages, Tuning.overlapped>;
    static constexpr int kSharedBytes = Shape::kSharedBytes;

    /// Returns whether its kernel may begin early.
    static bool prepare() { return prepareFused(reinterpret_cast<const void*>(kKernel), kSharedBytes); }
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        const SynthesisPhase phase = synthesisPhase(Taps, level.rule);
        const FusedGrid grid =
            fusedGrid(pairsOf(level.samples[0], phase), pairsOf(level.samples[1], phase),
                      AlongZ ? pairsOf(level.samples[2], phase) : level.samples[2], Tuning, AlongZ ? Taps / 2 - 1 : 0, level);
        const dim3 blocks(static_cast<unsigned>(grid.blocks()), static_cast<unsigned>(grid.chunks));
        launchFused(kKernel, blocks, Tuning.threads, kSharedBytes, stream, level.early, level, grid, synthesisFilters<Taps>(level));
    }
};

}  // namespace parallax::gpu
