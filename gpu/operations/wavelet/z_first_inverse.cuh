// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned inverse of coarse levels, along z first: see z_first_forward.cuh. A thread keeps sums along z of one place in each of the four
// bands along x and y.
#pragma once

#include "parallax/gpu/operations/wavelet/fused_inverse.cuh"

namespace parallax::gpu {

/// Hides where a value is from: the compiler adds steps to it when they are needed, and keeps no sums of them in registers.
__device__ __forceinline__ const char* hidden(const char* p) {
    asm volatile("" : "+l"(p));
    return p;
}
__device__ __forceinline__ int hidden(int i) {
    asm volatile("" : "+r"(i));
    return i;
}

struct ZInverseTuning {
    int threads;
    int columns;             ///< pairs along x of a block, a multiple of 4
    int tileRows;            ///< pairs along y of a block
    int rows;                ///< pairs along y of a thread: divides tileRows
    int blocks;              ///< that must fit on a multiprocessor
    bool overlapped = true;  ///< one barrier a step, and twice the memory
    bool ahead = false;      ///< details before earlier kernels are done
    constexpr bool operator==(const ZInverseTuning&) const = default;
};

template <int Taps, ZInverseTuning T>
struct ZInverseShape {
    static constexpr int kHalf = Taps / 2, kSlices = 2;
    static constexpr int kReadColumns = T.columns + kHalf - 1, kReadRows = T.tileRows + kHalf - 1;
    static constexpr int kPlaces = kReadColumns * kReadRows, kOwn = (kPlaces + T.threads - 1) / T.threads;
    static constexpr int kBandWords = T.columns + (kHalf - 1 + 3) / 4 * 4;
    static constexpr int kBandRows = 2 * kReadRows, kAllRows = kSlices * kBandRows;
    static constexpr int kPlanePitch = 4 * (kBandWords / 2 | 1), kMiddlePitch = 4 * (T.columns / 2 | 1);
    static constexpr int kPlane = kAllRows * kPlanePitch, kMiddle = kAllRows * kMiddlePitch;
    static constexpr int kBuffers = T.overlapped ? 2 : 1;
    static constexpr int kSharedBytes = kBuffers * (kPlane + kMiddle) * static_cast<int>(sizeof(float));
    static constexpr int kGroups = T.columns / 4, kRowItems = kGroups * kAllRows;
    static constexpr int kParts = T.tileRows / T.rows, kColumnItems = kSlices * kParts * 2 * T.columns;
    static_assert(T.threads % 32 == 0 && T.columns % 4 == 0 && T.tileRows % T.rows == 0 && Taps % 2 == 0);
};

/// What a launch knows of a level: strides and steps in bytes, but those of what is written.
struct ZInverseLevel {
    const char *in, *inLow;  ///< rows of both are as long
    float* out;
    std::int64_t row, slice, lowSlice;
    std::int64_t behind, lowBehind;  ///< from the last slice to what stands for the one behind it
    std::int64_t toX, toY, toZ;  ///< to the details along an axis
    std::int64_t outRow, outSlice;
    int samples[3], count[3];
    SynthesisPhase phase;
    int wraps;
    FusedGrid grid;
};

template <int Taps, int Threads, int Columns, int TileRows, int Rows, int Blocks, bool Overlapped, bool Ahead>
__global__ void __launch_bounds__(Threads, Blocks) zFirstInverseKernel(const ZInverseLevel level, const SynthesisFilters<Taps> filters) {
    constexpr ZInverseTuning T{.threads = Threads, .columns = Columns, .tileRows = TileRows, .rows = Rows, .blocks = Blocks, .overlapped = Overlapped, .ahead = Ahead};
    using S = ZInverseShape<Taps, T>;
    constexpr int kHalf = S::kHalf, kKept = kHalf - 1, kOwn = S::kOwn;
    extern __shared__ float4 fusedMemory[];
    float* const planes = reinterpret_cast<float*>(fusedMemory);
    float* const middles = planes + S::kBuffers * S::kPlane;

    admitNextKernel();
    const int thread = static_cast<int>(threadIdx.x);
    const SynthesisPhase phase = level.phase;
    const int first = phase.shift - kHalf + 1;  // coefficient that pair 0 meets first
    const int x0 = static_cast<int>(blockIdx.x) % level.grid.across * T.columns;
    const int y0 = static_cast<int>(blockIdx.x) / level.grid.across * T.tileRows;
    const int z0 = static_cast<int>(blockIdx.y) * level.grid.chunk;
    const int steps = min(level.grid.chunk, (level.samples[2] - 1 + phase.offset) / 2 + 1 - z0);
    // Behind the last coefficient there is what meets no sample.
    const auto place = [&](int i, int n) { return level.wraps ? coefficientIndex(i, n, true) : min(i, n - 1); };

    const int zFirst = place(z0 + first, level.count[2]);
    const char *from[kOwn], *fromLow[kOwn];
#pragma unroll
    for (int o = 0; o < kOwn; ++o) {
        const int i = min(thread + o * T.threads, S::kPlaces - 1), u = i % S::kReadColumns, v = i / S::kReadColumns;
        const std::int64_t at = place(y0 + first + v, level.count[1]) * level.row + 4 * place(x0 + first + u, level.count[0]);
        from[o] = level.in + (zFirst * level.slice + at);
        fromLow[o] = level.inLow + (zFirst * level.lowSlice + at);
    }
    float lo[kOwn][4], hi[kOwn][4];
    const auto value = [](const char* at) { return *reinterpret_cast<const float*>(at); };
    int left = level.count[2] - zFirst, lowLeft = left;  // slices to the last one, and that
    const auto nextDetails = [&](float (&l)[kOwn][4], float (&h)[kOwn][4]) {
        const bool more = --left > 0;
        if (!more) left = level.wraps ? level.count[2] : 1;
        const std::int64_t step = more ? level.slice : level.behind;
#pragma unroll
        for (int o = 0; o < kOwn; ++o) {
            const char *const a = hidden(from[o]), *const b = a + level.toY, *const c = a + level.toZ, *const d = b + level.toZ;
            l[o][1] = value(a + level.toX);
            l[o][2] = value(b);
            l[o][3] = value(b + level.toX);
            h[o][0] = value(c);
            h[o][1] = value(c + level.toX);
            h[o][2] = value(d);
            h[o][3] = value(d + level.toX);
            from[o] = a + step;
        }
    };
    const auto nextLow = [&](float (&l)[kOwn][4]) {
        const bool more = --lowLeft > 0;
        if (!more) lowLeft = level.wraps ? level.count[2] : 1;
        const std::int64_t step = more ? level.lowSlice : level.lowBehind;
#pragma unroll
        for (int o = 0; o < kOwn; ++o) l[o][0] = value(fromLow[o]), fromLow[o] = hidden(fromLow[o] + step);
    };
    // Sums along z that have met some of their coefficients: index a has met a + 1 of each band.
    float pending[kOwn][4][2][kKept > 0 ? kKept : 1] = {};
    const auto goOn = [&](int p, float* sums, float l, float h) {
        const float before = kKept > 0 ? sums[kKept - 1] : 0.0F;
        const float complete = fmaf(filters.hi[p][kHalf - 1], h, fmaf(filters.lo[p][kHalf - 1], l, before));
#pragma unroll
        for (int a = kKept - 1; a >= 0; --a) sums[a] = fmaf(filters.hi[p][a], h, fmaf(filters.lo[p][a], l, a > 0 ? sums[a - 1] : 0.0F));
        return complete;
    };

    if constexpr (!T.ahead) awaitEarlierKernels();
    {
        constexpr int kWarm = kKept + 1;
        float warmLo[kWarm][kOwn][4], warmHi[kWarm][kOwn][4];
#pragma unroll
        for (int k = 0; k < kWarm; ++k) nextDetails(warmLo[k], warmHi[k]);
        if constexpr (T.ahead) awaitEarlierKernels();
#pragma unroll
        for (int k = 0; k < kWarm; ++k) nextLow(warmLo[k]);
#pragma unroll
        for (int k = 0; k < kKept; ++k)
#pragma unroll
            for (int o = 0; o < kOwn; ++o)
#pragma unroll
                for (int b = 0; b < 4; ++b)
#pragma unroll
                    for (int p = 0; p < 2; ++p) (void)goOn(p, pending[o][b][p], warmLo[k][o][b], warmHi[k][o][b]);
#pragma unroll
        for (int o = 0; o < kOwn; ++o)
#pragma unroll
            for (int b = 0; b < 4; ++b) lo[o][b] = warmLo[kKept][o][b], hi[o][b] = warmHi[kKept][o][b];
    }

    const auto alongZ = [&](float* plane) {
        float now[kOwn][4][2];
#pragma unroll
        for (int o = 0; o < kOwn; ++o)
#pragma unroll
            for (int b = 0; b < 4; ++b)
#pragma unroll
                for (int p = 0; p < 2; ++p) now[o][b][p] = goOn(p, pending[o][b][p], lo[o][b], hi[o][b]);
        // The last step's are in vain.
        nextDetails(lo, hi);
        nextLow(lo);
#pragma unroll
        for (int o = 0; o < kOwn; ++o) {
            const int i = thread + o * T.threads, u = i % S::kReadColumns, v = i / S::kReadColumns;
            if ((o + 1) * T.threads > S::kPlaces && i >= S::kPlaces) continue;
            float* const to = plane + v * S::kPlanePitch + u;
#pragma unroll
            for (int b = 0; b < 4; ++b)
#pragma unroll
                for (int p = 0; p < 2; ++p)
                    to[(p * S::kBandRows + b / 2 * S::kReadRows) * S::kPlanePitch + b % 2 * S::kBandWords] = now[o][b][p];
        }
    };
    const auto alongX = [&](const float* plane, float* middle) {
#pragma unroll
        for (int j = 0; j < (S::kRowItems + T.threads - 1) / T.threads; ++j) {
            const int i = thread + j * T.threads, group = i / S::kAllRows, row = i % S::kAllRows;
            if ((j + 1) * T.threads > S::kRowItems && i >= S::kRowItems) continue;
            const float* const from = plane + row * S::kPlanePitch + 4 * group;
            float* const result = middle + row * S::kMiddlePitch + 8 * group;
            constexpr int kWords = (3 + kHalf + 3) / 4 * 4;
            float l[kWords], h[kWords], samples[8];
#pragma unroll
            for (int w = 0; w < kWords; w += 4) {
                const float4 a = *reinterpret_cast<const float4*>(from + w), d = *reinterpret_cast<const float4*>(from + S::kBandWords + w);
                l[w] = a.x, l[w + 1] = a.y, l[w + 2] = a.z, l[w + 3] = a.w;
                h[w] = d.x, h[w + 1] = d.y, h[w + 2] = d.z, h[w + 3] = d.w;
            }
            synthesise<Taps, 4>(filters, l, h, samples);
            *reinterpret_cast<float4*>(result) = make_float4(samples[0], samples[1], samples[2], samples[3]);
            *reinterpret_cast<float4*>(result + 4) = make_float4(samples[4], samples[5], samples[6], samples[7]);
        }
    };
    // What this thread makes along y, from the last thread on: the first ones have more to do along x.
    constexpr int kOwnColumns = (S::kColumnItems + T.threads - 1) / T.threads;
    int fromColumn[kOwnColumns], zOut[kOwnColumns];
    int to[kOwnColumns];  // in a slice or the next one
    float* out = level.out + (2 * z0 - phase.offset) * level.outSlice;
#pragma unroll
    for (int j = 0; j < kOwnColumns; ++j) {
        const int i = T.threads - 1 - thread + j * T.threads, rest = i / (2 * T.columns), part = rest % S::kParts, s = rest / S::kParts;
        const int column = 2 * T.columns - 1 - i % (2 * T.columns), x = 2 * x0 - phase.offset + column, y = 2 * (y0 + part * T.rows) - phase.offset;
        fromColumn[j] = (s * S::kBandRows + T.rows * part) * S::kMiddlePitch + column;
        zOut[j] = 2 * z0 - phase.offset + s;
        to[j] = s * static_cast<int>(level.outSlice) + y * static_cast<int>(level.outRow) + x;
        if (i >= S::kColumnItems || x < 0 || x >= level.samples[0] || y >= level.samples[1]) zOut[j] = 1 << 30;
    }
    const int yOut = 2 * y0 - phase.offset;
    const auto alongY = [&](const float* middle) {
#pragma unroll
        for (int j = 0; j < kOwnColumns; ++j) {
            const bool some = static_cast<unsigned>(zOut[j]) < static_cast<unsigned>(level.samples[2]);
            float* const result = out + to[j];
            zOut[j] += 2;
            if (!some) continue;
            constexpr int kWords = T.rows - 1 + kHalf;
            float l[kWords], h[kWords], samples[2 * T.rows];
            const float* const from = middle + fromColumn[j];
#pragma unroll
            for (int w = 0; w < kWords; ++w) {
                l[w] = from[w * S::kMiddlePitch];
                h[w] = from[(S::kReadRows + w) * S::kMiddlePitch];
            }
            synthesise<Taps, T.rows>(filters, l, h, samples);
            if (yOut >= 0 && yOut + 2 * T.tileRows <= level.samples[1]) {
#pragma unroll
                for (int r = 0; r < 2 * T.rows; ++r) result[r * level.outRow] = samples[r];
            } else {
                const int y = hidden(yOut) + 2 * T.rows * ((T.threads - 1 - thread + j * T.threads) / (2 * T.columns) % S::kParts);
#pragma unroll
                for (int r = 0; r < 2 * T.rows; ++r)
                    if (y + r >= 0 && y + r < level.samples[1]) result[r * level.outRow] = samples[r];
            }
        }
        out += 2 * level.outSlice;
    };

    if constexpr (T.overlapped) {
#pragma unroll 1
        for (int step = 0; step < steps + 2; ++step) {
            const int even = step % 2, odd = 1 - even;
            if (step < steps) alongZ(planes + even * S::kPlane);
            if (step > 0 && step <= steps) alongX(planes + odd * S::kPlane, middles + odd * S::kMiddle);
            if (step > 1) alongY(middles + even * S::kMiddle);
            __syncthreads();
        }
    } else {
#pragma unroll 1
        for (int step = 0; step < steps; ++step) {
            alongZ(planes);
            __syncthreads();
            alongX(planes, middles);
            __syncthreads();
            alongY(middles);
        }
    }
}

template <int Taps, ZInverseTuning T>
struct ZFirstInverse {
    using S = ZInverseShape<Taps, T>;
    static constexpr auto kKernel = &zFirstInverseKernel<Taps, T.threads, T.columns, T.tileRows, T.rows, T.blocks, T.overlapped, T.ahead>;
    static constexpr int kSharedBytes = S::kSharedBytes;

    static bool prepare() { return prepareFused(reinterpret_cast<const void*>(kKernel), kSharedBytes); }
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        const SynthesisPhase phase = synthesisPhase(Taps, level.rule);
        const auto pairsOf = [&](int n) { return (n - 1 + phase.offset) / 2 + 1; };
        ZInverseLevel l{};
        l.in = reinterpret_cast<const char*>(level.in.data), l.inLow = reinterpret_cast<const char*>(level.inLow.data);
        l.out = level.out.data, l.outRow = level.out.rowStride, l.outSlice = level.out.sliceStride;
        l.row = 4 * level.in.rowStride, l.slice = 4 * level.in.sliceStride, l.lowSlice = 4 * level.inLow.sliceStride;
        l.toX = 4 * level.detail[0], l.toY = level.detail[1] * l.row, l.toZ = level.detail[2] * l.slice;
        const std::int64_t behind = level.rule == ExtensionRule::periodization ? 1 - level.count[2] : 0;
        l.behind = behind * l.slice, l.lowBehind = behind * l.lowSlice;
        std::copy_n(level.samples, 3, l.samples), std::copy_n(level.count, 3, l.count);
        l.phase = phase, l.wraps = level.rule == ExtensionRule::periodization;
        FusedGrid& grid = l.grid;
        grid.across = (pairsOf(level.samples[0]) + T.columns - 1) / T.columns;
        grid.down = (pairsOf(level.samples[1]) + T.tileRows - 1) / T.tileRows;
        const int positions = pairsOf(level.samples[2]);
        grid.chunks = std::clamp(level.chunks > 0 ? level.chunks : 4, 1, positions);
        grid.chunk = (positions + grid.chunks - 1) / grid.chunks;
        grid.chunks = (positions + grid.chunk - 1) / grid.chunk;
        SynthesisFilters<Taps> filters;
        for (int k = 0; k < Taps / 2; ++k)
            for (int p = 0; p < 2; ++p) {
                filters.lo[p][k] = level.lo[2 * (Taps / 2 - 1 - k) + p];
                filters.hi[p][k] = level.hi[2 * (Taps / 2 - 1 - k) + p];
            }
        const dim3 blocks(static_cast<unsigned>(grid.blocks()), static_cast<unsigned>(grid.chunks));
        launchFused(kKernel, blocks, T.threads, kSharedBytes, stream, level.early, l, filters);
    }
};

}  // namespace parallax::gpu
