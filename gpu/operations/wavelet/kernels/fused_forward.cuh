// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned transform forward; see fused_parts.cuh.
#pragma once

#include <cstdint>

#include "gpu/operations/wavelet/kernels/fused_parts.cuh"

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

/// Floats of a sector of memory.
inline constexpr int kSector = 8;

/// How the work of a block is laid out.
template <int Taps, bool AlongZ, int Threads, int Columns, int Rows, int Stages, bool Overlapped>
struct ForwardShape {
    static constexpr int kSlices = AlongZ ? 2 : 1;                      ///< of a step
    static constexpr int kTileRows = Rows * (Threads / (2 * Columns));  ///< of a band
    static constexpr int kStageRows = 2 * kTileRows + Taps - 2;         ///< of samples
    static constexpr int kPad = (Taps % 4 == 0 ? 2 : 0);                ///< samples on the left that make rows begin at a multiple of 4
    static constexpr int kCopies = (kPad + 2 * Columns + Taps - 2 + 3) / 4;  ///< of 16 bytes, in a row
    /// Words of a row. An odd multiple of 4: eight rows side by side meet different banks, 16 bytes each.
    static constexpr int kStagePitch = 4 * (kCopies | 1), kMiddlePitch = 4 * ((2 * Columns + 3) / 4 | 1);
    static constexpr int kStage = kStageRows * kStagePitch, kMiddle = kSlices * kStageRows * kMiddlePitch;
    static constexpr int kMiddles = Overlapped ? 2 : 1;
    /// Of a thread: copies of four samples, and of single ones in as many columns as are listed.
    static constexpr int kSingleColumns = Taps + 2;
    static constexpr int kOwnFours = (kStageRows * kCopies + Threads - 1) / Threads;
    static constexpr int kOwnSingles = (kStageRows * kSingleColumns + Threads - 1) / Threads;
    static constexpr int kFilled = kTileRows * kMostFilled;  ///< places that are filled with zeros
    static constexpr int kSharedBytes = (Stages * kSlices * kStage + kMiddles * kMiddle + 4 * kCopies) * static_cast<int>(sizeof(float)) +
                                        (4 * kCopies + kStageRows) * static_cast<int>(sizeof(ExtensionTerms)) +
                                        (2 * Taps + 2 * (kOwnFours + kOwnSingles) * Threads + kFilled) * static_cast<int>(sizeof(int));
    static_assert(Threads % 32 == 0 && Columns % 4 == 0 && kTileRows > 0 && Taps % 2 == 0 && Taps <= 18);
};

/// `Overhang`: FusedTuning::overhang. `Sums`: for rules that make sums of samples.
template <int Taps, bool AlongZ, int Threads, int Columns, int Overhang, int Rows, int Blocks, int Stages, bool Overlapped, bool Sums>
__global__ void __launch_bounds__(Threads, Blocks)
    fusedForwardKernel(const FusedLevel level, const FusedGrid grid, const AnalysisFilters<Taps> filters) {
    using Shape = ForwardShape<Taps, AlongZ, Threads, Columns, Rows, Stages, Overlapped>;
    constexpr int kSlices = Shape::kSlices, kStagePitch = Shape::kStagePitch, kMiddlePitch = Shape::kMiddlePitch;
    constexpr int kStage = Shape::kStage, kCopies = Shape::kCopies, kPad = Shape::kPad, kStageRows = Shape::kStageRows;
    constexpr int kOwnFours = Shape::kOwnFours, kOwnSingles = Shape::kOwnSingles, kSingleColumns = Shape::kSingleColumns;
    constexpr int kPriming = AlongZ ? Taps / 2 - 1 : 0, kKept = kPriming;
    extern __shared__ float4 fusedMemory[];
    float* const stages = reinterpret_cast<float*>(fusedMemory);
    float* const middles = stages + Stages * kSlices * kStage;
    int* const columnOffsets = reinterpret_cast<int*>(middles + Shape::kMiddles * Shape::kMiddle);
    ExtensionTerms* const columnTerms = reinterpret_cast<ExtensionTerms*>(columnOffsets + 4 * kCopies);
    ExtensionTerms* const rowTerms = columnTerms + 4 * kCopies;

    admitNextKernel();
    const int thread = static_cast<int>(threadIdx.x);
    const int across = static_cast<int>(blockIdx.x) % grid.across, x0 = across * (Columns - Overhang);
    const bool lastAcross = across == grid.across - 1;
    const int y0 = static_cast<int>(blockIdx.x) / grid.across * Shape::kTileRows;
    const int z0 = static_cast<int>(blockIdx.y) * grid.chunk, zEnd = min(z0 + grid.chunk, level.count[2]);
    const int first = analysisShift(Taps, level.rule) - (Taps - 1);  // sample that coefficient 0 meets first
    const int width = min(Columns, level.count[0] - x0), groups = (width + 3) / 4;
    const int columns = 2 * width + Taps - 2;
    const int rows = 2 * min(Shape::kTileRows, level.count[1] - y0) + Taps - 2;
    const int left = 2 * x0 + first, top = 2 * y0 + first;
    const bool aligned = ((level.in.rowStride | level.in.sliceStride | (left - kPad)) & 3) == 0 &&
                         (reinterpret_cast<std::uintptr_t>(level.in.data) & 15U) == 0;
    // Samples are copied in fours that lie within the volume. `singles` at both ends of a row do not: up to there, and from there on.
    const int fours = (kPad + columns + 3) / 4;
    const int singlesUntil = left < kPad ? min((kPad - left + 3) / 4, fours) * 4 : 0;
    const int singlesFrom = max(singlesUntil, min((level.samples[0] - left + kPad) >> 2, fours) * 4);
    for (int i = thread; i < 4 * kCopies; i += Threads) {
        int offset = kNothing;
        ExtensionTerms& terms = columnTerms[i];
        terms.count = 0;
        if (i >= kPad && i < kPad + columns) {
            findTerms(left + i - kPad, level.samples[0], level.rule, &terms);
            if (terms.count > 0) offset = terms.index[0] * static_cast<int>(sizeof(float));
        }
        columnOffsets[i] = offset;
    }
    for (int i = thread; i < rows; i += Threads) findTerms(top + i, level.samples[1], level.rule, rowTerms + i);
    int* const slicesOutside = reinterpret_cast<int*>(rowTerms + kStageRows);
    if (AlongZ && thread < 2 * Taps)
        slicesOutside[thread] =
            sliceOutside(thread < Taps ? thread - Taps : level.samples[2] + thread - Taps, level.samples[2], level.rule);
    // Sums are made where samples are put into shared memory; all other rules just look elsewhere.
    const bool sums = Sums && (left < 0 || top < 0 || left + columns > level.samples[0] || top + rows > level.samples[1]);
    __syncthreads();
    // What this thread copies, always for the same places of a slice: from where, in bytes from the first sample of a slice, and to where.
    // Fours of samples; and single ones, of which a few columns are in this list. Places that no sample stands for stay 0.
    int2* const fourCopies = reinterpret_cast<int2*>(slicesOutside + 2 * Taps) + thread;
    int2* const singleCopies = fourCopies + kOwnFours * Threads;
    const int singles = singlesUntil + max(kPad + columns - singlesFrom, 0);
    const auto singleColumn = [&](int i) { return i < singlesUntil ? i : i - singlesUntil + singlesFrom; };
    const auto rowOffset = [&](int row) { return rowTerms[row].index[0] * static_cast<int>(level.in.rowStride * sizeof(float)); };
    const auto clear = [&](int place, int words) {
        for (int s = 0; s < Stages * kSlices; ++s)
            for (int w = 0; w < words; ++w) stages[s * kStage + place + w] = 0;
    };
#pragma unroll 1
    for (int k = 0; k < kOwnFours; ++k) {
        const int copy = thread + k * Threads, row = copy / kCopies, column = copy % kCopies * 4;
        int2 own = make_int2(kNothing, row * kStagePitch + column);
        if (row < rows && column >= singlesUntil && column < singlesFrom) {
            if (rowTerms[row].count > 0) own.x = rowOffset(row) + (left - kPad + column) * static_cast<int>(sizeof(float));
            else clear(own.y, 4);
        }
        fourCopies[k * Threads] = own;
    }
#pragma unroll 1
    for (int k = 0; k < kOwnSingles; ++k) {
        const int copy = thread + k * Threads, row = copy / kSingleColumns, i = copy % kSingleColumns, column = singleColumn(i);
        int2 own = make_int2(kNothing, row * kStagePitch + column);
        if (row < rows && i < singles) {
            if (rowTerms[row].count > 0 && columnOffsets[column] >= 0) own.x = rowOffset(row) + columnOffsets[column];
            else clear(own.y, 1);
        }
        singleCopies[k * Threads] = own;
    }
    const std::int64_t sliceBytes = level.in.sliceStride * static_cast<std::int64_t>(sizeof(float));
    const auto sliceOf = [&](int z) {
        return AlongZ && static_cast<unsigned>(z) >= static_cast<unsigned>(level.samples[2])
                   ? slicesOutside[Taps + z - (z < 0 ? 0 : level.samples[2])]
                   : z;
    };
    /// Slices that are not all there: one is 0, or a sum, or there are more columns of single samples than in the list.
    const auto fillSlowly = [&](float* stage, int z) {
        const int from = sliceOf(z);
        if (Sums && (sums || from == kSumOfSlices)) {
            ExtensionTerms terms{1, {z, 0, 0}, {1, 0, 0}};
            if (AlongZ) findTerms(z, level.samples[2], level.rule, &terms);
            sumTile({level.in, columnTerms, rowTerms, 4 * kCopies, rows, kStagePitch, kStage}, terms, stage);
            return;
        }
        const char* const slice = reinterpret_cast<const char*>(level.in.data) + max(from, 0) * sliceBytes;
#pragma unroll 1
        for (int i = thread; i < kStage; i += Threads) {
            const int row = i / kStagePitch, column = i % kStagePitch;
            if (row >= rows || column >= 4 * fours) continue;
            if (from < 0 || rowTerms[row].count == 0 || columnOffsets[column] < 0) stage[i] = 0;
            else __pipeline_memcpy_async(stage + i, slice + static_cast<unsigned>(rowOffset(row) + columnOffsets[column]), sizeof(float));
        }
    };
    /// Puts the slices from z on into a stage, or begins to.
    const auto fill = [&](float* stage, int z) {
        const int from = sliceOf(z), second = kSlices > 1 ? sliceOf(z + 1) : 0;
        if (from < 0 || second < 0 || singles > kSingleColumns || sums) {
#pragma unroll 1
            for (int s = 0; s < kSlices; ++s) fillSlowly(stage + s * kStage, z + s);
            return;
        }
        const char* const slice = reinterpret_cast<const char*>(level.in.data) + from * sliceBytes;
        const char* const next = reinterpret_cast<const char*>(level.in.data) + second * sliceBytes;
        if (aligned) {
#pragma unroll
            for (int k = 0; k < kOwnFours; ++k) {
                const int2 own = fourCopies[k * Threads];
                if (own.x < 0) continue;
                __pipeline_memcpy_async(stage + own.y, slice + static_cast<unsigned>(own.x), sizeof(float4));
                if (kSlices > 1) __pipeline_memcpy_async(stage + kStage + own.y, next + static_cast<unsigned>(own.x), sizeof(float4));
            }
        } else {
#pragma unroll 1
            for (int k = 0; k < kOwnFours; ++k) {
                const int2 own = fourCopies[k * Threads];
                if (own.x < 0) continue;
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    const unsigned at = static_cast<unsigned>(own.x) + static_cast<unsigned>(i * sizeof(float));
                    __pipeline_memcpy_async(stage + own.y + i, slice + at, sizeof(float));
                    if (kSlices > 1) __pipeline_memcpy_async(stage + kStage + own.y + i, next + at, sizeof(float));
                }
            }
        }
        if (singles == 0) return;
#pragma unroll
        for (int k = 0; k < kOwnSingles; ++k) {
            const int2 own = singleCopies[k * Threads];
            if (own.x < 0) continue;
            __pipeline_memcpy_async(stage + own.y, slice + static_cast<unsigned>(own.x), sizeof(float));
            if (kSlices > 1) __pipeline_memcpy_async(stage + kStage + own.y, next + static_cast<unsigned>(own.x), sizeof(float));
        }
    };

    // What this thread makes: one column of a band along x, some rows of both bands along y.
    const int column = thread % (2 * Columns), part = thread / (2 * Columns), x = x0 + column % Columns, y = y0 + part * Rows;
    const int ownRows = min(Rows, level.count[1] - y);
    const bool detailX = column >= Columns;
    // The last tile along x completes sectors of memory that would be written by halves, which costs much, with zeros: between bands and
    // the details; behind rows of an approximation that is apart; and around where it would be in the mosaic, which coarser levels write
    // later. Of the first two what columns to spare can do is written with the coefficients: they are zeros there. So it is by the tile
    // before, if a sector that begins there ends behind the coefficients.
    int* const filled = reinterpret_cast<int*>(singleCopies - thread + kOwnSingles * Threads);
    const bool apart = level.outLow.data != level.out.data, fills = level.fills && lastAcross;
    const int gapEnd = level.fills ? level.detail[0] : level.count[0];
    const int lowEnd = level.fills && apart ? static_cast<int>(level.outLow.rowStride) : level.count[0];
    const int spare = Overhang > 0 ? x0 + Columns : 0, end = max(level.count[0], min(gapEnd, spare));
    const int firstEnd = max(level.count[0], min(lowEnd, spare));
    const bool active = x < (detailX ? level.count[0] : max(end, firstEnd)) && ownRows > 0 &&
                        (Threads % (2 * Columns) == 0 || part < Threads / (2 * Columns));
    const bool zeros = Overhang > 0 && max(end, firstEnd) > level.count[0];  // columns to spare are 0 before they are filtered along y
    if (zeros) {
        const int rest = Columns - 4 * groups;
        for (int i = thread; i < Shape::kMiddles * kSlices * kStageRows * rest; i += Threads)
            middles[i / rest * kMiddlePitch + 4 * groups + i % rest] = 0;
    }
    const int tileRows = min(Shape::kTileRows, level.count[1] - y0), gap = fills ? gapEnd - end : 0;
    const int lowGap = fills ? lowEnd - firstEnd : 0;
    const int edges = fills && apart ? 2 * kSector : 0;
    const int lowFilled = tileRows * lowGap, firstFilled = lowFilled + tileRows * (gap + edges);
    const int allFilled = firstFilled + (AlongZ ? 2 * tileRows * gap : 0);
#pragma unroll 1
    for (int i = thread; i < allFilled; i += Threads) {
        int column = end, row = y0;
        bool detailY = false;
        if (i < lowFilled) {
            row += i / lowGap, column = firstEnd + i % lowGap;
        } else if (i < firstFilled) {
            const int k = i - lowFilled, w = k % (gap + edges), edge = w - gap;
            row += k / (gap + edges);
            detailY = edge < 0;
            if (edge < 0) column += w;
            else column = edge < kSector ? min(edge, level.detail[0] - 1) : max(level.detail[0] - 2 * kSector + edge, 0);
        } else {
            const int k = i - firstFilled;
            row += k / gap % tileRows, column += k % gap;
            detailY = k >= tileRows * gap;
        }
        const std::int64_t stride = i < lowFilled ? level.outLow.rowStride : level.out.rowStride;
        filled[i] = static_cast<int>((row + (detailY ? level.detail[1] : 0)) * stride) + column;
    }
    // Where its next coefficients go: of the approximation along y and z, and from where those of the other bands are counted, the same way
    // for all threads.
    const std::int64_t rowStride = level.out.rowStride, toDetailsY = level.detail[1] * rowStride;
    const std::int64_t toDetailsZ = level.detail[2] * level.out.sliceStride;
    const std::int64_t firstStep = detailX ? level.out.sliceStride : level.outLow.sliceStride;
    const int firstRowStride = static_cast<int>(detailX ? level.out.rowStride : level.outLow.rowStride);
    float* to = level.out.data + (detailX ? level.detail[0] : 0) + x + y * rowStride + z0 * level.out.sliceStride;
    float* toFirst = detailX ? to : level.outLow.data + x + y * firstRowStride + z0 * firstStep;
    // Sectors in which two tiles have columns are made by both and written by the one in which they begin: a bit for each row of each band.
    // In the next slice rows may begin in the middle of a sector instead; where they begin anywhere, tiles write their own columns.
    unsigned owned = 0xffffffffU, changing = 0;
    if constexpr (Overhang > 0) {
        const int until = detailX ? level.count[0] : end, untilFirst = detailX ? level.count[0] : firstEnd, own = Columns - Overhang;
        const std::int64_t strides = level.out.sliceStride | level.outLow.sliceStride;
        const bool regular = strides % (kSector / 2) == 0;
        const auto find = [&](std::int64_t slice) {
            const auto in = [&](const float* at) {
                return regular ? static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(at) / sizeof(float)) : 0U;
            };
            const float* const at = to + slice * level.out.sliceStride;
            const unsigned phases[4] = {in(toFirst + slice * firstStep), in(at + toDetailsZ), in(at + toDetailsY),
                                        in(at + toDetailsY + toDetailsZ)};
            unsigned bits = 0;
#pragma unroll
            for (int b = 0; b < 4; ++b) {
                const unsigned step = !regular ? 0U : static_cast<unsigned>(b == 0 ? firstRowStride : static_cast<int>(rowStride));
#pragma unroll
                for (int r = 0; r < Rows; ++r) {
                    const int begin = x - x0 - static_cast<int>((phases[b] + static_cast<unsigned>(r) * step) % kSector);
                    const bool mine = (across == 0 || begin >= 0) && (lastAcross || begin < own);
                    if (mine && x < (b == 0 ? untilFirst : until)) bits |= 1U << (4 * r + b);
                }
            }
            return bits;
        };
        if (x - x0 < kSector - 1 || x - x0 >= own || x >= min(until, untilFirst)) {
            owned = find(0);
            if (strides % kSector != 0) changing = owned ^ find(1);
        }
    }
    // Along z, sums of coefficients that have met some of their samples: index a has met 2 (a + 1).
    float pendingLo[2 * Rows][kKept > 0 ? kKept : 1] = {}, pendingHi[2 * Rows][kKept > 0 ? kKept : 1] = {};
    const auto goOn = [&](const float* filter, float* pending, float first, float second) {
        const float before = kKept > 0 ? pending[kKept - 1] : 0.0F;
        const float complete = fmaf(filter[Taps - 1], second, fmaf(filter[Taps - 2], first, before));
#pragma unroll
        for (int a = kKept - 1; a >= 0; --a)
            pending[a] = fmaf(filter[2 * a + 1], second, fmaf(filter[2 * a], first, a > 0 ? pending[a - 1] : 0.0F));
        return complete;
    };
    const auto fillGaps = [&](int z) {
        float* const first = level.out.data + z * level.out.sliceStride;
        float* const low = level.outLow.data + z * level.outLow.sliceStride;
        float* const details = first + level.detail[2] * level.out.sliceStride;
#pragma unroll 1
        for (int i = thread; i < allFilled; i += Threads) (i < lowFilled ? low : i < firstFilled ? first : details)[filled[i]] = 0;
    };
    /// Rows of both slices of a stage, filtered along x: neighbouring threads have neighbouring rows.
    const auto alongX = [&](const float* stage, float* middle) {
        constexpr int kAllRows = kSlices * kStageRows;
#pragma unroll 1
        for (int i = thread; i < groups * kAllRows; i += Threads) {
            const int group = i / kAllRows, row = i % kAllRows;
            const float* const from = stage + row * kStagePitch + 8 * group;
            float* const result = middle + row * kMiddlePitch + 4 * group;
            constexpr int kWords = (kPad + 6 + Taps + 3) / 4 * 4;
            float samples[kWords], lo[4], hi[4];
#pragma unroll
            for (int w = 0; w < kWords; w += 4) {
                const float4 four = *reinterpret_cast<const float4*>(from + w);
                samples[w] = four.x, samples[w + 1] = four.y, samples[w + 2] = four.z, samples[w + 3] = four.w;
            }
            analyse<Taps, 4>(filters, samples + kPad, lo, hi);
            if (Overhang > 0 && zeros && 4 * group + 4 > width) {
#pragma unroll
                for (int r = 0; r < 4; ++r)
                    if (4 * group + r >= width) lo[r] = 0;
            }
            *reinterpret_cast<float4*>(result) = make_float4(lo[0], lo[1], lo[2], lo[3]);
            *reinterpret_cast<float4*>(result + Columns) = make_float4(hi[0], hi[1], hi[2], hi[3]);
        }
    };
    /// What was filtered along x, along y and z.
    const auto alongYZ = [&](const float* middle, int step) {
        if (allFilled > 0 && step >= kPriming) fillGaps(z0 + step - kPriming);
        if (!active) return;
        float now[kSlices][2 * Rows];
#pragma unroll
        for (int s = 0; s < kSlices; ++s) {
            constexpr int kWords = 2 * Rows - 2 + Taps;
            float samples[kWords];
            const float* const from = middle + (s * kStageRows + 2 * Rows * part) * kMiddlePitch + column;
#pragma unroll
            for (int w = 0; w < kWords; ++w) samples[w] = from[w * kMiddlePitch];
            analyse<Taps, Rows>(filters, samples, now[s], now[s] + Rows);
        }
        if constexpr (AlongZ) {
            float lo[2 * Rows], hi[2 * Rows];
#pragma unroll
            for (int i = 0; i < 2 * Rows; ++i) {
                lo[i] = goOn(filters.lo, pendingLo[i], now[0][i], now[1][i]);
                hi[i] = goOn(filters.hi, pendingHi[i], now[0][i], now[1][i]);
            }
            if (step < kPriming) return;
            const auto put = [&](int bit, float* at, float v) {
                if (Overhang == 0 || (owned >> bit & 1U) != 0) *at = v;
            };
            const auto storeRow = [&](int r) {
                put(4 * r, toFirst + r * firstRowStride, lo[r]);
                put(4 * r + 1, to + (toDetailsZ + r * rowStride), hi[r]);
                put(4 * r + 2, to + (toDetailsY + r * rowStride), lo[Rows + r]);
                put(4 * r + 3, to + (toDetailsY + toDetailsZ + r * rowStride), hi[Rows + r]);
            };
            if (ownRows == Rows) {
#pragma unroll
                for (int r = 0; r < Rows; ++r) storeRow(r);
            } else {
#pragma unroll
                for (int r = 0; r < Rows - 1; ++r)
                    if (r < ownRows) storeRow(r);
            }
            to += level.out.sliceStride, toFirst += firstStep;
            owned ^= changing;
        } else {
#pragma unroll
            for (int i = 0; i < 2 * Rows; ++i) {
                if (i % Rows >= ownRows) continue;
                if (i < Rows) *(toFirst + i * firstRowStride) = now[0][i];
                else *(to + (toDetailsY + (i - Rows) * rowStride)) = now[0][i];
            }
            to += level.out.sliceStride, toFirst += firstStep;
        }
    };

    int z = AlongZ ? 2 * z0 + first : z0;
    const int steps = zEnd - z0 + kPriming;
    awaitEarlierKernels();
    walkAlongZ<Stages, Overlapped, kSlices * kStage, Shape::kMiddle>(
        stages, middles, steps,
        [&](float* stage) {
            fill(stage, z);
            z += kSlices;
        },
        alongX, alongYZ);
}

template <int Taps, bool AlongZ, FusedTuning Tuning>
struct FusedForward {
    using Shape = ForwardShape<Taps, AlongZ, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.stages, Tuning.overlapped>;
    template <bool Sums>
    static constexpr auto kKernel = &fusedForwardKernel<Taps, AlongZ, Tuning.threads, Tuning.columns, Tuning.overhang, Tuning.rows,
                                                        Tuning.blocks, Tuning.stages, Tuning.overlapped, Sums>;
    static constexpr int kSharedBytes = Shape::kSharedBytes;

    /// May its kernels begin early?
    static bool prepare() {
        const bool one = prepareFused(reinterpret_cast<const void*>(kKernel<false>), kSharedBytes);
        return prepareFused(reinterpret_cast<const void*>(kKernel<true>), kSharedBytes) && one;
    }
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        const bool sums =
            level.rule == ExtensionRule::smooth || level.rule == ExtensionRule::antisymmetric || level.rule == ExtensionRule::antireflect;
        if (sums) launch<true>(level, stream);
        else launch<false>(level, stream);
    }

private:
    template <bool Sums>
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        const FusedGrid grid = fusedGrid(level.count[0], level.count[1], level.count[2], Tuning, AlongZ ? Taps / 2 - 1 : 0, level);
        AnalysisFilters<Taps> filters;
        std::reverse_copy(level.lo, level.lo + Taps, filters.lo);
        std::reverse_copy(level.hi, level.hi + Taps, filters.hi);
        const dim3 blocks(static_cast<unsigned>(grid.blocks()), static_cast<unsigned>(grid.chunks));
        launchFused(kKernel<Sums>, blocks, Tuning.threads, kSharedBytes, stream, level.early, level, grid, filters);
    }
};

}  // namespace parallax::gpu
