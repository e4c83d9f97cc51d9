// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned transform forward for coarse levels and small volumes: along z first.
//
// A block makes a tile of coefficients along x and y, in a part of the depth. Each thread has some columns along z of the tile with its
// halo in registers: at each step it takes the next two slices, straight from memory, since coarse levels lie in the level-2 cache, and
// adds them to the taps - 2 sums of coefficients that have not met all their samples. Those that have are two slices, low and high, which
// go through shared memory, are filtered along x into another array there, and from there along y. A part costs the loads of taps - 2
// slices more, and filters nothing along x and y in vain, so even thin parts pay; nothing is kept between steps but along z, so there is
// room for many warps.
#pragma once

#include "parallax/gpu/operations/wavelet/fused_forward.cuh"

namespace parallax::gpu {

/// How the work of a block is laid out.
template <int Taps, int Threads, int Columns, int Rows, int Vector, bool Overlapped>
struct ZFirstForwardShape {
    static constexpr int kThreads = Threads, kColumns = Columns, kRows = Rows, kVector = Vector;
    static constexpr int kTileRows = Rows * (Threads / (4 * Columns));  ///< of a band
    static constexpr int kStageRows = 2 * kTileRows + Taps - 2;         ///< of samples
    static constexpr int kPad = kVector == 4 && Taps % 4 == 0 ? 2 : 0;  ///< samples on the left that make rows begin at a multiple of 4
    static constexpr int kVectors = (kPad + 2 * kColumns + Taps - 2 + kVector - 1) / kVector;  ///< of a row
    static constexpr int kOwn = (kStageRows * kVectors + kThreads - 1) / kThreads;             ///< of a thread
    static constexpr int kGroupWords = (kPad + 6 + Taps + 3) / 4 * 4;  ///< that four coefficients along x are made from, and words beside
    /// Words of a row. An odd multiple of 4: eight rows side by side meet different banks, 16 bytes each.
    static constexpr int kRowWords = std::max(kVectors * kVector, 2 * kColumns - 8 + kGroupWords);
    static constexpr int kStagePitch = 4 * ((kRowWords + 3) / 4 | 1), kMiddlePitch = 4 * ((2 * kColumns + 3) / 4 | 1);
    static constexpr int kStage = 2 * kStageRows * kStagePitch, kMiddle = 2 * kStageRows * kMiddlePitch;  ///< low and high along z
    static constexpr int kBuffers = Overlapped ? 2 : 1;
    static constexpr int kFilled = kTileRows * kMostFilled;  ///< places that are filled with zeros
    static constexpr int kSharedBytes = (kBuffers * (kStage + kMiddle)) * static_cast<int>(sizeof(float)) +
                                        (kVectors * kVector + 2 * Taps + kFilled) * static_cast<int>(sizeof(int));
    static_assert(kThreads % 32 == 0 && kColumns % 4 == 0 && kTileRows > 0 && Taps % 2 == 0 &&
                  (kVector == 1 || kVector == 2 || kVector == 4));
};

template <int Vector>
struct FloatVector;
template <>
struct FloatVector<1> {
    using Type = float;
};
template <>
struct FloatVector<2> {
    using Type = float2;
};
template <>
struct FloatVector<4> {
    using Type = float4;
};

template <int Taps, int Threads, int Columns, int Rows, int Blocks, int Width, bool Overlapped>
__global__ void __launch_bounds__(Threads, Blocks)
    zFirstForwardKernel(const FusedLevel level, const FusedGrid grid, const AnalysisFilters<Taps> filters) {
    using Shape = ZFirstForwardShape<Taps, Threads, Columns, Rows, Width, Overlapped>;
    constexpr int kThreads = Shape::kThreads, kColumns = Shape::kColumns, kRows = Shape::kRows, kVector = Shape::kVector;
    constexpr int kOwn = Shape::kOwn, kPad = Shape::kPad, kStageRows = Shape::kStageRows;
    constexpr int kStagePitch = Shape::kStagePitch, kMiddlePitch = Shape::kMiddlePitch;
    constexpr int kKept = Taps / 2 - 1;
    using Vector = typename FloatVector<kVector>::Type;
    extern __shared__ float4 fusedMemory[];
    float* const stages = reinterpret_cast<float*>(fusedMemory);
    float* const middles = stages + Shape::kBuffers * Shape::kStage;
    int* const columnOffsets = reinterpret_cast<int*>(middles + Shape::kBuffers * Shape::kMiddle);
    int* const slicesOutside = columnOffsets + Shape::kVectors * kVector;
    int* const filled = slicesOutside + 2 * Taps;

    admitNextKernel();
    const int thread = static_cast<int>(threadIdx.x);
    const int x0 = static_cast<int>(blockIdx.x) % grid.across * kColumns;
    const int y0 = static_cast<int>(blockIdx.x) / grid.across * Shape::kTileRows;
    const int z0 = static_cast<int>(blockIdx.y) * grid.chunk, steps = min(grid.chunk, level.count[2] - z0);
    const int first = analysisShift(Taps, level.rule) - (Taps - 1);  // sample that coefficient 0 meets first
    const int left = 2 * x0 + first - kPad, top = 2 * y0 + first;
    const int width = min(kColumns, level.count[0] - x0), height = min(Shape::kTileRows, level.count[1] - y0);
    const int columns = kPad + 2 * width + Taps - 2, rows = 2 * height + Taps - 2, groups = (width + 3) / 4;
    constexpr int kBytes = static_cast<int>(sizeof(float));
    for (int i = thread; i < Shape::kVectors * kVector; i += kThreads) {
        const int x = left + i;
        int from = kNothing;
        if (i < columns)
            from = static_cast<unsigned>(x) < static_cast<unsigned>(level.samples[0]) ? x : sliceOutside(x, level.samples[0], level.rule);
        columnOffsets[i] = from < 0 ? kNothing : from * kBytes;
    }
    if (thread < 2 * Taps)
        slicesOutside[thread] =
            sliceOutside(thread < Taps ? thread - Taps : level.samples[2] + thread - Taps, level.samples[2], level.rule);
    RowFills fills;
    fills.list(level, x0 + kColumns >= level.count[0], y0, height, filled);

    // The vectors of samples that this thread filters along z: within the volume first, then those that are not, which are loaded sample by
    // sample.
    const bool aligned = ((level.in.rowStride | level.in.sliceStride | left) & (kVector - 1)) == 0 &&
                         (reinterpret_cast<std::uintptr_t>(level.in.data) & (sizeof(Vector) - 1)) == 0;
    const int across = (columns + kVector - 1) / kVector;
    const int innerFrom = min(left < 0 ? (-left + kVector - 1) / kVector : 0, across);
    const int innerUntil = aligned ? max(innerFrom, min((level.samples[0] - left) / kVector, across)) : innerFrom;
    const int inner = innerUntil - innerFrom, outer = across - inner;
    int from[kOwn], to[kOwn];  // bytes from the first sample of a slice (a row, where samples are looked up one by one), place in a stage
#pragma unroll
    for (int k = 0; k < kOwn; ++k) {
        const int i = thread + k * kThreads, j = i - inner * rows;
        from[k] = kNothing, to[k] = kNothing;
        if (j >= outer * rows) continue;
        const int row = j < 0 ? i / inner : j / outer, place = j < 0 ? i % inner + innerFrom : j % outer;
        const int column = (j < 0 || place < innerFrom ? place : place + inner) * kVector;
        const int y = top + row;
        const int source =
            static_cast<unsigned>(y) < static_cast<unsigned>(level.samples[1]) ? y : sliceOutside(y, level.samples[1], level.rule);
        to[k] = row * kStagePitch + column;
        if (source >= 0) from[k] = source * static_cast<int>(level.in.rowStride) * kBytes + (j < 0 ? (left + column) * kBytes : 0);
        if (j >= 0) to[k] |= 1 << 30;
    }
    __syncthreads();
    const std::int64_t sliceBytes = level.in.sliceStride * static_cast<std::int64_t>(sizeof(float));
    const auto load = [&](int z, float(&samples)[kOwn * kVector]) {
        const int slice = static_cast<unsigned>(z) < static_cast<unsigned>(level.samples[2])
                              ? z
                              : slicesOutside[Taps + z - (z < 0 ? 0 : level.samples[2])];
        const char* const data = reinterpret_cast<const char*>(level.in.data) + slice * sliceBytes;
#pragma unroll
        for (int k = 0; k < kOwn; ++k) {
#pragma unroll
            for (int v = 0; v < kVector; ++v) samples[k * kVector + v] = 0;
            if (from[k] < 0 || slice < 0) continue;
            if (to[k] < 1 << 30) {
                const Vector vector = *reinterpret_cast<const Vector*>(data + static_cast<unsigned>(from[k]));
                if constexpr (kVector == 1) {
                    samples[k] = vector;
                } else {
                    samples[k * kVector] = vector.x, samples[k * kVector + 1] = vector.y;
                    if constexpr (kVector == 4) samples[k * kVector + 2] = vector.z, samples[k * kVector + 3] = vector.w;
                }
            } else {
                const int* const offsets = columnOffsets + (to[k] - (1 << 30)) % kStagePitch;
#pragma unroll
                for (int v = 0; v < kVector; ++v)
                    if (offsets[v] >= 0)
                        samples[k * kVector + v] = *reinterpret_cast<const float*>(data + static_cast<unsigned>(from[k] + offsets[v]));
            }
        }
    };

    // Along y a thread makes one column of a band along x and one along z, some rows of both bands.
    const int column = thread % (2 * kColumns), band = thread / (2 * kColumns), part = band / 2, x = x0 + column % kColumns,
              y = y0 + part * kRows;
    const bool detailX = column >= kColumns, detailZ = band % 2 != 0;
    const int ownRows = min(kRows, level.count[1] - y);
    const bool active = x < level.count[0] && ownRows > 0 && (kThreads % (4 * kColumns) == 0 || part < kThreads / (4 * kColumns));
    const bool approximation = !detailX && !detailZ;
    const int rowStride = static_cast<int>(level.out.rowStride),
              lowStride = static_cast<int>(approximation ? level.outLow.rowStride : level.out.rowStride);
    const std::int64_t lowStep = approximation ? level.outLow.sliceStride : level.out.sliceStride;
    float* toHigh = level.out.data + (detailX ? level.detail[0] : 0) + x + y * level.out.rowStride +
                    (z0 + (detailZ ? level.detail[2] : 0)) * level.out.sliceStride;
    float* toLow = approximation ? level.outLow.data + x + y * level.outLow.rowStride + z0 * lowStep : toHigh;
    toHigh += level.detail[1] * level.out.rowStride;

    // Along z, sums of coefficients that have met some of their samples: index a has met 2 (a + 1).
    float pendingLo[kOwn * kVector][kKept > 0 ? kKept : 1] = {}, pendingHi[kOwn * kVector][kKept > 0 ? kKept : 1] = {};
    const auto goOn = [&](const float* filter, float* pending, float one, float two) {
        const float before = kKept > 0 ? pending[kKept - 1] : 0.0F;
        const float complete = fmaf(filter[Taps - 1], two, fmaf(filter[Taps - 2], one, before));
#pragma unroll
        for (int a = kKept - 1; a >= 0; --a)
            pending[a] = fmaf(filter[2 * a + 1], two, fmaf(filter[2 * a], one, a > 0 ? pending[a - 1] : 0.0F));
        return complete;
    };
    float one[kOwn * kVector], two[kOwn * kVector];
    const auto alongZ = [&](float* stage) {
#pragma unroll
        for (int k = 0; k < kOwn; ++k) {
            float lo[kVector], hi[kVector];
#pragma unroll
            for (int v = 0; v < kVector; ++v) {
                const int i = k * kVector + v;
                lo[v] = goOn(filters.lo, pendingLo[i], one[i], two[i]);
                hi[v] = goOn(filters.hi, pendingHi[i], one[i], two[i]);
            }
            if (to[k] < 0) continue;
            float* const place = stage + (to[k] & ~(1 << 30));
            float* const high = place + kStageRows * kStagePitch;
            if constexpr (kVector == 1) {
                *place = lo[0], *high = hi[0];
            } else if constexpr (kVector == 2) {
                *reinterpret_cast<float2*>(place) = make_float2(lo[0], lo[1]);
                *reinterpret_cast<float2*>(high) = make_float2(hi[0], hi[1]);
            } else {
                *reinterpret_cast<float4*>(place) = make_float4(lo[0], lo[1], lo[2], lo[3]);
                *reinterpret_cast<float4*>(high) = make_float4(hi[0], hi[1], hi[2], hi[3]);
            }
        }
    };
    /// Rows of both slices, filtered along x: neighbouring threads have neighbouring rows.
    const auto alongX = [&](const float* stage, float* middle) {
        constexpr int kAllRows = 2 * kStageRows;
#pragma unroll 1
        for (int i = thread; i < groups * kAllRows; i += kThreads) {
            const int group = i / kAllRows, row = i % kAllRows;
            const float* const source = stage + row * kStagePitch + 8 * group;
            float* const result = middle + row * kMiddlePitch + 4 * group;
            float samples[Shape::kGroupWords], lo[4], hi[4];
#pragma unroll
            for (int w = 0; w < Shape::kGroupWords; w += 4) {
                const float4 four = *reinterpret_cast<const float4*>(source + w);
                samples[w] = four.x, samples[w + 1] = four.y, samples[w + 2] = four.z, samples[w + 3] = four.w;
            }
            analyse<Taps, 4>(filters, samples + kPad, lo, hi);
            *reinterpret_cast<float4*>(result) = make_float4(lo[0], lo[1], lo[2], lo[3]);
            *reinterpret_cast<float4*>(result + kColumns) = make_float4(hi[0], hi[1], hi[2], hi[3]);
        }
    };
    const auto alongY = [&](const float* middle, int step) {
        if (fills.all > 0) fills.fill(level, z0 + step, filled);
        if (!active) return;
        constexpr int kWords = 2 * kRows - 2 + Taps;
        float samples[kWords], lo[kRows], hi[kRows];
        const float* const source = middle + ((detailZ ? kStageRows : 0) + 2 * kRows * part) * kMiddlePitch + column;
#pragma unroll
        for (int w = 0; w < kWords; ++w) samples[w] = source[w * kMiddlePitch];
        analyse<Taps, kRows>(filters, samples, lo, hi);
        if (ownRows == kRows) {
#pragma unroll
            for (int r = 0; r < kRows; ++r) toLow[r * lowStride] = lo[r], toHigh[r * rowStride] = hi[r];
        } else {
#pragma unroll
            for (int r = 0; r < kRows - 1; ++r)
                if (r < ownRows) toLow[r * lowStride] = lo[r], toHigh[r * rowStride] = hi[r];
        }
        toLow += lowStep, toHigh += level.out.sliceStride;
    };

    int z = 2 * z0 + first;
    awaitEarlierKernels();
    if constexpr (kKept > 0) {
        float before[2 * kKept][kOwn * kVector];
#pragma unroll
        for (int s = 0; s < 2 * kKept; ++s) load(z + s, before[s]);
        z += 2 * kKept;
        load(z, one), load(z + 1, two);
#pragma unroll
        for (int s = 0; s < kKept; ++s)
#pragma unroll
            for (int i = 0; i < kOwn * kVector; ++i) {
                (void)goOn(filters.lo, pendingLo[i], before[2 * s][i], before[2 * s + 1][i]);
                (void)goOn(filters.hi, pendingHi[i], before[2 * s][i], before[2 * s + 1][i]);
            }
    } else {
        load(z, one), load(z + 1, two);
    }
    const auto advance = [&](float* stage, int step) {
        alongZ(stage);
        z += 2;
        if (step + 1 < steps) load(z, one), load(z + 1, two);
    };
    if constexpr (Overlapped) {
#pragma unroll 1
        for (int step = 0; step < steps + 2; ++step) {
            const int even = step % 2, odd = 1 - even;
            if (step < steps) advance(stages + even * Shape::kStage, step);
            if (step > 0 && step <= steps) alongX(stages + odd * Shape::kStage, middles + odd * Shape::kMiddle);
            if (step > 1) alongY(middles + even * Shape::kMiddle, step - 2);
            __syncthreads();
        }
    } else {
        advance(stages, 0);
#pragma unroll 1
        for (int step = 0; step < steps; ++step) {
            __syncthreads();
            alongX(stages, middles);
            __syncthreads();
            if (step + 1 < steps) advance(stages, step + 1);
            alongY(middles, step);
        }
    }
}

template <int Taps, ZFirstTuning Tuning>
struct ZFirstForward {
    static constexpr auto kKernel =
        &zFirstForwardKernel<Taps, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.blocks, Tuning.vector, Tuning.overlapped>;
    static constexpr int kSharedBytes =
        ZFirstForwardShape<Taps, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.vector, Tuning.overlapped>::kSharedBytes;

    /// May it begin early?
    static bool prepare() { return prepareFused(reinterpret_cast<const void*>(kKernel), kSharedBytes); }
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        FusedGrid grid;
        grid.across = (level.count[0] + Tuning.columns - 1) / Tuning.columns;
        grid.down = (level.count[1] + Tuning.tileRows() - 1) / Tuning.tileRows();
        const int parts = level.chunks > 0 ? std::min(level.chunks, level.count[2])
                                           : zFirstParts(grid.blocks(), level.count[2], level.multiprocessors * Tuning.blocks);
        grid.chunk = (level.count[2] + parts - 1) / parts;
        grid.chunks = (level.count[2] + grid.chunk - 1) / grid.chunk;
        AnalysisFilters<Taps> filters;
        std::reverse_copy(level.lo, level.lo + Taps, filters.lo);
        std::reverse_copy(level.hi, level.hi + Taps, filters.hi);
        const dim3 blocks(static_cast<unsigned>(grid.blocks()), static_cast<unsigned>(grid.chunks));
        launchFused(kKernel, blocks, Tuning.threads, kSharedBytes, stream, level.early, level, grid, filters);
    }

private:
    /// As fusedChunks(), with parts that cost less.
    static int zFirstParts(std::int64_t tiles, int positions, int blocksAtOnce) {
        int best = 1;
        double least = std::numeric_limits<double>::infinity();
        for (int parts = 1; parts <= std::min(positions, 64); ++parts) {
            const int chunk = (positions + parts - 1) / parts;
            const auto waves = static_cast<double>((tiles * parts + blocksAtOnce - 1) / blocksAtOnce);
            const double cost = waves * (chunk + 2);
            if (cost < least) least = cost, best = parts;
        }
        return std::clamp(std::max(best, positions / 4096), 1, 65535);
    }
};

}  // namespace parallax::gpu
