// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned inverse; see fused_parts.cuh. The mirror image of fused_forward.cuh: the two slices of a step are a coefficient of both bands
// along z, and a thread makes pairs of samples.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

#include "parallax/gpu/operations/wavelet/fused_parts.cuh"

namespace parallax::gpu {

/// Of the even and the odd sample of a pair, in the order in which they meet coefficients: the last tap first. In the parameters of a
/// kernel, so in the constant bank.
template <int Taps>
struct SynthesisFilters {
    float lo[2][Taps / 2], hi[2][Taps / 2];
};

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

/// Place of a coefficient that a filter meets, or -1 where there is none.
__device__ __forceinline__ int coefficientIndex(int i, int n, bool wraps) {
    if (static_cast<unsigned>(i) < static_cast<unsigned>(n)) return i;
    if (!wraps) return -1;
    const int m = i % n;
    return m < 0 ? m + n : m;
}

/// How the work of a block is laid out.
template <int Taps, bool AlongZ, int Threads, int Columns, int Rows, bool Overlapped>
struct InverseShape {
    static constexpr int kSlices = AlongZ ? 2 : 1, kHalf = Taps / 2;                     ///< of a step
    static constexpr int kTileRows = Rows * (Threads / (2 * Columns));                   ///< pairs
    static constexpr int kBandRows = kTileRows + kHalf - 1, kStageRows = 2 * kBandRows;  ///< of coefficients
    static constexpr int kBandWords = Columns + (kHalf - 1 + 3) / 4 * 4;                 ///< of a band in a row
    /// Words of a row. An odd multiple of 4: eight rows side by side meet different banks, 16 bytes each.
    static constexpr int kStagePitch = 4 * (kBandWords / 2 | 1), kMiddlePitch = 4 * (Columns / 2 | 1);
    static constexpr int kStage = kStageRows * kStagePitch, kMiddle = kSlices * kStageRows * kMiddlePitch;
    static constexpr int kMiddles = Overlapped ? 2 : 1;
    static constexpr int kOwnFours = (kStage + 4 * Threads - 1) / (4 * Threads);  ///< copies of a thread, in fours
    static constexpr int kSharedBytes =
        (2 * kSlices * kStage + kMiddles * kMiddle + 4 * kOwnFours * Threads + kStagePitch + kStageRows) * static_cast<int>(sizeof(float));
    static_assert(Threads % 32 == 0 && Columns % 4 == 0 && kTileRows > 0 && Taps % 2 == 0 && Taps <= 18);
};

template <int Taps, bool AlongZ, int Threads, int Columns, int Rows, int Blocks, bool Overlapped, bool Streaming>
__global__ void __launch_bounds__(Threads, Blocks)
    fusedInverseKernel(const FusedLevel level, const FusedGrid grid, const SynthesisFilters<Taps> filters) {
    using Shape = InverseShape<Taps, AlongZ, Threads, Columns, Rows, Overlapped>;
    constexpr int kSlices = Shape::kSlices, kHalf = Taps / 2, kStagePitch = Shape::kStagePitch, kMiddlePitch = Shape::kMiddlePitch;
    constexpr int kStage = Shape::kStage, kStageRows = Shape::kStageRows, kBandRows = Shape::kBandRows, kBandWords = Shape::kBandWords;
    constexpr int kKept = AlongZ ? kHalf - 1 : 0;
    extern __shared__ float4 fusedMemory[];
    float* const stages = reinterpret_cast<float*>(fusedMemory);
    float* const middles = stages + 2 * kSlices * kStage;
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

    // Where the coefficients are that this thread copies, always those of the same places of a slice: in bytes from the first one of a
    // slice, with a bit for those of the approximation along x and y. Places of coefficients that there are none of stay 0.
    constexpr int kLow = 1;
    int* const columnOffsets = reinterpret_cast<int*>(offsets + Shape::kOwnFours * Threads);
    int* const rowOffsets = columnOffsets + kStagePitch;
#pragma unroll 1
    for (int i = thread; i < kStagePitch; i += Threads) {
        const int dx = i >= kBandWords, u = i - dx * kBandWords;
        const int c = u < pairs + kHalf - 1 ? coefficientIndex(x0 + first + u, level.count[0], wraps) : -1;
        columnOffsets[i] = c < 0 ? kNothing : (c + (dx > 0 ? level.detail[0] : 0)) * static_cast<int>(sizeof(float)) + (dx == 0 ? kLow : 0);
    }
#pragma unroll 1
    for (int i = thread; i < kStageRows; i += Threads) {
        const int dy = i >= kBandRows, v = i - dy * kBandRows;
        const int c = v < pairRows + kHalf - 1 ? coefficientIndex(y0 + first + v, level.count[1], wraps) : -1;
        rowOffsets[i] =
            c < 0 ? kNothing
                  : (c + (dy > 0 ? level.detail[1] : 0)) * static_cast<int>(level.in.rowStride * static_cast<int>(sizeof(float))) +
                        (dy == 0 ? kLow : 0);
    }
    __syncthreads();
    const auto offsetOf = [&](int slot) {
        if (slot >= kStage) return kNothing;
        const int down = rowOffsets[slot / kStagePitch], across = columnOffsets[slot % kStagePitch];
        if (down < 0 || across < 0) return kNothing;
        return (down & ~kLow) + (across & ~kLow) + (down & across & kLow);
    };
#pragma unroll 1
    for (int four = 0; four < Shape::kOwnFours; ++four) {
        int own[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int slot = thread + (4 * four + k) * Threads;
            own[k] = offsetOf(slot);
            if (own[k] < 0 && slot < kStage)
                for (int s = 0; s < 2 * kSlices; ++s) stages[s * kStage + slot] = 0;
        }
        offsets[four * Threads + thread] = make_int4(own[0], own[1], own[2], own[3]);
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
        for (int four = 0; four < Shape::kOwnFours; ++four) {
            const int4 own = offsets[four * Threads + thread];
            float* const to = stage + thread + 4 * four * Threads;
            const auto one = [&](int k, int offset) {
                if (offset < 0) return;
                const char* const from = (offset & kLow) != 0 ? low : approximation;
                __pipeline_memcpy_async(to + k * Threads, from + static_cast<unsigned>(offset & ~kLow), sizeof(float));
                if constexpr (AlongZ)
                    __pipeline_memcpy_async(to + kStage + k * Threads, details + static_cast<unsigned>(offset & ~kLow), sizeof(float));
            };
            one(0, own.x), one(1, own.y), one(2, own.z), one(3, own.w);
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
    const auto store = [](float* to, float value) {
        if constexpr (Streaming) __stcs(to, value);
        else *to = value;
    };

    // Along z, sums of samples that have met some of their coefficients: index a has met a + 1 of each band. Even ones, then odd ones.
    float pending[2][2 * Rows][kKept > 0 ? kKept : 1] = {};
    const auto goOn = [&](int p, float* sums, float lo, float hi) {
        const float before = kKept > 0 ? sums[kKept - 1] : 0.0F;
        const float complete = fmaf(filters.hi[p][kHalf - 1], hi, fmaf(filters.lo[p][kHalf - 1], lo, before));
#pragma unroll
        for (int a = kKept - 1; a >= 0; --a) sums[a] = fmaf(filters.hi[p][a], hi, fmaf(filters.lo[p][a], lo, a > 0 ? sums[a - 1] : 0.0F));
        return complete;
    };
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
                first[i] = goOn(0, pending[0][i], now[0][i], now[1][i]);
                second[i] = goOn(1, pending[1][i], now[0][i], now[1][i]);
            }
            if (step < kKept) return;
            const bool even = zOut >= 0, odd = zOut + 1 < level.samples[2];
            if (fromRow == 0 && endRow == 2 * Rows && even && odd) {
#pragma unroll
                for (int i = 0; i < 2 * Rows; ++i) {
                    store(to + i * rowStride, first[i]);
                    store(to + (i * rowStride + level.out.sliceStride), second[i]);
                }
            } else {
#pragma unroll
                for (int i = 0; i < 2 * Rows; ++i) {
                    if (i < fromRow || i >= endRow) continue;
                    if (even) store(to + i * rowStride, first[i]);
                    if (odd) store(to + (i * rowStride + level.out.sliceStride), second[i]);
                }
            }
            to += 2 * level.out.sliceStride;
            zOut += 2;
        } else {
#pragma unroll
            for (int i = 0; i < 2 * Rows; ++i)
                if (i >= fromRow && i < endRow) store(to + i * rowStride, now[0][i]);
            to += level.out.sliceStride;
        }
    };

    int z = AlongZ ? z0 + first : z0;
    const int steps = zEnd - z0 + kKept;
    awaitEarlierKernels();
    // Step -1 does nothing but put the first samples on their way.
#pragma unroll 1
    for (int step = -1; step < steps + (Overlapped ? 1 : 0); ++step) {
        __pipeline_wait_prior(0);
        // All have filtered the step before along x: its stage is free. Overlapped, they have filtered the one before that along y too.
        __syncthreads();
        if (step + 1 < steps) {
            fill(stages + (step + 1) % 2 * kSlices * kStage, z);
            ++z;
        }
        __pipeline_commit();
        if (step < 0) continue;
        if constexpr (Overlapped) {
            if (step < steps) alongX(stages + step % 2 * kSlices * kStage, middles + step % 2 * Shape::kMiddle);
            if (step > 0) alongYZ(middles + (step - 1) % 2 * Shape::kMiddle, step - 1);
        } else {
            alongX(stages + step % 2 * kSlices * kStage, middles);
            __syncthreads();
            alongYZ(middles, step);
        }
    }
}

template <int Taps, bool AlongZ, FusedTuning Tuning>
struct FusedInverse {
    using Shape = InverseShape<Taps, AlongZ, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.overlapped>;
    static constexpr auto kKernel =
        &fusedInverseKernel<Taps, AlongZ, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.blocks, Tuning.overlapped, Tuning.streaming>;
    static constexpr int kSharedBytes = Shape::kSharedBytes;

    /// May its kernel begin early?
    static bool prepare() { return prepareFused(reinterpret_cast<const void*>(kKernel), kSharedBytes); }
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        const SynthesisPhase phase = synthesisPhase(Taps, level.rule);
        const auto pairsOf = [&](int n) { return (n - 1 + phase.offset) / 2 + 1; };
        const FusedGrid grid = fusedGrid(pairsOf(level.samples[0]), pairsOf(level.samples[1]),
                                         AlongZ ? pairsOf(level.samples[2]) : level.samples[2], Tuning, AlongZ ? Taps / 2 - 1 : 0, level);
        SynthesisFilters<Taps> filters;
        for (int k = 0; k < Taps / 2; ++k)
            for (int p = 0; p < 2; ++p) {
                filters.lo[p][k] = level.lo[2 * (Taps / 2 - 1 - k) + p];
                filters.hi[p][k] = level.hi[2 * (Taps / 2 - 1 - k) + p];
            }
        const dim3 blocks(static_cast<unsigned>(grid.blocks()), static_cast<unsigned>(grid.chunks));
        if (level.early) launchEarly(kKernel, blocks, Tuning.threads, kSharedBytes, stream, level, grid, filters);
        else
            fusedInverseKernel<Taps, AlongZ, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.blocks, Tuning.overlapped,
                               Tuning.streaming><<<blocks, Tuning.threads, kSharedBytes, stream>>>(level, grid, filters);
        checkLaunch("A kernel of the inverse wavelet transform could not be started");
    }
};

}  // namespace parallax::gpu
