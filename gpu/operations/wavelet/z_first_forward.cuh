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

#include <type_traits>

#include "parallax/gpu/operations/wavelet/fused_forward.cuh"

namespace parallax::gpu {

/// How the work of a block is laid out.
template <int Taps, int Threads, int Columns, int Rows, int Width, int Ahead>
struct ZFirstForwardShape {
    static constexpr int kTileRows = Rows * (Threads / (4 * Columns));  ///< of a band
    static constexpr int kStageRows = 2 * kTileRows + Taps - 2;         ///< of samples
    static constexpr int kPad = Width == 4 && Taps % 4 == 0 ? 2 : 0;    ///< samples on the left that make rows begin at a multiple of 4
    static constexpr int kVectors = (kPad + 2 * Columns + Taps - 2 + Width - 1) / Width;  ///< of a row
    static constexpr int kOwn = (kStageRows * kVectors + Threads - 1) / Threads;          ///< of a thread
    static constexpr int kSlice = kOwn * Threads * Width;                                 ///< words
    static constexpr int kGroupWords = (kPad + 6 + Taps + 3) / 4 * 4;  ///< that four coefficients along x are made from, and words beside
    /// Words of a row. An odd multiple of 4: eight rows side by side meet different banks, 16 bytes each.
    static constexpr int kRowWords = std::max(kVectors * Width, 2 * Columns - 8 + kGroupWords);
    static constexpr int kStagePitch = 4 * ((kRowWords + 3) / 4 | 1), kMiddlePitch = 4 * ((2 * Columns + 3) / 4 | 1);
    static constexpr int kHigh = kStageRows * kStagePitch + 4;  ///< from a plane to the next; nothing needs the last words
    static constexpr int kStage = 2 * kHigh, kMiddle = 2 * kStageRows * kMiddlePitch;
    static constexpr int kFilled = kTileRows * kMostFilled;  ///< places that are filled with zeros
    static constexpr int kTables = kVectors * Width + kStageRows + 2 * Taps;
    static constexpr int kSharedBytes = (2 * Ahead * kSlice + kStage + kMiddle) * static_cast<int>(sizeof(float)) +
                                        (kTables + 2 * kOwn * Threads + kFilled) * static_cast<int>(sizeof(int));
    static_assert(Threads % 32 == 0 && Columns % 4 == 0 && kTileRows > 0 && Taps % 2 == 0 && (Width == 2 || Width == 4));
};

template <int Width>
using FloatVector = std::conditional_t<Width == 2, float2, float4>;

template <int Taps, int Threads, int Columns, int Rows, int Blocks, int Width, int Ahead>
__global__ void __launch_bounds__(Threads, Blocks)
    zFirstForwardKernel(const FusedLevel level, const FusedGrid grid, const AnalysisFilters<Taps> filters) {
    using Shape = ZFirstForwardShape<Taps, Threads, Columns, Rows, Width, Ahead>;
    using Vector = FloatVector<Width>;
    constexpr int kOwn = Shape::kOwn, kPad = Shape::kPad, kStageRows = Shape::kStageRows, kStagePitch = Shape::kStagePitch,
                  kMiddlePitch = Shape::kMiddlePitch, kSlice = Shape::kSlice, kHigh = Shape::kHigh;
    constexpr int kKept = Taps / 2 - 1, kBytes = static_cast<int>(sizeof(float));
    extern __shared__ float4 fusedMemory[];
    float* const ring = reinterpret_cast<float*>(fusedMemory);
    float* const stage = ring + 2 * Ahead * kSlice;
    float* const middle = stage + Shape::kStage;
    int* const columnOffsets = reinterpret_cast<int*>(middle + Shape::kMiddle);
    int* const rowOffsets = columnOffsets + Shape::kVectors * Width;
    int* const slicesOutside = rowOffsets + kStageRows;
    int* const fromOffsets = slicesOutside + 2 * Taps + threadIdx.x;
    int* const toPlaces = fromOffsets + kOwn * Threads;
    int* const filled = slicesOutside + 2 * Taps + 2 * kOwn * Threads;

    admitNextKernel();
    const int thread = static_cast<int>(threadIdx.x);
    const int x0 = static_cast<int>(blockIdx.x) % grid.across * Columns;
    const int y0 = static_cast<int>(blockIdx.x) / grid.across * Shape::kTileRows;
    const int z0 = static_cast<int>(blockIdx.y) * grid.chunk, steps = min(grid.chunk, level.count[2] - z0);
    const int first = analysisShift(Taps, level.rule) - (Taps - 1);  // sample that coefficient 0 meets first
    const int left = 2 * x0 + first - kPad, top = 2 * y0 + first;
    const int width = min(Columns, level.count[0] - x0), height = min(Shape::kTileRows, level.count[1] - y0);
    const int columns = kPad + 2 * width + Taps - 2, rows = 2 * height + Taps - 2, groups = (width + 3) / 4;
    // What stands for columns and rows, in bytes from the first sample of a slice, and for slices.
#pragma unroll 1
    for (int i = thread; i < Shape::kTables; i += Threads) {
        const int row = i - Shape::kVectors * Width, slice = row - kStageRows;
        const int axis = row < 0 ? 0 : slice < 0 ? 1 : 2, n = level.samples[axis];
        const int at = axis == 0 ? left + i : axis == 1 ? top + row : slice < Taps ? slice - Taps : n + slice - Taps;
        int source = kNothing;
        if (static_cast<unsigned>(at) < static_cast<unsigned>(n)) source = at;
        else if (axis != 0 || (i >= kPad && i < columns)) source = sliceOutside(at, n, level.rule);
        if (axis != 2 && source >= 0) source *= axis == 1 ? static_cast<int>(level.in.rowStride) * kBytes : kBytes;
        columnOffsets[i] = source;
    }
    RowFills fills;
    fills.list(level, x0 + Columns >= level.count[0], y0, height, filled);
    // The vectors of samples that this thread filters along z: first those that lie within the volume, then those that do not, which are
    // copied sample by sample. From where, in bytes from the first sample of a slice (of its row, inverted, where it is copied sample by
    // sample), and to where.
    const bool aligned = ((level.in.rowStride | level.in.sliceStride | left) & (Width - 1)) == 0 &&
                         (reinterpret_cast<std::uintptr_t>(level.in.data) & (sizeof(Vector) - 1)) == 0;
    const int across = (columns + Width - 1) / Width, innerFrom = min(left < 0 ? (-left + Width - 1) / Width : 0, across);
    const int inner = aligned ? max(0, min((level.samples[0] - left) / Width, across) - innerFrom) : 0, outer = across - inner;
    constexpr int kNone = -0x7fffffff - 1;
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < kOwn; ++k) {
        const int i = thread + k * Threads, j = i - inner * rows;
        int source = kNone, to = kHigh - 4;
        if (j < outer * rows) {
            const int row = j < 0 ? i / inner : j / outer, place = j < 0 ? i - row * inner + innerFrom : j - row * outer;
            const int column = (j < 0 || place < innerFrom ? place : place + inner) * Width, offset = rowOffsets[row];
            to = row * kStagePitch + column;
            if (offset >= 0) source = j < 0 ? offset + (left + column) * kBytes : ~offset;
        }
        fromOffsets[k * Threads] = source, toPlaces[k * Threads] = to;
        if (source < 0)
            for (int s = 0; s < 2 * Ahead; ++s) *reinterpret_cast<Vector*>(ring + s * kSlice + (thread + k * Threads) * Width) = Vector{};
    }
    const std::int64_t sliceBytes = level.in.sliceStride * static_cast<std::int64_t>(sizeof(float));
    /// Begins to copy two slices, each thread what it filters along z.
    const auto copy = [&](float* to, int z) {
#pragma unroll 1
        for (int s = 0; s < 2; ++s, ++z, to += kSlice) {
            int slice = z;
            if (static_cast<unsigned>(z) >= static_cast<unsigned>(level.samples[2]))
                slice = slicesOutside[Taps + z - (z < 0 ? 0 : level.samples[2])];
            const char* const data = reinterpret_cast<const char*>(level.in.data) + slice * sliceBytes;
#pragma unroll
            for (int k = 0; k < kOwn; ++k) {
                const int source = fromOffsets[k * Threads];
                float* const own = to + (thread + k * Threads) * Width;
                if (slice < 0) {
                    *reinterpret_cast<Vector*>(own) = Vector{};
                } else if (source >= 0) {
                    __pipeline_memcpy_async(own, data + static_cast<unsigned>(source), sizeof(Vector));
                } else if (source != kNone) {
                    const int* const offsets = columnOffsets + toPlaces[k * Threads] % kStagePitch;
#pragma unroll 1
                    for (int v = 0; v < Width; ++v)
                        if (offsets[v] >= 0)
                            __pipeline_memcpy_async(own + v, data + static_cast<unsigned>(~source + offsets[v]), sizeof(float));
                }
            }
        }
        __pipeline_commit();
    };

    // Along y a thread makes one column of a band along x and one along z, some rows of both bands.
    const int column = thread % (2 * Columns), band = thread / (2 * Columns), part = band / 2, x = x0 + column % Columns,
              y = y0 + part * Rows;
    const bool detailX = column >= Columns, detailZ = band % 2 != 0;
    const int ownRows = min(Rows, level.count[1] - y);
    const bool active = x < level.count[0] && ownRows > 0 && (Threads % (4 * Columns) == 0 || part < Threads / (4 * Columns));
    const bool approximation = !detailX && !detailZ;
    const int rowStride = static_cast<int>(level.out.rowStride),
              lowStride = static_cast<int>(approximation ? level.outLow.rowStride : level.out.rowStride);
    const std::int64_t lowStep = approximation ? level.outLow.sliceStride : level.out.sliceStride;
    float* toHigh = level.out.data + (detailX ? level.detail[0] : 0) + x + y * level.out.rowStride +
                    (z0 + (detailZ ? level.detail[2] : 0)) * level.out.sliceStride;
    float* toLow = approximation ? level.outLow.data + x + y * level.outLow.rowStride + z0 * lowStep : toHigh;
    toHigh += level.detail[1] * level.out.rowStride;

    // Along z, sums of coefficients that have met some of their samples: index a has met 2 (a + 1).
    float pendingLo[kOwn * Width][kKept > 0 ? kKept : 1] = {}, pendingHi[kOwn * Width][kKept > 0 ? kKept : 1] = {};
    const auto goOn = [&](const float* filter, float* pending, float one, float two) {
        const float before = kKept > 0 ? pending[kKept - 1] : 0.0F;
        const float complete = fmaf(filter[Taps - 1], two, fmaf(filter[Taps - 2], one, before));
#pragma unroll
        for (int a = kKept - 1; a >= 0; --a)
            pending[a] = fmaf(filter[2 * a + 1], two, fmaf(filter[2 * a], one, a > 0 ? pending[a - 1] : 0.0F));
        return complete;
    };
    /// What this thread has copied, along z into two planes.
    const auto alongZ = [&](const float* copied) {
#pragma unroll
        for (int k = 0; k < kOwn; ++k) {
            const Vector one = *reinterpret_cast<const Vector*>(copied + (thread + k * Threads) * Width);
            const Vector two = *reinterpret_cast<const Vector*>(copied + kSlice + (thread + k * Threads) * Width);
            Vector lo, hi;
            const auto both = [&](int i, float first, float second, float& low, float& high) {
                low = goOn(filters.lo, pendingLo[k * Width + i], first, second);
                high = goOn(filters.hi, pendingHi[k * Width + i], first, second);
            };
            both(0, one.x, two.x, lo.x, hi.x);
            both(1, one.y, two.y, lo.y, hi.y);
            if constexpr (Width == 4) both(2, one.z, two.z, lo.z, hi.z), both(3, one.w, two.w, lo.w, hi.w);
            float* const to = stage + toPlaces[k * Threads];
            *reinterpret_cast<Vector*>(to) = lo, *reinterpret_cast<Vector*>(to + kHigh) = hi;
        }
    };
    /// Rows of both slices, filtered along x: neighbouring threads have neighbouring rows.
    const auto alongX = [&] {
        constexpr int kAllRows = 2 * kStageRows;
#pragma unroll 1
        for (int i = thread; i < groups * kAllRows; i += Threads) {
            const int group = i / kAllRows, row = i % kAllRows;
            const float* const source = stage + row * kStagePitch + (row < kStageRows ? 0 : kHigh - kStageRows * kStagePitch) + 8 * group;
            float* const result = middle + row * kMiddlePitch + 4 * group;
            float samples[Shape::kGroupWords], lo[4], hi[4];
#pragma unroll
            for (int w = 0; w < Shape::kGroupWords; w += 4) {
                const float4 four = *reinterpret_cast<const float4*>(source + w);
                samples[w] = four.x, samples[w + 1] = four.y, samples[w + 2] = four.z, samples[w + 3] = four.w;
            }
            analyse<Taps, 4>(filters, samples + kPad, lo, hi);
            *reinterpret_cast<float4*>(result) = make_float4(lo[0], lo[1], lo[2], lo[3]);
            *reinterpret_cast<float4*>(result + Columns) = make_float4(hi[0], hi[1], hi[2], hi[3]);
        }
    };
    const auto alongY = [&](int step) {
        if (fills.all > 0) fills.fill(level, z0 + step, filled);
        if (!active) return;
        constexpr int kWords = 2 * Rows - 2 + Taps;
        float samples[kWords], lo[Rows], hi[Rows];
        const float* const source = middle + ((detailZ ? kStageRows : 0) + 2 * Rows * part) * kMiddlePitch + column;
#pragma unroll
        for (int w = 0; w < kWords; ++w) samples[w] = source[w * kMiddlePitch];
        analyse<Taps, Rows>(filters, samples, lo, hi);
        if (ownRows == Rows) {
#pragma unroll
            for (int r = 0; r < Rows; ++r) toLow[r * lowStride] = lo[r], toHigh[r * rowStride] = hi[r];
        } else {
#pragma unroll
            for (int r = 0; r < Rows - 1; ++r)
                if (r < ownRows) toLow[r * lowStride] = lo[r], toHigh[r * rowStride] = hi[r];
        }
        toLow += lowStep, toHigh += level.out.sliceStride;
    };

    awaitEarlierKernels();
    // Steps before the first one do nothing but put samples on their way, and those before 0 have no coefficient to complete.
    int z = 2 * z0 + first, slot = 0;
#pragma unroll 1
    for (int step = -kKept - Ahead; step < steps; ++step) {
        float* const copied = ring + slot * (2 * kSlice);
        slot = slot + 1 < Ahead ? slot + 1 : 0;
        if (step >= -kKept) {
            __pipeline_wait_prior(Ahead - 1);
            alongZ(copied);
        }
        if (step + Ahead < steps) copy(copied, z);
        else __pipeline_commit();
        z += 2;
        if (step < 0) continue;
        __syncthreads();
        alongX();
        __syncthreads();
        alongY(step);
    }
}

template <int Taps, ZFirstTuning Tuning>
struct ZFirstForward {
    static constexpr auto kKernel =
        &zFirstForwardKernel<Taps, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.blocks, Tuning.vector, Tuning.ahead>;
    static constexpr int kSharedBytes =
        ZFirstForwardShape<Taps, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.vector, Tuning.ahead>::kSharedBytes;

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
