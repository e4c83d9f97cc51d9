// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned transform forward; see fused_parts.cuh.
#pragma once

#include "parallax/gpu/operations/wavelet/fused_parts.cuh"

namespace parallax::gpu {

/// In the order in which they meet samples: the last tap first. In the parameters of a kernel, so in the constant bank.
template <int Taps>
struct AnalysisFilters {
    float lo[Taps], hi[Taps];
};

/// Both sums of Taps samples, for Count coefficients whose samples begin two apart.
template <int Taps, int Count>
__device__ __forceinline__ void analyse(const AnalysisFilters<Taps>& filters, const float* samples, float* lo, float* hi) {
#pragma unroll
    for (int r = 0; r < Count; ++r) lo[r] = hi[r] = 0;
#pragma unroll
    for (int k = 0; k < Taps; ++k)
#pragma unroll
        for (int r = 0; r < Count; ++r) {
            lo[r] = fmaf(filters.lo[k], samples[2 * r + k], lo[r]);
            hi[r] = fmaf(filters.hi[k], samples[2 * r + k], hi[r]);
        }
}

template <int Taps, bool AlongZ, int Threads, int Rows, int Blocks>
__global__ void __launch_bounds__(Threads, Blocks)
    fusedForwardKernel(const FusedLevel level, const FusedGrid grid, const AnalysisFilters<Taps> filters) {
    using Shape = FusedShape<Taps, AlongZ, Threads, Rows>;
    constexpr int kThreads = Shape::kThreads, kRows = Shape::kRows, kSlices = Shape::kSlices;
    constexpr int kStagePitch = Shape::kWide, kMiddlePitch = Shape::kHalves, kStage = Shape::kStageRows * kStagePitch;
    constexpr int kLoads = (kStage + kThreads - 1) / kThreads, kPriming = AlongZ ? Taps / 2 - 1 : 0, kKept = kPriming;
    extern __shared__ float4 fusedMemory[];
    float* const stage = reinterpret_cast<float*>(fusedMemory);
    float* const middle = stage + kSlices * kStage;
    ExtensionTerms* const columnTerms = reinterpret_cast<ExtensionTerms*>(middle + kSlices * Shape::kStageRows * kMiddlePitch);
    ExtensionTerms* const rowTerms = columnTerms + kStagePitch;

    const int thread = static_cast<int>(threadIdx.x);
    const int x0 = static_cast<int>(blockIdx.x) % grid.across * kFusedColumns;
    const int y0 = static_cast<int>(blockIdx.x) / grid.across * Shape::kTileRows;
    const int z0 = static_cast<int>(blockIdx.y) * grid.chunk, zEnd = min(z0 + grid.chunk, level.count[2]);
    const int first = analysisShift(Taps, level.rule) - (Taps - 1);  // sample that coefficient 0 meets first
    const int groups = (min(kFusedColumns, level.count[0] - x0) + 3) / 4;
    const int columns = 2 * min(kFusedColumns, level.count[0] - x0) + Taps - 2;
    const int rows = 2 * min(Shape::kTileRows, level.count[1] - y0) + Taps - 2;
    const int left = 2 * x0 + first, top = 2 * y0 + first;
    for (int i = thread; i < columns; i += kThreads) findTerms(left + i, level.samples[0], level.rule, columnTerms + i);
    for (int i = thread; i < rows; i += kThreads) findTerms(top + i, level.samples[1], level.rule, rowTerms + i);
    const bool outside = left < 0 || top < 0 || left + columns > level.samples[0] || top + rows > level.samples[1];
    // Rules that make sums of samples are obeyed where samples are put into shared memory; all others just look elsewhere.
    const bool sums = outside && (level.rule == ExtensionRule::smooth || level.rule == ExtensionRule::antisymmetric ||
                                  level.rule == ExtensionRule::antireflect);
    __syncthreads();
    // Of what a slot of the stage holds, in bytes from the first sample of a slice; each thread looks at its own.
    int* const offsets = reinterpret_cast<int*>(rowTerms + Shape::kStageRows);
    for (int slot = thread; slot < kStage; slot += kThreads) {
        const int row = slot / kStagePitch, column = slot % kStagePitch;
        const bool some = row < rows && column < columns && rowTerms[row].count > 0 && columnTerms[column].count > 0;
        const int offset = some ? rowTerms[row].index[0] * static_cast<int>(level.in.rowStride) + columnTerms[column].index[0] : 0;
        offsets[slot] = some ? offset * static_cast<int>(sizeof(float)) : -1;
    }

    // One slice at a time is on its way, in registers. Slices are fetched one after the other, and the address of the next one is kept:
    // added up anew for each sample, it would take as many instructions as filtering does.
    float loaded[kLoads];
    int onItsWay = kNoSlice;  // which one, or kSumOfSlices: then what is loaded is not looked at
    const std::int64_t sliceBytes = level.in.sliceStride * static_cast<std::int64_t>(sizeof(float));
    const char* next = reinterpret_cast<const char*>(level.in.data) + (AlongZ ? 2 * z0 + first : z0) * sliceBytes;
    const auto fetch = [&](int z) {
        const char* slice = next;
        next += sliceBytes;
        onItsWay = sums ? kSumOfSlices : z;
        if (AlongZ && static_cast<unsigned>(z) >= static_cast<unsigned>(level.samples[2])) {
            if (!sums) onItsWay = sliceOutside(z, level.samples[2], level.rule);
            slice = reinterpret_cast<const char*>(level.in.data) + max(onItsWay, 0) * sliceBytes;
        }
#pragma unroll
        for (int k = 0; k < kLoads; ++k) {
            const int offset = k + 1 < kLoads || thread + k * kThreads < kStage ? offsets[thread + k * kThreads] : -1;
            loaded[k] = offset >= 0 ? __ldg(reinterpret_cast<const float*>(slice + static_cast<unsigned>(offset))) : 0.0F;
        }
    };
    /// To shared memory.
    const auto put = [&](int s, int z) {
        float* const to = stage + s * kStage;
        if (onItsWay >= 0) {
#pragma unroll
            for (int k = 0; k < kLoads; ++k)
                if (k + 1 < kLoads || thread + k * kThreads < kStage) to[thread + k * kThreads] = loaded[k];
            return;
        }
        if (onItsWay == kNoSlice) {
            for (int slot = thread; slot < kStage; slot += kThreads) to[slot] = 0;
            return;
        }
        ExtensionTerms terms{1, {z, 0, 0}, {1, 0, 0}};
        if (AlongZ) findTerms(z, level.samples[2], level.rule, &terms);
        sumTile({level.in, columnTerms, rowTerms, columns, rows, kStagePitch, kStage}, terms, to);
    };

    // What this thread makes: one column of a band along x, some rows of both bands along y.
    const int column = thread % 64, part = thread / 64, x = x0 + column % kFusedColumns, y = y0 + part * kRows;
    const int ownRows = min(kRows, level.count[1] - y);
    const bool detailX = column >= kFusedColumns, active = x < level.count[0] && ownRows > 0;
    const int rowStride = static_cast<int>(level.out.rowStride);
    // At the next coefficient along z, by band along y and z. That of all approximations may be elsewhere.
    constexpr int kDeep = AlongZ ? 2 : 1;
    float* to[2][kDeep];
    const std::int64_t firstStep = detailX ? level.out.sliceStride : level.outLow.sliceStride;
#pragma unroll
    for (int dy = 0; dy < 2; ++dy)
#pragma unroll
        for (int dz = 0; dz < kDeep; ++dz)
            to[dy][dz] = level.out.data + (detailX ? level.detail[0] : 0) + x + (y + dy * level.detail[1]) * rowStride +
                         (z0 + dz * level.detail[2]) * level.out.sliceStride;
    if (!detailX) to[0][0] = level.outLow.data + x + y * rowStride + z0 * firstStep;
    const auto advance = [&] {
#pragma unroll
        for (int dy = 0; dy < 2; ++dy)
#pragma unroll
            for (int dz = 0; dz < kDeep; ++dz) to[dy][dz] += dy + dz == 0 ? firstStep : level.out.sliceStride;
    };

    const RowItem item(thread);
    // Along z, sums of coefficients that have met some of their samples: index a has met 2 (a + 1).
    float pendingLo[2 * kRows][kKept > 0 ? kKept : 1] = {}, pendingHi[2 * kRows][kKept > 0 ? kKept : 1] = {};
    const auto goOn = [&](const float* filter, float* pending, float first, float second) {
        const float before = kKept > 0 ? pending[kKept - 1] : 0.0F;
        const float complete = fmaf(filter[Taps - 1], second, fmaf(filter[Taps - 2], first, before));
#pragma unroll
        for (int a = kKept - 1; a >= 0; --a)
            pending[a] = fmaf(filter[2 * a + 1], second, fmaf(filter[2 * a], first, a > 0 ? pending[a - 1] : 0.0F));
        return complete;
    };
    int z = AlongZ ? 2 * z0 + first : z0;
    const int steps = zEnd - z0 + kPriming;
#pragma unroll
    for (int s = 0; s < kSlices; ++s) {
        fetch(z + s);
        put(s, z + s);
    }
    __syncthreads();
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        z += kSlices;
        const bool more = step + 1 < steps;
        if (more) fetch(z);
        if (item.group < groups) {
            const float* from = stage + item.row * kStagePitch + 8 * item.group;
            float* row = middle + item.row * kMiddlePitch + 4 * item.group;
#pragma unroll 1
            for (int r = item.row; r < kSlices * Shape::kStageRows; r += Shape::kRowsAtOnce) {
                constexpr int kWords = (6 + Taps + 3) / 4 * 4;
                float samples[kWords], lo[4], hi[4];
#pragma unroll
                for (int w = 0; w < kWords; w += 4) {
                    const float4 four = *reinterpret_cast<const float4*>(from + w);
                    samples[w] = four.x, samples[w + 1] = four.y, samples[w + 2] = four.z, samples[w + 3] = four.w;
                }
                analyse<Taps, 4>(filters, samples, lo, hi);
                *reinterpret_cast<float4*>(row) = make_float4(lo[0], lo[1], lo[2], lo[3]);
                *reinterpret_cast<float4*>(row + kFusedColumns) = make_float4(hi[0], hi[1], hi[2], hi[3]);
                from += Shape::kRowsAtOnce * kStagePitch;
                row += Shape::kRowsAtOnce * kMiddlePitch;
            }
        }
        __syncthreads();
        // The stage has been read: the first slice of the next step goes there, and the second one sets out.
        if (more) {
            put(0, z);
            if (AlongZ) fetch(z + 1);
        }
        if (active) {
            float now[kSlices][2 * kRows];
#pragma unroll
            for (int s = 0; s < kSlices; ++s) {
                constexpr int kWords = 2 * kRows - 2 + Taps;
                float samples[kWords];
                const float* const from = middle + (s * Shape::kStageRows + 2 * kRows * part) * kMiddlePitch + column;
#pragma unroll
                for (int w = 0; w < kWords; ++w) samples[w] = from[w * kMiddlePitch];
                analyse<Taps, kRows>(filters, samples, now[s], now[s] + kRows);
            }
            if constexpr (AlongZ) {
                const int complete = step >= kPriming ? ownRows : 0;
#pragma unroll
                for (int i = 0; i < 2 * kRows; ++i) {
                    const float lo = goOn(filters.lo, pendingLo[i], now[0][i], now[1][i]);
                    const float hi = goOn(filters.hi, pendingHi[i], now[0][i], now[1][i]);
                    const int r = i % kRows;
                    if (r >= complete) continue;
                    to[i / kRows][0][r * rowStride] = lo;
                    to[i / kRows][kDeep - 1][r * rowStride] = hi;
                }
                if (complete > 0) advance();
            } else {
#pragma unroll
                for (int i = 0; i < 2 * kRows; ++i)
                    if (i % kRows < ownRows) to[i / kRows][0][i % kRows * rowStride] = now[0][i];
                advance();
            }
        }
        if (AlongZ && more) put(1, z + 1);
        __syncthreads();
    }
}

template <int Taps, bool AlongZ, FusedTuning Tuning>
struct FusedForward {
    using Shape = FusedShape<Taps, AlongZ, Tuning.threads, Tuning.rows>;
    static constexpr auto kKernel = &fusedForwardKernel<Taps, AlongZ, Tuning.threads, Tuning.rows, Tuning.blocks>;
    static constexpr int kSharedBytes =
        Shape::kSlices * Shape::kStageRows * (Shape::kWide + Shape::kHalves) * static_cast<int>(sizeof(float)) +
        (Shape::kWide + Shape::kStageRows) * static_cast<int>(sizeof(ExtensionTerms)) +
        Shape::kStageRows * Shape::kWide * static_cast<int>(sizeof(int));

    static void prepare() { allowShared(reinterpret_cast<const void*>(kKernel), kSharedBytes); }
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        const FusedGrid grid = fusedGrid(level.count[0], level.count[1], level.count[2], Tuning, AlongZ ? Taps / 2 - 1 : 0, level);
        AnalysisFilters<Taps> filters;
        std::reverse_copy(level.lo, level.lo + Taps, filters.lo);
        std::reverse_copy(level.hi, level.hi + Taps, filters.hi);
        fusedForwardKernel<Taps, AlongZ, Tuning.threads, Tuning.rows, Tuning.blocks>
            <<<dim3(static_cast<unsigned>(grid.blocks()), static_cast<unsigned>(grid.chunks)), Tuning.threads, kSharedBytes, stream>>>(
                level, grid, filters);
        checkLaunch("A kernel of the wavelet transform could not be started");
    }
};

}  // namespace parallax::gpu
