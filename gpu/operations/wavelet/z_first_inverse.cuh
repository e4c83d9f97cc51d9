// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned inverse of coarse levels, along z first: see z_first_forward.cuh. A thread keeps sums along z of one place in each of the four
// bands along x and y.
#pragma once

#include "parallax/gpu/operations/wavelet/fused_inverse.cuh"

namespace parallax::gpu {

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

template <int Taps, int Threads, int Columns, int TileRows, int Rows, int Blocks, bool Overlapped, bool Ahead>
__global__ void __launch_bounds__(Threads, Blocks)
    zFirstInverseKernel(const FusedLevel level, const FusedGrid grid, const SynthesisFilters<Taps> filters) {
    constexpr ZInverseTuning T{.threads = Threads, .columns = Columns, .tileRows = TileRows, .rows = Rows, .blocks = Blocks, .overlapped = Overlapped, .ahead = Ahead};
    using S = ZInverseShape<Taps, T>;
    constexpr int kHalf = S::kHalf, kKept = kHalf - 1, kOwn = S::kOwn;
    extern __shared__ float4 fusedMemory[];
    float* const planes = reinterpret_cast<float*>(fusedMemory);
    float* const middles = planes + S::kBuffers * S::kPlane;

    admitNextKernel();
    const int thread = static_cast<int>(threadIdx.x);
    const SynthesisPhase phase = synthesisPhase(Taps, level.rule);
    const int first = phase.shift - kHalf + 1;  // coefficient that pair 0 meets first
    const bool wraps = level.rule == ExtensionRule::periodization;
    const auto pairsOf = [&](int n) { return (n - 1 + phase.offset) / 2 + 1; };
    const int x0 = static_cast<int>(blockIdx.x) % grid.across * T.columns;
    const int y0 = static_cast<int>(blockIdx.x) / grid.across * T.tileRows;
    const int z0 = static_cast<int>(blockIdx.y) * grid.chunk;
    const int steps = min(grid.chunk, pairsOf(level.samples[2]) - z0);
    // Behind the last coefficient there is what meets no sample.
    const auto place = [&](int i, int n) { return wraps ? coefficientIndex(i, n, true) : min(i, n - 1); };

    const std::int64_t sliceBytes = 4 * level.in.sliceStride, lowBytes = 4 * level.inLow.sliceStride;
    const std::int64_t toX = 4 * static_cast<std::int64_t>(level.detail[0]), toY = 4 * level.detail[1] * level.in.rowStride, toZ = level.detail[2] * sliceBytes;
    int z = place(z0 + first, level.count[2]);
    const char *from[kOwn], *fromLow[kOwn];
#pragma unroll
    for (int o = 0; o < kOwn; ++o) {
        const int i = min(thread + o * T.threads, S::kPlaces - 1), u = i % S::kReadColumns, v = i / S::kReadColumns;
        const std::int64_t column = 4 * place(x0 + first + u, level.count[0]), row = place(y0 + first + v, level.count[1]);
        from[o] = reinterpret_cast<const char*>(level.in.data) + (z * sliceBytes + 4 * row * level.in.rowStride + column);
        fromLow[o] = reinterpret_cast<const char*>(level.inLow.data) + (z * lowBytes + 4 * row * level.inLow.rowStride + column);
    }
    float lo[kOwn][4], hi[kOwn][4];
    const auto value = [](const char* at) { return *reinterpret_cast<const float*>(at); };
    const auto loadDetails = [&](int o, float (&l)[4], float (&h)[4]) {
        const char *const a = from[o], *const b = a + toY, *const c = a + toZ, *const d = b + toZ;
        l[1] = value(a + toX);
        l[2] = value(b);
        l[3] = value(b + toX);
        h[0] = value(c);
        h[1] = value(c + toX);
        h[2] = value(d);
        h[3] = value(d + toX);
    };
    /// Goes on along z. Behind the last coefficient there is the first one, or what meets no sample.
    const auto move = [&] {
        const bool more = ++z < level.count[2];
        if (!more) z = wraps ? 0 : level.count[2] - 1;
        const std::int64_t back = wraps ? 1 - level.count[2] : 0, by = more ? 1 : back;
#pragma unroll
        for (int o = 0; o < kOwn; ++o) from[o] += by * sliceBytes, fromLow[o] += by * lowBytes;
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
        const char* beginLow[kOwn];
        const int zBegin = z;
        for (int o = 0; o < kOwn; ++o) beginLow[o] = fromLow[o];
#pragma unroll
        for (int k = 0; k < kWarm; ++k) {
#pragma unroll
            for (int o = 0; o < kOwn; ++o) loadDetails(o, warmLo[k][o], warmHi[k][o]);
            if constexpr (!T.ahead)
                for (int o = 0; o < kOwn; ++o) warmLo[k][o][0] = value(fromLow[o]);
            move();
        }
        if constexpr (T.ahead) {
            awaitEarlierKernels();
            int zLow = zBegin;
#pragma unroll
            for (int k = 0; k < kWarm; ++k) {
#pragma unroll
                for (int o = 0; o < kOwn; ++o) warmLo[k][o][0] = value(beginLow[o]);
                const bool more = ++zLow < level.count[2];
                if (!more) zLow = wraps ? 0 : level.count[2] - 1;
                const std::int64_t by = more ? 1 : wraps ? 1 - level.count[2] : 0;
                for (int o = 0; o < kOwn; ++o) beginLow[o] += by * lowBytes;
            }
        }
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
#pragma unroll
        for (int o = 0; o < kOwn; ++o) {
            loadDetails(o, lo[o], hi[o]);
            lo[o][0] = value(fromLow[o]);
        }
        move();
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
    const auto alongY = [&](const float* middle, int step) {
#pragma unroll
        for (int j = 0; j < (S::kColumnItems + T.threads - 1) / T.threads; ++j) {
            // From the last thread on: the first ones have more to do along x.
            const int i = T.threads - 1 - thread + j * T.threads;
            if ((j + 1) * T.threads > S::kColumnItems && i >= S::kColumnItems) continue;
            const int column = 2 * T.columns - 1 - i % (2 * T.columns), rest = i / (2 * T.columns), part = rest % S::kParts, s = rest / S::kParts;
            const int x = 2 * x0 - phase.offset + column, y = 2 * (y0 + part * T.rows) - phase.offset, z = 2 * (z0 + step) - phase.offset + s;
            if (x < 0 || x >= level.samples[0] || z < 0 || z >= level.samples[2] || y >= level.samples[1]) continue;
            constexpr int kWords = T.rows - 1 + kHalf;
            float l[kWords], h[kWords], samples[2 * T.rows];
            const float* const from = middle + (s * S::kBandRows + T.rows * part) * S::kMiddlePitch + column;
#pragma unroll
            for (int w = 0; w < kWords; ++w) {
                l[w] = from[w * S::kMiddlePitch];
                h[w] = from[(S::kReadRows + w) * S::kMiddlePitch];
            }
            synthesise<Taps, T.rows>(filters, l, h, samples);
            const std::int64_t rowStride = level.out.rowStride;
            float* const to = level.out.data + z * level.out.sliceStride + y * rowStride + x;
            if (y >= 0 && y + 2 * T.rows <= level.samples[1]) {
#pragma unroll
                for (int r = 0; r < 2 * T.rows; ++r) to[r * rowStride] = samples[r];
            } else {
#pragma unroll
                for (int r = 0; r < 2 * T.rows; ++r)
                    if (y + r >= 0 && y + r < level.samples[1]) to[r * rowStride] = samples[r];
            }
        }
    };

    if constexpr (T.overlapped) {
#pragma unroll 1
        for (int step = 0; step < steps + 2; ++step) {
            const int even = step % 2, odd = 1 - even;
            if (step < steps) alongZ(planes + even * S::kPlane);
            if (step > 0 && step <= steps) alongX(planes + odd * S::kPlane, middles + odd * S::kMiddle);
            if (step > 1) alongY(middles + even * S::kMiddle, step - 2);
            __syncthreads();
        }
    } else {
#pragma unroll 1
        for (int step = 0; step < steps; ++step) {
            alongZ(planes);
            __syncthreads();
            alongX(planes, middles);
            __syncthreads();
            alongY(middles, step);
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
        FusedGrid grid;
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
        launchFused(kKernel, blocks, T.threads, kSharedBytes, stream, level.early, level, grid, filters);
    }
};

}  // namespace parallax::gpu
