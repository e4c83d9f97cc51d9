// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned inverse; see fused_parts.cuh. The mirror image of fused_forward.cuh: the two slices of a step are a coefficient of both bands
// along z, and a thread makes pairs of samples.
#pragma once

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

template <int Taps, bool AlongZ, int Threads, int Rows, int Blocks>
__global__ void __launch_bounds__(Threads, Blocks)
    fusedInverseKernel(const FusedLevel level, const FusedGrid grid, const SynthesisFilters<Taps> filters) {
    using Shape = FusedShape<Taps, AlongZ, Threads, Rows>;
    constexpr int kThreads = Shape::kThreads, kRows = Shape::kRows, kSlices = Shape::kSlices, kHalf = Taps / 2;
    constexpr int kStagePitch = Shape::kHalves, kMiddlePitch = 2 * kFusedColumns + 4, kStage = Shape::kStageRows * kStagePitch;
    constexpr int kLoads = (kStage + kThreads - 1) / kThreads, kKept = AlongZ ? kHalf - 1 : 0;
    constexpr int kBandRows = Shape::kTileRows + kHalf - 1, kBandColumns = kFusedColumns + kHalf - 1, kDetails = kStagePitch / 2;
    static_assert(2 * kBandRows == Shape::kStageRows && kBandColumns <= kDetails);
    extern __shared__ float4 fusedMemory[];
    float* const stage = reinterpret_cast<float*>(fusedMemory);
    float* const middle = stage + kSlices * kStage;

    const int thread = static_cast<int>(threadIdx.x);
    const SynthesisPhase phase = synthesisPhase(Taps, level.rule);
    const int first = phase.shift - kHalf + 1;  // coefficient that pair 0 meets first
    const bool wraps = level.rule == ExtensionRule::periodization;
    const auto pairsOf = [&](int n) { return (n - 1 + phase.offset) / 2 + 1; };
    const int x0 = static_cast<int>(blockIdx.x) % grid.across * kFusedColumns;
    const int y0 = static_cast<int>(blockIdx.x) / grid.across * Shape::kTileRows;
    const int z0 = static_cast<int>(blockIdx.y) * grid.chunk;
    const int zEnd = min(z0 + grid.chunk, AlongZ ? pairsOf(level.samples[2]) : level.samples[2]);
    const int pairs = min(kFusedColumns, pairsOf(level.samples[0]) - x0), groups = (pairs + 3) / 4;
    const int pairRows = min(Shape::kTileRows, pairsOf(level.samples[1]) - y0);

    // Of what a slot of the stage holds, in bytes from the first sample of a slice, with a bit for those of the approximation along x and
    // y; each thread looks at its own.
    constexpr int kLow = 1;
    int* const offsets = reinterpret_cast<int*>(middle + kSlices * Shape::kStageRows * kMiddlePitch);
    for (int slot = thread; slot < kStage; slot += kThreads) {
        const int row = slot / kStagePitch, column = slot % kStagePitch;
        const int dy = row >= kBandRows, dx = column >= kDetails, v = row - dy * kBandRows, u = column - dx * kDetails;
        int offset = -1;
        if (v < pairRows + kHalf - 1 && u < pairs + kHalf - 1) {
            const int cy = coefficientIndex(y0 + first + v, level.count[1], wraps);
            const int cx = coefficientIndex(x0 + first + u, level.count[0], wraps);
            if (cy >= 0 && cx >= 0) {
                offset = (cy + (dy > 0 ? level.detail[1] : 0)) * static_cast<int>(level.in.rowStride) + cx + (dx > 0 ? level.detail[0] : 0);
                offset = offset * static_cast<int>(sizeof(float)) + (dy == 0 && dx == 0 ? kLow : 0);
            }
        }
        offsets[slot] = offset;
    }

    // One slice at a time is on its way, in registers: of the approximation along z (s = 0) or of the details.
    float loaded[kLoads];
    const std::int64_t sliceBytes = level.in.sliceStride * static_cast<std::int64_t>(sizeof(float));
    const std::int64_t lowBytes = level.inLow.sliceStride * static_cast<std::int64_t>(sizeof(float));
    const auto fetch = [&](int s, int z) {
        const int c = AlongZ ? coefficientIndex(z, level.count[2], wraps) : z;
        const bool some = c >= 0;
        const char* const slice =
            asOneAddress(reinterpret_cast<const char*>(level.in.data) + (max(c, 0) + (s > 0 ? level.detail[2] : 0)) * sliceBytes);
        const char* const low = s > 0 ? slice : asOneAddress(reinterpret_cast<const char*>(level.inLow.data) + max(c, 0) * lowBytes);
#pragma unroll
        for (int k = 0; k < kLoads; ++k) {
            const int offset = k + 1 < kLoads || thread + k * kThreads < kStage ? offsets[thread + k * kThreads] : -1;
            const char* const from = s == 0 && (offset & kLow) != 0 ? low : slice;
            loaded[k] = some && offset >= 0 ? __ldg(reinterpret_cast<const float*>(from + static_cast<unsigned>(offset & ~kLow))) : 0.0F;
        }
    };
    const auto put = [&](int s) {
#pragma unroll
        for (int k = 0; k < kLoads; ++k)
            if (k + 1 < kLoads || thread + k * kThreads < kStage) stage[s * kStage + thread + k * kThreads] = loaded[k];
    };

    // What this thread makes: one column, some pairs of rows.
    const int column = thread % 64, part = thread / 64;
    const int x = 2 * x0 - phase.offset + column, y = 2 * (y0 + part * kRows) - phase.offset;
    const bool active = x >= 0 && x < level.samples[0] && y < level.samples[1];
    const int fromRow = max(0, -y), endRow = min(2 * kRows, level.samples[1] - y);
    const int rowStride = static_cast<int>(level.out.rowStride);
    const int zFirst = AlongZ ? 2 * z0 - phase.offset : z0;
    float* to = level.out.data + zFirst * level.out.sliceStride + y * rowStride + x;
    int zOut = zFirst;

    const RowItem item(thread);
    // Along z, sums of samples that have met some of their coefficients: index a has met a + 1 of each band. Even ones, then odd ones.
    float pending[2][2 * kRows][kKept > 0 ? kKept : 1] = {};
    const auto goOn = [&](int p, float* sums, float lo, float hi) {
        const float before = kKept > 0 ? sums[kKept - 1] : 0.0F;
        const float complete = fmaf(filters.hi[p][kHalf - 1], hi, fmaf(filters.lo[p][kHalf - 1], lo, before));
#pragma unroll
        for (int a = kKept - 1; a >= 0; --a) sums[a] = fmaf(filters.hi[p][a], hi, fmaf(filters.lo[p][a], lo, a > 0 ? sums[a - 1] : 0.0F));
        return complete;
    };
    int z = AlongZ ? z0 + first : z0;
    const int steps = zEnd - z0 + kKept;
#pragma unroll
    for (int s = 0; s < kSlices; ++s) {
        fetch(s, z);
        put(s);
    }
    __syncthreads();
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        ++z;
        const bool more = step + 1 < steps;
        if (more) fetch(0, z);
        if (item.group < groups) {
            const float* from = stage + item.row * kStagePitch + 4 * item.group;
            float* row = middle + item.row * kMiddlePitch + 8 * item.group;
#pragma unroll 1
            for (int r = item.row; r < kSlices * Shape::kStageRows; r += Shape::kRowsAtOnce) {
                constexpr int kWords = (3 + kHalf + 3) / 4 * 4;
                float lo[kWords], hi[kWords], samples[8];
#pragma unroll
                for (int w = 0; w < kWords; w += 4) {
                    const float4 a = *reinterpret_cast<const float4*>(from + w), d = *reinterpret_cast<const float4*>(from + kDetails + w);
                    lo[w] = a.x, lo[w + 1] = a.y, lo[w + 2] = a.z, lo[w + 3] = a.w;
                    hi[w] = d.x, hi[w + 1] = d.y, hi[w + 2] = d.z, hi[w + 3] = d.w;
                }
                synthesise<Taps, 4>(filters, lo, hi, samples);
                *reinterpret_cast<float4*>(row) = make_float4(samples[0], samples[1], samples[2], samples[3]);
                *reinterpret_cast<float4*>(row + 4) = make_float4(samples[4], samples[5], samples[6], samples[7]);
                from += Shape::kRowsAtOnce * kStagePitch;
                row += Shape::kRowsAtOnce * kMiddlePitch;
            }
        }
        __syncthreads();
        // The stage has been read: the first slice of the next step goes there, and the second one sets out.
        if (more) {
            put(0);
            if (AlongZ) fetch(1, z);
        }
        if (active) {
            float now[kSlices][2 * kRows];
#pragma unroll
            for (int s = 0; s < kSlices; ++s) {
                constexpr int kWords = kRows - 1 + kHalf;
                float lo[kWords], hi[kWords];
                const float* const from = middle + (s * Shape::kStageRows + kRows * part) * kMiddlePitch + column;
#pragma unroll
                for (int w = 0; w < kWords; ++w) {
                    lo[w] = from[w * kMiddlePitch];
                    hi[w] = from[(kBandRows + w) * kMiddlePitch];
                }
                synthesise<Taps, kRows>(filters, lo, hi, now[s]);
            }
            if constexpr (AlongZ) {
                const bool complete = step >= kKept, even = complete && zOut >= 0, odd = complete && zOut + 1 < level.samples[2];
#pragma unroll
                for (int i = 0; i < 2 * kRows; ++i) {
                    const float first = goOn(0, pending[0][i], now[0][i], now[1][i]);
                    const float second = goOn(1, pending[1][i], now[0][i], now[1][i]);
                    if (i < fromRow || i >= endRow) continue;
                    if (even) to[i * rowStride] = first;
                    if (odd) to[i * rowStride + level.out.sliceStride] = second;
                }
                if (complete) {
                    to += 2 * level.out.sliceStride;
                    zOut += 2;
                }
            } else {
#pragma unroll
                for (int i = 0; i < 2 * kRows; ++i)
                    if (i >= fromRow && i < endRow) to[i * rowStride] = now[0][i];
                to += level.out.sliceStride;
            }
        }
        if (AlongZ && more) put(1);
        __syncthreads();
    }
}

template <int Taps, bool AlongZ, FusedTuning Tuning>
struct FusedInverse {
    using Shape = FusedShape<Taps, AlongZ, Tuning.threads, Tuning.rows>;
    static constexpr auto kKernel = &fusedInverseKernel<Taps, AlongZ, Tuning.threads, Tuning.rows, Tuning.blocks>;
    static constexpr int kSharedBytes =
        (Shape::kSlices * Shape::kStageRows * (Shape::kHalves + 2 * kFusedColumns + 4) + Shape::kStageRows * Shape::kHalves) *
        static_cast<int>(sizeof(float));

    static void prepare() { allowShared(reinterpret_cast<const void*>(kKernel), kSharedBytes); }
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
        fusedInverseKernel<Taps, AlongZ, Tuning.threads, Tuning.rows, Tuning.blocks>
            <<<dim3(static_cast<unsigned>(grid.blocks()), static_cast<unsigned>(grid.chunks)), Tuning.threads, kSharedBytes, stream>>>(
                level, grid, filters);
        checkLaunch("A kernel of the inverse wavelet transform could not be started");
    }
};

}  // namespace parallax::gpu
