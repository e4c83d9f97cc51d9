// SPDX-License-Identifier: GPL-3.0-or-later
// Trial: the tuned transform forward along z first, walking along z.
#pragma once

#include "parallax/gpu/operations/wavelet/z_first_forward.cuh"

namespace parallax::gpu {

struct ZWalkTuning {
    int threads, columns, tileRows, rows, blocks;
};

template <int Taps, int Threads, int Columns, int TileRows, int Rows>
struct ZWalkShape {
    static constexpr int kReadColumns = 2 * Columns + Taps - 2, kReadRows = 2 * TileRows + Taps - 2;
    static constexpr int kPlaces = kReadColumns * kReadRows, kOwn = (kPlaces + Threads - 1) / Threads;
    static constexpr int kGroupWords = (6 + Taps + 3) / 4 * 4, kRowWords = std::max(kReadColumns, 2 * Columns - 8 + kGroupWords);
    static constexpr int kStagePitch = 4 * ((kRowWords + 3) / 4 | 1), kMiddlePitch = 4 * ((2 * Columns + 3) / 4 | 1);
    static constexpr int kAllRows = 2 * kReadRows, kStage = kAllRows * kStagePitch, kMiddle = kAllRows * kMiddlePitch;
    static constexpr int kHigh = kReadRows * kStagePitch;
    static constexpr int kSharedBytes = (kStage + 4 + kMiddle) * static_cast<int>(sizeof(float)) + 2 * Taps * static_cast<int>(sizeof(int));
    static constexpr int kParts = TileRows / Rows, kColumnTasks = 4 * Columns * kParts, kRowTasks = Columns / 4 * kAllRows;
    static_assert(Columns % 4 == 0 && TileRows % Rows == 0 && kColumnTasks <= Threads);
};

template <int Taps, int Threads, int Columns, int TileRows, int Rows, int Blocks>
__global__ void __launch_bounds__(Threads, Blocks)
    zWalkForwardKernel(const FusedLevel level, const FusedGrid grid, const ZFirstRows<TileRows> out, const AnalysisFilters<Taps> filters) {
    using Shape = ZWalkShape<Taps, Threads, Columns, TileRows, Rows>;
    constexpr int kOwn = Shape::kOwn, kPlaces = Shape::kPlaces, kStagePitch = Shape::kStagePitch, kMiddlePitch = Shape::kMiddlePitch;
    constexpr int kKept = Taps / 2 - 1, kReadColumns = Shape::kReadColumns, kReadRows = Shape::kReadRows;
    extern __shared__ float4 fusedMemory[];
    float* const stage = reinterpret_cast<float*>(fusedMemory);
    float* const middle = stage + Shape::kStage + 4;
    unsigned* const slicesOutside = reinterpret_cast<unsigned*>(middle + Shape::kMiddle);

    admitNextKernel();
    const int thread = static_cast<int>(threadIdx.x);
    const int x0 = static_cast<int>(blockIdx.x) * Columns, y0 = static_cast<int>(blockIdx.y) * TileRows;
    const int z0 = static_cast<int>(blockIdx.z) * grid.chunk, steps = min(grid.chunk, level.count[2] - z0);
    const int first = analysisShift(Taps, level.rule) - (Taps - 1);
    const int height = min(TileRows, level.count[1] - y0);
    const unsigned sliceStride = static_cast<unsigned>(level.in.sliceStride);
    if (thread < 2 * Taps)
        slicesOutside[thread] =
            static_cast<unsigned>(
                max(standIn(thread < Taps ? thread - Taps : level.samples[2] + thread - Taps, level.samples[2], level.rule), 0)) *
            sliceStride;
    unsigned from[kOwn];
    float* to[kOwn];
#pragma unroll
    for (int o = 0; o < kOwn; ++o) {
        const int i = thread + o * Threads, place = min(i, kPlaces - 1), u = place % kReadColumns, v = place / kReadColumns;
        // What is beyond the last coefficient meets no sample.
        const int x = min(2 * x0 + first + u, 2 * level.count[0] + first + Taps - 3),
                  y = min(2 * y0 + first + v, 2 * level.count[1] + first + Taps - 3);
        from[o] = static_cast<unsigned>(max(standIn(y, level.samples[1], level.rule), 0) * static_cast<int>(level.in.rowStride) +
                                        max(standIn(x, level.samples[0], level.rule), 0));
        to[o] = stage + (v * kStagePitch + u);
    }
    __syncthreads();
    int z = 2 * z0 + first;
    const auto load = [&](float(&samples)[kOwn]) {
        const unsigned slice = static_cast<unsigned>(z) < static_cast<unsigned>(level.samples[2])
                                   ? static_cast<unsigned>(z) * sliceStride
                                   : slicesOutside[Taps + z - (z < 0 ? 0 : level.samples[2])];
        ++z;
#pragma unroll
        for (int o = 0; o < kOwn; ++o) samples[o] = level.in.data[from[o] + slice];
    };
    float pendingLo[kOwn][kKept > 0 ? kKept : 1] = {}, pendingHi[kOwn][kKept > 0 ? kKept : 1] = {};
    const auto goOn = [&](const float* filter, float* pending, float one, float two) {
        const float before = kKept > 0 ? pending[kKept - 1] : 0.0F;
        const float complete = fmaf(filter[Taps - 1], two, fmaf(filter[Taps - 2], one, before));
#pragma unroll
        for (int a = kKept - 1; a >= 0; --a)
            pending[a] = fmaf(filter[2 * a + 1], two, fmaf(filter[2 * a], one, a > 0 ? pending[a - 1] : 0.0F));
        return complete;
    };
    float one[kOwn], two[kOwn];
    awaitEarlierKernels();
    {
        float before[2 * kKept + 1][kOwn];
#pragma unroll
        for (int s = 0; s < 2 * kKept; ++s) load(before[s]);
        load(one), load(two);
#pragma unroll
        for (int s = 0; s < kKept; ++s)
#pragma unroll
            for (int o = 0; o < kOwn; ++o) {
                (void)goOn(filters.lo, pendingLo[o], before[2 * s][o], before[2 * s + 1][o]);
                (void)goOn(filters.hi, pendingHi[o], before[2 * s][o], before[2 * s + 1][o]);
            }
    }
    // Along y, from the last thread on: the first ones have more to do along x.
    const int task = Threads - 1 - thread, column = task % (2 * Columns), part = task / (2 * Columns) % Shape::kParts;
    const bool detailX = column >= Columns, detailZ = task / (2 * Columns * Shape::kParts) % 2 != 0, approximation = !detailX && !detailZ;
    const int x = x0 + (detailX ? column - Columns : column),
              ownRows = x < level.count[0] && task < Shape::kColumnTasks ? height - part * Rows : 0;
    const float* const own = middle + ((detailZ ? kReadRows : 0) + 2 * Rows * part) * kMiddlePitch + column;
    const unsigned highStep = static_cast<unsigned>(level.out.sliceStride),
                   lowStep = static_cast<unsigned>(approximation ? level.outLow.sliceStride : level.out.sliceStride);
    unsigned high =
        static_cast<unsigned>((y0 + part * Rows) * static_cast<int>(level.out.rowStride) + x + (detailX ? level.detail[0] : 0)) +
        static_cast<unsigned>(z0 + (detailZ ? level.detail[2] : 0)) * highStep;
    unsigned low = approximation ? static_cast<unsigned>((y0 + part * Rows) * static_cast<int>(level.outLow.rowStride) + x) +
                                       static_cast<unsigned>(z0) * lowStep
                                 : high;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
#pragma unroll
        for (int o = 0; o < kOwn; ++o) {
            const float lo = goOn(filters.lo, pendingLo[o], one[o], two[o]), hi = goOn(filters.hi, pendingHi[o], one[o], two[o]);
            to[o][0] = lo, to[o][Shape::kHigh] = hi;
        }
        // Those of the last step are in vain.
        if (step + 1 < steps) load(one), load(two);
        __syncthreads();
#pragma unroll
        for (int j = 0; j < (Shape::kRowTasks + Threads - 1) / Threads; ++j) {
            const int i = thread + j * Threads, group = i / Shape::kAllRows, row = i % Shape::kAllRows;
            if ((j + 1) * Threads > Shape::kRowTasks && i >= Shape::kRowTasks) continue;
            const float* const source = stage + row * kStagePitch + 8 * group;
            float* const result = middle + row * kMiddlePitch + 4 * group;
            float samples[Shape::kGroupWords], lo[4], hi[4];
#pragma unroll
            for (int w = 0; w < Shape::kGroupWords; w += 4) {
                const float4 four = *reinterpret_cast<const float4*>(source + w);
                samples[w] = four.x, samples[w + 1] = four.y, samples[w + 2] = four.z, samples[w + 3] = four.w;
            }
            analyse<Taps, 4>(filters, samples, lo, hi);
            *reinterpret_cast<float4*>(result) = make_float4(lo[0], lo[1], lo[2], lo[3]);
            *reinterpret_cast<float4*>(result + Columns) = make_float4(hi[0], hi[1], hi[2], hi[3]);
        }
        __syncthreads();
        if (ownRows > 0) {
            constexpr int kWords = 2 * Rows - 2 + Taps;
            float samples[kWords], lo[Rows], hi[Rows];
#pragma unroll
            for (int w = 0; w < kWords; ++w) samples[w] = own[w * kMiddlePitch];
            analyse<Taps, Rows>(filters, samples, lo, hi);
            if (ownRows >= Rows) {
                if (approximation) {
#pragma unroll
                    for (int r = 0; r < Rows; ++r) out.apart[r][low] = lo[r];
                } else {
#pragma unroll
                    for (int r = 0; r < Rows; ++r) out.low[r][low] = lo[r];
                }
#pragma unroll
                for (int r = 0; r < Rows; ++r) out.high[r][high] = hi[r];
            } else {
#pragma unroll
                for (int r = 0; r < Rows - 1; ++r)
                    if (r < ownRows) (approximation ? out.apart[r] : out.low[r])[low] = lo[r], out.high[r][high] = hi[r];
            }
        }
        low += lowStep, high += highStep;
    }
    if (level.fills && x0 + Columns >= level.count[0]) fillBesides(level, y0, height, z0, steps);
}

template <int Taps, ZWalkTuning T>
struct ZWalkForward {
    static constexpr auto kKernel = &zWalkForwardKernel<Taps, T.threads, T.columns, T.tileRows, T.rows, T.blocks>;
    static constexpr int kSharedBytes = ZWalkShape<Taps, T.threads, T.columns, T.tileRows, T.rows>::kSharedBytes;
    static bool prepare() { return prepareFused(reinterpret_cast<const void*>(kKernel), kSharedBytes); }
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        FusedGrid grid;
        grid.across = (level.count[0] + T.columns - 1) / T.columns;
        grid.down = (level.count[1] + T.tileRows - 1) / T.tileRows;
        const int parts = level.chunks > 0
                              ? std::min(level.chunks, level.count[2])
                              : std::clamp(T.blocks * level.multiprocessors / static_cast<int>(grid.blocks()), 1, level.count[2]);
        grid.chunk = (level.count[2] + parts - 1) / parts;
        grid.chunks = (level.count[2] + grid.chunk - 1) / grid.chunk;
        AnalysisFilters<Taps> filters;
        std::reverse_copy(level.lo, level.lo + Taps, filters.lo);
        std::reverse_copy(level.hi, level.hi + Taps, filters.hi);
        ZFirstRows<T.tileRows> out;
        for (int r = 0; r < T.tileRows; ++r) {
            out.low[r] = level.out.data + r * level.out.rowStride;
            out.high[r] = out.low[r] + level.detail[1] * level.out.rowStride;
            out.apart[r] = level.outLow.data + r * level.outLow.rowStride;
        }
        const dim3 blocks(static_cast<unsigned>(grid.across), static_cast<unsigned>(grid.down), static_cast<unsigned>(grid.chunks));
        launchFused(kKernel, blocks, T.threads, kSharedBytes, stream, level.early, level, grid, out, filters);
    }
};

}  // namespace parallax::gpu
