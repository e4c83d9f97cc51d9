// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned inverse; see fused_parts.cuh. The mirror image of fused_forward.cuh: the two slices of a step are a coefficient of both bands
// along z, and a thread makes pairs of samples.
#pragma once

#include "gpu/operations/wavelet/kernels/fused_parts.cuh"

namespace parallax::gpu {

/// Of the even and the odd sample of a pair, in the order in which they meet coefficients: the last tap first. In the parameters of a
/// kernel, so in the constant bank.
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

/// Pairs of samples from coefficients that begin one apart.
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

/// A step of a walk along z: adds the next coefficient of each band to the sums of even samples (`parity` 0) or odd ones (1) that have met
/// some of theirs, Taps / 2 - 1 of them: index a has met a + 1 of each band. Returns the sample that has met all.
template <int Taps>
__device__ __forceinline__ float goOn(const SynthesisFilters<Taps>& filters, int parity, float* sums, float lo, float hi) {
    constexpr int kKept = Taps / 2 - 1;
    const float before = kKept > 0 ? sums[kKept - 1] : 0.0F;
    const float complete = fmaf(filters.hi[parity][kKept], hi, fmaf(filters.lo[parity][kKept], lo, before));
#pragma unroll
    for (int a = kKept - 1; a >= 0; --a)
        sums[a] = fmaf(filters.hi[parity][a], hi, fmaf(filters.lo[parity][a], lo, a > 0 ? sums[a - 1] : 0.0F));
    return complete;
}

/// Place of a coefficient that a filter meets, or -1 where there is none.
__device__ __forceinline__ int coefficientIndex(int i, int n, bool wraps) {
    if (static_cast<unsigned>(i) < static_cast<unsigned>(n)) return i;
    if (!wraps) return -1;
    const int m = i % n;
    return m < 0 ? m + n : m;
}

/// How the work of a block is laid out.
template <int Taps, bool AlongZ, int Threads, int Columns, int Rows, int Stages, bool Overlapped>
struct InverseShape {
    static constexpr int kSlices = AlongZ ? 2 : 1, kHalf = Taps / 2;                     ///< of a step
    static constexpr int kTileRows = Rows * (Threads / (2 * Columns));                   ///< pairs
    static constexpr int kBandRows = kTileRows + kHalf - 1, kStageRows = 2 * kBandRows;  ///< of coefficients
    static constexpr int kBandWords = Columns + (kHalf - 1 + 3) / 4 * 4;                 ///< of a band in a row
    /// Words of a row. An odd multiple of 4: eight rows side by side meet different banks, 16 bytes each.
    static constexpr int kStagePitch = 4 * (kBandWords / 2 | 1), kMiddlePitch = 4 * (Columns / 2 | 1);
    static constexpr int kStage = kStageRows * kStagePitch, kMiddle = kSlices * kStageRows * kMiddlePitch;
    static constexpr int kMiddles = Overlapped ? 2 : 1;
    /// A warp copies rows in pieces of 32 words; what is left of rows, columns of each band, goes round the threads.
    static constexpr int kPieces = Columns / 32, kLeft = Columns + kHalf - 1 - 32 * kPieces;
    static constexpr int kOwnLeft = (kStageRows * 2 * kLeft + Threads - 1) / Threads;
    static constexpr int kSharedBytes =
        (Stages * kSlices * kStage + kMiddles * kMiddle + 2 * kOwnLeft * Threads + kStagePitch + kStageRows) *
        static_cast<int>(sizeof(float));
    static_assert(Threads % 32 == 0 && Columns % 4 == 0 && Columns >= 32 && kTileRows > 0 && Taps % 2 == 0 && Taps <= 18);
};

template <int Taps, bool AlongZ, int Threads, int Columns, int Rows, int Blocks, int Stages, bool Overlapped>
__global__ void __launch_bounds__(Threads, Blocks)
    fusedInverseKernel(const FusedLevel level, const FusedGrid grid, const SynthesisFilters<Taps> filters) {
    using Shape = InverseShape<Taps, AlongZ, Threads, Columns, Rows, Stages, Overlapped>;
    constexpr int kSlices = Shape::kSlices, kHalf = Taps / 2, kStagePitch = Shape::kStagePitch, kMiddlePitch = Shape::kMiddlePitch;
    constexpr int kStage = Shape::kStage, kStageRows = Shape::kStageRows, kBandRows = Shape::kBandRows, kBandWords = Shape::kBandWords;
    constexpr int kKept = AlongZ ? kHalf - 1 : 0;
    extern __shared__ float4 fusedMemory[];
    float* const stages = reinterpret_cast<float*>(fusedMemory);
    float* const middles = stages + Stages * kSlices * kStage;
    int4* const offsets = reinterpret_cast<int4*>(middles + Shape::kMiddles * Shape::kMiddle);

    admitNextKernel();
    const int thread = static_cast<int>(threadIdx.x);
    const SynthesisPhase phase = synthesisPhase(Taps, level.rule);
    const int first = phase.shift - kHalf + 1;  // coefficient that pair 0 meets first
    const bool wraps = level.rule == ExtensionRule::periodization;
    const auto pairsOf = [&](int n) { return (n - 1 + phase.offset) / 2 + 1; };
    const int x0 = static_cast<int>(blockIdx.x) % grid.across * Columns;
    const int y0 = static_cast<int>(blockIdx.x) / grid.across * Shape::kTileRows;
    const int z0 = static_cast<int>(blockIdx.y) * grid.chunk;
    const int zEnd = min(z0 + grid.chunk, AlongZ ? pairsOf(level.samples[2]) : level.samples[2]);
    const int pairs = min(Columns, pairsOf(level.samples[0]) - x0), groups = (pairs + 3) / 4;
    const int pairRows = min(Shape::kTileRows, pairsOf(level.samples[1]) - y0);

    // Where the coefficients of a row and of a column of the stage are, in bytes. Places of coefficients that there are none of stay 0.
    int2* const leftCopies = reinterpret_cast<int2*>(middles + Shape::kMiddles * Shape::kMiddle) + thread;
    int* const columnOffsets = reinterpret_cast<int*>(leftCopies - thread + Shape::kOwnLeft * Threads);
    int* const rowOffsets = columnOffsets + kStagePitch;
#pragma unroll 1
    for (int i = thread; i < kStagePitch; i += Threads) {
        const int dx = i >= kBandWords, u = i - dx * kBandWords;
        const int c = u < pairs + kHalf - 1 ? coefficientIndex(x0 + first + u, level.count[0], wraps) : -1;
        columnOffsets[i] = c < 0 ? kNothing : (c + (dx > 0 ? level.detail[0] : 0)) * static_cast<int>(sizeof(float));
    }
#pragma unroll 1
    for (int i = thread; i < kStageRows; i += Threads) {
        const int dy = i >= kBandRows, v = i - dy * kBandRows;
        const int c = v < pairRows + kHalf - 1 ? coefficientIndex(y0 + first + v, level.count[1], wraps) : -1;
        rowOffsets[i] = c < 0
                            ? kNothing
                            : (c + (dy > 0 ? level.detail[1] : 0)) * static_cast<int>(level.in.rowStride * static_cast<int>(sizeof(float)));
    }
    for (int i = thread; i < Stages * kSlices * kStage / 4; i += Threads) fusedMemory[i] = make_float4(0, 0, 0, 0);
    __syncthreads();
    // What this thread copies, always for the same places of a slice: columns of the pieces of rows, by band, and what is left.
    constexpr int kPieces = Shape::kPieces, kLeft = Shape::kLeft, kLeftOfRow = kLeft > 0 ? 2 * kLeft : 1, kWarps = Threads / 32;
    const int lane = thread % 32, warp = thread / 32;
    int across[2][kPieces];
#pragma unroll
    for (int dx = 0; dx < 2; ++dx)
#pragma unroll
        for (int g = 0; g < kPieces; ++g) across[dx][g] = columnOffsets[dx * kBandWords + 32 * g + lane];
    constexpr int kLow = 1;  // of the approximation along x and y
#pragma unroll 1
    for (int k = 0; k < Shape::kOwnLeft; ++k) {
        const int copy = thread + k * Threads, row = copy / kLeftOfRow, i = copy % kLeftOfRow;
        const int column = 32 * kPieces + (i < kLeft ? i : i - kLeft + kBandWords);
        int2 own = make_int2(kNothing, row * kStagePitch + column);
        if (row < kStageRows && rowOffsets[row] >= 0 && columnOffsets[column] >= 0)
            own.x = rowOffsets[row] + columnOffsets[column] + (row < kBandRows && i < kLeft ? kLow : 0);
        leftCopies[k * Threads] = own;
    }

    /// Puts what coefficient z along z stands for into a stage, or begins to: the slice of the approximation, then that of the details.
    const std::int64_t sliceBytes = level.in.sliceStride * static_cast<std::int64_t>(sizeof(float));
    const std::int64_t lowBytes = level.inLow.sliceStride * static_cast<std::int64_t>(sizeof(float));
    const auto fill = [&](float* stage, int z) {
        const int c = AlongZ ? coefficientIndex(z, level.count[2], wraps) : z;
        if (c < 0) {
#pragma unroll 1
            for (int slot = thread; slot < kSlices * kStage; slot += Threads) stage[slot] = 0;
            return;
        }
        const char* const approximation = reinterpret_cast<const char*>(level.in.data) + c * sliceBytes;
        const char* const low = reinterpret_cast<const char*>(level.inLow.data) + c * lowBytes;
        const char* const details = approximation + level.detail[2] * sliceBytes;
#pragma unroll
        for (int g = 0; g < kPieces; ++g) {
            const bool some = across[0][g] >= 0, others = across[1][g] >= 0;
            const std::int64_t first = across[0][g], second = across[1][g];
            const char *const fromLow = low + first, *const fromFirst = approximation + first, *const fromSecond = approximation + second;
            const char *const detailsFirst = details + first, *const detailsSecond = details + second;
            float* const to = stage + 32 * g + lane;
#pragma unroll
            for (int row = 0; row < kStageRows; row += kWarps) {
                const int r = row + warp;
                if (row + kWarps > kStageRows && r >= kStageRows) continue;
                const int down = rowOffsets[r];
                if (down < 0) continue;
                if (some) {
                    __pipeline_memcpy_async(to + r * kStagePitch, (r < kBandRows ? fromLow : fromFirst) + down, sizeof(float));
                    if constexpr (AlongZ) __pipeline_memcpy_async(to + r * kStagePitch + kStage, detailsFirst + down, sizeof(float));
                }
                if (others) {
                    __pipeline_memcpy_async(to + r * kStagePitch + kBandWords, fromSecond + down, sizeof(float));
                    if constexpr (AlongZ)
                        __pipeline_memcpy_async(to + r * kStagePitch + kBandWords + kStage, detailsSecond + down, sizeof(float));
                }
            }
        }
#pragma unroll
        for (int k = 0; k < Shape::kOwnLeft; ++k) {
            const int2 own = leftCopies[k * Threads];
            if (own.x < 0) continue;
            const unsigned at = static_cast<unsigned>(own.x & ~kLow);
            __pipeline_memcpy_async(stage + own.y, ((own.x & kLow) != 0 ? low : approximation) + at, sizeof(float));
            if constexpr (AlongZ) __pipeline_memcpy_async(stage + own.y + kStage, details + at, sizeof(float));
        }
    };

    // What this thread makes: one column, some pairs of rows.
    const int column = thread % (2 * Columns), part = thread / (2 * Columns);
    const int x = 2 * x0 - phase.offset + column, y = 2 * (y0 + part * Rows) - phase.offset;
    const bool active =
        x >= 0 && x < level.samples[0] && y < level.samples[1] && (Threads % (2 * Columns) == 0 || part < Threads / (2 * Columns));
    const int fromRow = max(0, -y), endRow = min(2 * Rows, level.samples[1] - y);
    const std::int64_t rowStride = level.out.rowStride;
    const int zFirst = AlongZ ? 2 * z0 - phase.offset : z0;
    float* to = level.out.data + zFirst * level.out.sliceStride + y * rowStride + x;
    int zOut = zFirst;
    // Along z, of even samples, then of odd ones: see goOn.
    float pending[2][2 * Rows][kKept > 0 ? kKept : 1] = {};
    /// Rows of both slices of a stage, filtered along x: neighbouring threads have neighbouring rows.
    const auto alongX = [&](const float* stage, float* middle) {
        constexpr int kAllRows = kSlices * kStageRows;
#pragma unroll 1
        for (int i = thread; i < groups * kAllRows; i += Threads) {
            const int group = i / kAllRows, row = i % kAllRows;
            const float* const from = stage + row * kStagePitch + 4 * group;
            float* const result = middle + row * kMiddlePitch + 8 * group;
            constexpr int kWords = (3 + kHalf + 3) / 4 * 4;
            float lo[kWords], hi[kWords], samples[8];
#pragma unroll
            for (int w = 0; w < kWords; w += 4) {
                const float4 a = *reinterpret_cast<const float4*>(from + w), d = *reinterpret_cast<const float4*>(from + kBandWords + w);
                lo[w] = a.x, lo[w + 1] = a.y, lo[w + 2] = a.z, lo[w + 3] = a.w;
                hi[w] = d.x, hi[w + 1] = d.y, hi[w + 2] = d.z, hi[w + 3] = d.w;
            }
            synthesise<Taps, 4>(filters, lo, hi, samples);
            *reinterpret_cast<float4*>(result) = make_float4(samples[0], samples[1], samples[2], samples[3]);
            *reinterpret_cast<float4*>(result + 4) = make_float4(samples[4], samples[5], samples[6], samples[7]);
        }
    };
    /// What was filtered along x, along y and z.
    const auto alongYZ = [&](const float* middle, int step) {
        if (!active) return;
        float now[kSlices][2 * Rows];
#pragma unroll
        for (int s = 0; s < kSlices; ++s) {
            constexpr int kWords = Rows - 1 + kHalf;
            float lo[kWords], hi[kWords];
            const float* const from = middle + (s * kStageRows + Rows * part) * kMiddlePitch + column;
#pragma unroll
            for (int w = 0; w < kWords; ++w) {
                lo[w] = from[w * kMiddlePitch];
                hi[w] = from[(kBandRows + w) * kMiddlePitch];
            }
            synthesise<Taps, Rows>(filters, lo, hi, now[s]);
        }
        if constexpr (AlongZ) {
            float first[2 * Rows], second[2 * Rows];
#pragma unroll
            for (int i = 0; i < 2 * Rows; ++i) {
                first[i] = goOn<Taps>(filters, 0, pending[0][i], now[0][i], now[1][i]);
                second[i] = goOn<Taps>(filters, 1, pending[1][i], now[0][i], now[1][i]);
            }
            if (step < kKept) return;
            const bool even = zOut >= 0, odd = zOut + 1 < level.samples[2];
            if (fromRow == 0 && endRow == 2 * Rows && even && odd) {
#pragma unroll
                for (int i = 0; i < 2 * Rows; ++i) {
                    *(to + i * rowStride) = first[i];
                    *(to + (i * rowStride + level.out.sliceStride)) = second[i];
                }
            } else {
#pragma unroll
                for (int i = 0; i < 2 * Rows; ++i) {
                    if (i < fromRow || i >= endRow) continue;
                    if (even) *(to + i * rowStride) = first[i];
                    if (odd) *(to + (i * rowStride + level.out.sliceStride)) = second[i];
                }
            }
            to += 2 * level.out.sliceStride;
            zOut += 2;
        } else {
#pragma unroll
            for (int i = 0; i < 2 * Rows; ++i)
                if (i >= fromRow && i < endRow) *(to + i * rowStride) = now[0][i];
            to += level.out.sliceStride;
        }
    };

    int z = AlongZ ? z0 + first : z0;
    const int steps = zEnd - z0 + kKept;
    awaitEarlierKernels();
    walkAlongZ<Stages, Overlapped, kSlices * kStage, Shape::kMiddle>(
        stages, middles, steps,
        [&](float* stage) {
            fill(stage, z);
            ++z;
        },
        alongX, alongYZ);
}

template <int Taps, bool AlongZ, FusedTuning Tuning>
struct FusedInverse {
    using Shape = InverseShape<Taps, AlongZ, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.stages, Tuning.overlapped>;
    static constexpr auto kKernel =
        &fusedInverseKernel<Taps, AlongZ, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.blocks, Tuning.stages, Tuning.overlapped>;
    static constexpr int kSharedBytes = Shape::kSharedBytes;

    /// May its kernel begin early?
    static bool prepare() { return prepareFused(reinterpret_cast<const void*>(kKernel), kSharedBytes); }
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        const SynthesisPhase phase = synthesisPhase(Taps, level.rule);
        const auto pairsOf = [&](int n) { return (n - 1 + phase.offset) / 2 + 1; };
        const FusedGrid grid = fusedGrid(pairsOf(level.samples[0]), pairsOf(level.samples[1]),
                                         AlongZ ? pairsOf(level.samples[2]) : level.samples[2], Tuning, AlongZ ? Taps / 2 - 1 : 0, level);
        const dim3 blocks(static_cast<unsigned>(grid.blocks()), static_cast<unsigned>(grid.chunks));
        launchFused(kKernel, blocks, Tuning.threads, kSharedBytes, stream, level.early, level, grid, synthesisFilters<Taps>(level));
    }
};

}  // namespace parallax::gpu
