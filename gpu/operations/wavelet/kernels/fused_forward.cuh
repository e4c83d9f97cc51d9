// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned forward transform; see fused_parts.cuh.
#pragma once

#include <cstdint>

#include "gpu/operations/wavelet/kernels/fused_parts.cuh"

namespace parallax::gpu {

/// Reversed taps, in the order of the samples. Kernel parameters are in the constant bank.
template <int Taps>
struct AnalysisFilters {
    float lo[Taps], hi[Taps];
};

template <int Taps>
AnalysisFilters<Taps> analysisFilters(const FusedLevel& level) {
    AnalysisFilters<Taps> filters;
    std::reverse_copy(level.lo, level.lo + Taps, filters.lo);
    std::reverse_copy(level.hi, level.hi + Taps, filters.hi);
    return filters;
}

/// Computes Count coefficients of both bands; their samples begin two apart.
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

/// Floats per sector of memory.
inline constexpr int kSector = 8;

/// Sizes of a block's work. `Overhang`: FusedTuning::overhang.
template <int Taps, bool AlongZ, int Threads, int Columns, int Overhang, int Rows, int Stages, bool Overlapped>
struct ForwardShape {
    static constexpr int kTaps = Taps, kThreads = Threads, kColumns = Columns, kOverhang = Overhang, kRows = Rows, kStages = Stages;
    static constexpr bool kAlongZ = AlongZ;
    static constexpr int kSlices = AlongZ ? 2 : 1;                           ///< per step
    static constexpr int kKept = AlongZ ? Taps / 2 - 1 : 0;                  ///< partial sums along z of a coefficient
    static constexpr int kTileRows = Rows * (Threads / (2 * Columns));       ///< of a band
    static constexpr int kStageRows = 2 * kTileRows + Taps - 2;              ///< of samples
    static constexpr int kPad = (Taps % 4 == 0 ? 2 : 0);                     ///< padding on the left, so that rows begin at a multiple of 4
    static constexpr int kCopies = (kPad + 2 * Columns + Taps - 2 + 3) / 4;  ///< of 16 bytes, per row
    /// Words per row, an odd multiple of 4: 16-byte accesses to eight neighbouring rows use different banks.
    static constexpr int kStagePitch = 4 * (kCopies | 1), kMiddlePitch = 4 * ((2 * Columns + 3) / 4 | 1);
    static constexpr int kStage = kStageRows * kStagePitch, kMiddle = kSlices * kStageRows * kMiddlePitch;
    static constexpr int kMiddles = Overlapped ? 2 : 1;
    /// Copies per thread: of four samples, and of single ones in kSingleColumns columns.
    static constexpr int kSingleColumns = Taps + 2;
    static constexpr int kOwnFours = (kStageRows * kCopies + Threads - 1) / Threads;
    static constexpr int kOwnSingles = (kStageRows * kSingleColumns + Threads - 1) / Threads;
    static constexpr int kFilled = kTileRows * kMaxFilled;  ///< positions that are filled with zeros
    static constexpr int kSharedBytes = (Stages * kSlices * kStage + kMiddles * kMiddle + 4 * kCopies) * static_cast<int>(sizeof(float)) +
                                        (4 * kCopies + kStageRows) * static_cast<int>(sizeof(ExtensionTerms)) +
                                        (2 * Taps + 2 * (kOwnFours + kOwnSingles) * Threads + kFilled) * static_cast<int>(sizeof(int));
    static_assert(Threads % 32 == 0 && Columns % 4 == 0 && kTileRows > 0 && Taps % 2 == 0 && Taps <= 18);
};

/// The coefficients of a block and the samples that they need.
template <class S>
struct ForwardTile {
    int across, x0, y0, z0, zEnd;
    bool lastAcross;
    int first;                     ///< first sample of coefficient 0
    int width, groups;             ///< coefficients along x, and groups of four
    int columns, rows, left, top;  ///< of samples
    __device__ __forceinline__ ForwardTile(const FusedLevel& level, const FusedGrid& grid) {
        across = static_cast<int>(blockIdx.x) % grid.across, x0 = across * (S::kColumns - S::kOverhang);
        lastAcross = across == grid.across - 1;
        y0 = static_cast<int>(blockIdx.x) / grid.across * S::kTileRows;
        z0 = static_cast<int>(blockIdx.y) * grid.chunk, zEnd = min(z0 + grid.chunk, level.count[2]);
        first = analysisShift(S::kTaps, level.rule) - (S::kTaps - 1);
        width = min(S::kColumns, level.count[0] - x0), groups = (width + 3) / 4;
        columns = 2 * width + S::kTaps - 2;
        rows = 2 * min(S::kTileRows, level.count[1] - y0) + S::kTaps - 2;
        left = 2 * x0 + first, top = 2 * y0 + first;
    }
};

/// Copies slices of samples into stages. A thread copies to the same positions of every slice: groups of four samples within the volume,
/// and single ones in a few columns at both ends of a row. Positions without a sample stay 0. `Sums`: for extension modes that sum samples.
template <class S, bool Sums>
struct ForwardLoader {
    const FusedLevel& level;
    const ForwardTile<S>& tile;
    float* stages;
    int* columnOffsets;
    ExtensionTerms *columnTerms, *rowTerms;
    int* slicesOutside;
    int2 *fourCopies, *singleCopies;  ///< source (bytes from the first sample of a slice) and target
    int thread;
    bool aligned;
    int fours, singles, singlesUntil, singlesFrom;  ///< per row; single columns are before singlesUntil and from singlesFrom on
    bool sums;  ///< samples are summed while they are stored in shared memory; other modes only read elsewhere
    std::int64_t sliceBytes;

    __device__ __forceinline__ ForwardLoader(const FusedLevel& l, const ForwardTile<S>& t, float* memory, float* tables)
        : level(l), tile(t), stages(memory) {
        columnOffsets = reinterpret_cast<int*>(tables);
        columnTerms = reinterpret_cast<ExtensionTerms*>(columnOffsets + 4 * S::kCopies);
        rowTerms = columnTerms + 4 * S::kCopies;
        slicesOutside = reinterpret_cast<int*>(rowTerms + S::kStageRows);
        thread = static_cast<int>(threadIdx.x);
        fourCopies = reinterpret_cast<int2*>(slicesOutside + 2 * S::kTaps) + thread;
        singleCopies = fourCopies + S::kOwnFours * S::kThreads;
        aligned = ((level.in.rowStride | level.in.sliceStride | (tile.left - S::kPad)) & 3) == 0 &&
                  (reinterpret_cast<std::uintptr_t>(level.in.data) & 15U) == 0;
        fours = (S::kPad + tile.columns + 3) / 4;
        singlesUntil = tile.left < S::kPad ? min((S::kPad - tile.left + 3) / 4, fours) * 4 : 0;
        singlesFrom = max(singlesUntil, min((level.samples[0] - tile.left + S::kPad) >> 2, fours) * 4);
        singles = singlesUntil + max(S::kPad + tile.columns - singlesFrom, 0);
        sums = Sums &&
               (tile.left < 0 || tile.top < 0 || tile.left + tile.columns > level.samples[0] || tile.top + tile.rows > level.samples[1]);
        sliceBytes = level.in.sliceStride * static_cast<std::int64_t>(sizeof(float));
    }
    /// Finds the samples for the columns, rows and slices of the tile.
    __device__ __forceinline__ void findSamples() {
        for (int i = thread; i < 4 * S::kCopies; i += S::kThreads) {
            int offset = kNoOffset;
            ExtensionTerms& terms = columnTerms[i];
            terms.count = 0;
            if (i >= S::kPad && i < S::kPad + tile.columns) {
                findTerms(tile.left + i - S::kPad, level.samples[0], level.rule, &terms);
                if (terms.count > 0) offset = terms.index[0] * static_cast<int>(sizeof(float));
            }
            columnOffsets[i] = offset;
        }
        for (int i = thread; i < tile.rows; i += S::kThreads) findTerms(tile.top + i, level.samples[1], level.rule, rowTerms + i);
        if (S::kAlongZ && thread < 2 * S::kTaps)
            slicesOutside[thread] =
                sliceOutside(thread < S::kTaps ? thread - S::kTaps : level.samples[2] + thread - S::kTaps, level.samples[2], level.rule);
    }
    /// To be called after findSamples() and a barrier.
    __device__ __forceinline__ void findCopies() {
#pragma unroll 1
        for (int k = 0; k < S::kOwnFours; ++k) {
            const int copy = thread + k * S::kThreads, row = copy / S::kCopies, column = copy % S::kCopies * 4;
            int2 own = make_int2(kNoOffset, row * S::kStagePitch + column);
            if (row < tile.rows && column >= singlesUntil && column < singlesFrom) {
                if (rowTerms[row].count > 0) own.x = rowOffset(row) + (tile.left - S::kPad + column) * static_cast<int>(sizeof(float));
                else clear(own.y, 4);
            }
            fourCopies[k * S::kThreads] = own;
        }
#pragma unroll 1
        for (int k = 0; k < S::kOwnSingles; ++k) {
            const int copy = thread + k * S::kThreads, row = copy / S::kSingleColumns, i = copy % S::kSingleColumns;
            const int column = i < singlesUntil ? i : i - singlesUntil + singlesFrom;
            int2 own = make_int2(kNoOffset, row * S::kStagePitch + column);
            if (row < tile.rows && i < singles) {
                if (rowTerms[row].count > 0 && columnOffsets[column] >= 0) own.x = rowOffset(row) + columnOffsets[column];
                else clear(own.y, 1);
            }
            singleCopies[k * S::kThreads] = own;
        }
    }
    /// Starts the copies of a step's slices, from z on, into a stage.
    __device__ __forceinline__ void fill(float* stage, int z) const {
        const int from = sliceOf(z), second = S::kSlices > 1 ? sliceOf(z + 1) : 0;
        if (from < 0 || second < 0 || singles > S::kSingleColumns || sums) {
#pragma unroll 1
            for (int s = 0; s < S::kSlices; ++s) fillSlowly(stage + s * S::kStage, z + s);
            return;
        }
        const char* const slice = reinterpret_cast<const char*>(level.in.data) + from * sliceBytes;
        const char* const next = reinterpret_cast<const char*>(level.in.data) + second * sliceBytes;
        if (aligned) {
#pragma unroll
            for (int k = 0; k < S::kOwnFours; ++k) {
                const int2 own = fourCopies[k * S::kThreads];
                if (own.x < 0) continue;
                __pipeline_memcpy_async(stage + own.y, slice + static_cast<unsigned>(own.x), sizeof(float4));
                if (S::kSlices > 1) __pipeline_memcpy_async(stage + S::kStage + own.y, next + static_cast<unsigned>(own.x), sizeof(float4));
            }
        } else {
#pragma unroll 1
            for (int k = 0; k < S::kOwnFours; ++k) {
                const int2 own = fourCopies[k * S::kThreads];
                if (own.x < 0) continue;
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    const unsigned at = static_cast<unsigned>(own.x) + static_cast<unsigned>(i * sizeof(float));
                    __pipeline_memcpy_async(stage + own.y + i, slice + at, sizeof(float));
                    if (S::kSlices > 1) __pipeline_memcpy_async(stage + S::kStage + own.y + i, next + at, sizeof(float));
                }
            }
        }
        if (singles == 0) return;
#pragma unroll
        for (int k = 0; k < S::kOwnSingles; ++k) {
            const int2 own = singleCopies[k * S::kThreads];
            if (own.x < 0) continue;
            __pipeline_memcpy_async(stage + own.y, slice + static_cast<unsigned>(own.x), sizeof(float));
            if (S::kSlices > 1) __pipeline_memcpy_async(stage + S::kStage + own.y, next + static_cast<unsigned>(own.x), sizeof(float));
        }
    }

private:
    __device__ __forceinline__ int rowOffset(int row) const {
        return rowTerms[row].index[0] * static_cast<int>(level.in.rowStride * sizeof(float));
    }
    __device__ __forceinline__ void clear(int place, int words) const {
        for (int s = 0; s < S::kStages * S::kSlices; ++s)
            for (int w = 0; w < words; ++w) stages[s * S::kStage + place + w] = 0;
    }
    __device__ __forceinline__ int sliceOf(int z) const {
        return S::kAlongZ && static_cast<unsigned>(z) >= static_cast<unsigned>(level.samples[2])
                   ? slicesOutside[S::kTaps + z - (z < 0 ? 0 : level.samples[2])]
                   : z;
    }
    /// Fills a slice that is 0 or a sum, or has more than kSingleColumns columns of single samples.
    __device__ __forceinline__ void fillSlowly(float* stage, int z) const {
        const int from = sliceOf(z);
        if (Sums && (sums || from == kSumOfSlices)) {
            ExtensionTerms terms{1, {z, 0, 0}, {1, 0, 0}};
            if (S::kAlongZ) findTerms(z, level.samples[2], level.rule, &terms);
            sumTile({level.in, columnTerms, rowTerms, 4 * S::kCopies, tile.rows, S::kStagePitch, S::kStage}, terms, stage);
            return;
        }
        const char* const slice = reinterpret_cast<const char*>(level.in.data) + max(from, 0) * sliceBytes;
#pragma unroll 1
        for (int i = thread; i < S::kStage; i += S::kThreads) {
            const int row = i / S::kStagePitch, column = i % S::kStagePitch;
            if (row >= tile.rows || column >= 4 * fours) continue;
            if (from < 0 || rowTerms[row].count == 0 || columnOffsets[column] < 0) stage[i] = 0;
            else __pipeline_memcpy_async(stage + i, slice + static_cast<unsigned>(rowOffset(row) + columnOffsets[column]), sizeof(float));
        }
    }
};

/// The zeros that the last tile along x writes to complete sectors of memory, since sectors written by halves are expensive: between bands
/// and details, behind rows of a separate approximation, and around its position in the mosaic, which coarser levels write later. The
/// first two are partly written with the coefficients, by the overhang of this tile or of the one before.
template <class S>
struct ForwardZeros {
    const FusedLevel& level;
    int end, lowEnd;                  ///< end along x of what is written with the coefficients: in the bands, in a separate approximation
    bool overhang;                    ///< overhanging columns are set to 0 before filtering along y
    int gap, lowGap;                  ///< remaining columns per row
    int lowCount, firstCount, count;  ///< positions per slice: of the approximation; with the bands that are low along z; all
    int* places;

    __device__ __forceinline__ ForwardZeros(const FusedLevel& l, const ForwardTile<S>& tile, int* memory) : level(l), places(memory) {
        const bool apart = level.outLow.data != level.out.data, fills = level.fills && tile.lastAcross;
        const int gapEnd = level.fills ? level.detail[0] : level.count[0];
        const int behind = level.fills && apart ? static_cast<int>(level.outLow.rowStride) : level.count[0];
        const int spare = S::kOverhang > 0 ? tile.x0 + S::kColumns : 0;
        end = max(level.count[0], min(gapEnd, spare));
        lowEnd = max(level.count[0], min(behind, spare));
        overhang = S::kOverhang > 0 && max(end, lowEnd) > level.count[0];
        gap = fills ? gapEnd - end : 0;
        lowGap = fills ? behind - lowEnd : 0;
        const int rows = min(S::kTileRows, level.count[1] - tile.y0), edges = fills && apart ? 2 * kSector : 0;
        lowCount = rows * lowGap, firstCount = lowCount + rows * (gap + edges);
        count = firstCount + (S::kAlongZ ? 2 * rows * gap : 0);
    }
    __device__ __forceinline__ void clearOverhang(float* middles, int groups) const {
        if (!overhang) return;
        const int rest = S::kColumns - 4 * groups;
        for (int i = static_cast<int>(threadIdx.x); i < S::kMiddles * S::kSlices * S::kStageRows * rest; i += S::kThreads)
            middles[i / rest * S::kMiddlePitch + 4 * groups + i % rest] = 0;
    }
    __device__ __forceinline__ void findPlaces(const ForwardTile<S>& tile) const {
        const int rows = min(S::kTileRows, level.count[1] - tile.y0), edges = level.outLow.data != level.out.data ? 2 * kSector : 0;
#pragma unroll 1
        for (int i = static_cast<int>(threadIdx.x); i < count; i += S::kThreads) {
            int column = end, row = tile.y0;
            bool detailY = false;
            if (i < lowCount) {
                row += i / lowGap, column = lowEnd + i % lowGap;
            } else if (i < firstCount) {
                const int k = i - lowCount, w = k % (gap + edges), edge = w - gap;
                row += k / (gap + edges);
                detailY = edge < 0;
                if (edge < 0) column += w;
                else column = edge < kSector ? min(edge, level.detail[0] - 1) : max(level.detail[0] - 2 * kSector + edge, 0);
            } else {
                const int k = i - firstCount;
                row += k / gap % rows, column += k % gap;
                detailY = k >= rows * gap;
            }
            const std::int64_t stride = i < lowCount ? level.outLow.rowStride : level.out.rowStride;
            places[i] = static_cast<int>((row + (detailY ? level.detail[1] : 0)) * stride) + column;
        }
    }
    __device__ __forceinline__ void write(int z) const {
        float* const first = level.out.data + z * level.out.sliceStride;
        float* const low = level.outLow.data + z * level.outLow.sliceStride;
        float* const details = first + level.detail[2] * level.out.sliceStride;
#pragma unroll 1
        for (int i = static_cast<int>(threadIdx.x); i < count; i += S::kThreads)
            (i < lowCount ? low : i < firstCount ? first : details)[places[i]] = 0;
    }
};

/// Filters rows of all slices of a stage along x; neighbouring threads have neighbouring rows. `zeros`: columns from `width` on become 0.
template <class S>
__device__ __forceinline__ void analyseRows(const AnalysisFilters<S::kTaps>& filters, const float* stage, float* middle, int groups,
                                            int width, bool zeros) {
    constexpr int kAllRows = S::kSlices * S::kStageRows;
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < groups * kAllRows; i += S::kThreads) {
        const int group = i / kAllRows, row = i % kAllRows;
        const float* const from = stage + row * S::kStagePitch + 8 * group;
        float* const result = middle + row * S::kMiddlePitch + 4 * group;
        constexpr int kWords = (S::kPad + 6 + S::kTaps + 3) / 4 * 4;
        float samples[kWords], lo[4], hi[4];
        readFours<kWords>(from, samples);
        analyse<S::kTaps, 4>(filters, samples + S::kPad, lo, hi);
        if (S::kOverhang > 0 && zeros && 4 * group + 4 > width) {
#pragma unroll
            for (int r = 0; r < 4; ++r)
                if (4 * group + r >= width) lo[r] = 0;
        }
        *reinterpret_cast<float4*>(result) = make_float4(lo[0], lo[1], lo[2], lo[3]);
        *reinterpret_cast<float4*>(result + S::kColumns) = make_float4(hi[0], hi[1], hi[2], hi[3]);
    }
}

/// The coefficients of a thread: one column of a band along x, some rows of both bands along y. Filters along y and z.
template <class S>
struct ForwardColumn {
    const FusedLevel& level;
    const AnalysisFilters<S::kTaps>& filters;
    int fromMiddle, rows;
    bool active;
    std::int64_t rowStride, toDetailsY, toDetailsZ, firstStep;
    int firstRowStride;
    float *to, *toFirst;  ///< next coefficients: base of the other bands, and the approximation along y and z
    /// Sectors that two tiles share are computed by both and written by the tile in which they begin: a bit per row and band. In the next
    /// slice rows may begin in the middle of a sector instead. If rows begin anywhere, tiles write their own columns.
    unsigned owned = 0xffffffffU, changing = 0;
    float partialLo[2 * S::kRows][S::kKept > 0 ? S::kKept : 1] = {}, partialHi[2 * S::kRows][S::kKept > 0 ? S::kKept : 1] = {};

    __device__ __forceinline__ ForwardColumn(const FusedLevel& l, const AnalysisFilters<S::kTaps>& f, const ForwardTile<S>& tile,
                                             const ForwardZeros<S>& zeros)
        : level(l), filters(f) {
        const int thread = static_cast<int>(threadIdx.x);
        const int column = thread % (2 * S::kColumns), part = thread / (2 * S::kColumns);
        fromMiddle = 2 * S::kRows * part * S::kMiddlePitch + column;
        const int x = tile.x0 + column % S::kColumns, y = tile.y0 + part * S::kRows;
        rows = min(S::kRows, level.count[1] - y);
        const bool detailX = column >= S::kColumns;
        active = x < (detailX ? level.count[0] : max(zeros.end, zeros.lowEnd)) && rows > 0 &&
                 (S::kThreads % (2 * S::kColumns) == 0 || part < S::kThreads / (2 * S::kColumns));
        rowStride = level.out.rowStride, toDetailsY = level.detail[1] * rowStride;
        toDetailsZ = level.detail[2] * level.out.sliceStride;
        firstStep = detailX ? level.out.sliceStride : level.outLow.sliceStride;
        firstRowStride = static_cast<int>(detailX ? level.out.rowStride : level.outLow.rowStride);
        const std::int64_t at = (detailX ? level.detail[0] : 0) + x + y * rowStride + tile.z0 * level.out.sliceStride;
        const std::int64_t atFirst = detailX ? at : x + y * firstRowStride + tile.z0 * firstStep;
        to = level.out.data + at;
        toFirst = detailX ? to : level.outLow.data + atFirst;
        if constexpr (S::kOverhang > 0)
            findOwned(tile, x, at, detailX ? level.out.data : level.outLow.data, atFirst, detailX ? level.count[0] : zeros.end,
                      detailX ? level.count[0] : zeros.lowEnd);
    }

    /// `middle`: rows filtered along x.
    __device__ __forceinline__ void filter(const float* middle, int step) {
        if (!active) return;
        float now[S::kSlices][2 * S::kRows];
#pragma unroll
        for (int s = 0; s < S::kSlices; ++s) {
            constexpr int kWords = 2 * S::kRows - 2 + S::kTaps;
            float samples[kWords];
            const float* const from = middle + s * S::kStageRows * S::kMiddlePitch + fromMiddle;
#pragma unroll
            for (int w = 0; w < kWords; ++w) samples[w] = from[w * S::kMiddlePitch];
            analyse<S::kTaps, S::kRows>(filters, samples, now[s], now[s] + S::kRows);
        }
        if constexpr (S::kAlongZ) {
            const auto alongZ = [](const float* filter, float* partial, float first, float second) {
                return accumulateAlongZ<S::kKept>([&](int a) { return make_float2(filter[2 * a], filter[2 * a + 1]); }, partial, first,
                                                  second);
            };
            float lo[2 * S::kRows], hi[2 * S::kRows];
#pragma unroll
            for (int i = 0; i < 2 * S::kRows; ++i) {
                lo[i] = alongZ(filters.lo, partialLo[i], now[0][i], now[1][i]);
                hi[i] = alongZ(filters.hi, partialHi[i], now[0][i], now[1][i]);
            }
            if (step < S::kKept) return;
            storeBands(lo, hi);
            owned ^= changing;
        } else {
#pragma unroll
            for (int i = 0; i < 2 * S::kRows; ++i) {
                if (i % S::kRows >= rows) continue;
                if (i < S::kRows) *(toFirst + i * firstRowStride) = now[0][i];
                else *(to + (toDetailsY + (i - S::kRows) * rowStride)) = now[0][i];
            }
        }
        to += level.out.sliceStride, toFirst += firstStep;
    }

private:
    /// The next coefficients are at level.out.data[at] and first[atFirst]; columns end at `until` and `untilFirst`. Uses offsets, since
    /// after casts of `to` and `toFirst` to integers the compiler no longer knows that they point to global memory.
    __device__ __forceinline__ void findOwned(const ForwardTile<S>& tile, int x, std::int64_t at, const float* first, std::int64_t atFirst,
                                              int until, int untilFirst) {
        constexpr int kStep = S::kColumns - S::kOverhang;
        const std::int64_t strides = level.out.sliceStride | level.outLow.sliceStride;
        const bool regular = strides % (kSector / 2) == 0;
        const auto find = [&](std::int64_t slice) {
            const auto word = [&](const float* base, std::int64_t offset) {
                return regular ? static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(base) / sizeof(float) + offset) : 0U;
            };
            const std::int64_t next = at + slice * level.out.sliceStride;
            const unsigned phases[4] = {word(first, atFirst + slice * firstStep), word(level.out.data, next + toDetailsZ),
                                        word(level.out.data, next + toDetailsY), word(level.out.data, next + toDetailsY + toDetailsZ)};
            unsigned bits = 0;
#pragma unroll
            for (int b = 0; b < 4; ++b) {
                const unsigned step = !regular ? 0U : static_cast<unsigned>(b == 0 ? firstRowStride : static_cast<int>(rowStride));
#pragma unroll
                for (int r = 0; r < S::kRows; ++r) {
                    const int begin = x - tile.x0 - static_cast<int>((phases[b] + static_cast<unsigned>(r) * step) % kSector);
                    const bool mine = (tile.across == 0 || begin >= 0) && (tile.lastAcross || begin < kStep);
                    if (mine && x < (b == 0 ? untilFirst : until)) bits |= 1U << (4 * r + b);
                }
            }
            return bits;
        };
        if (x - tile.x0 < kSector - 1 || x - tile.x0 >= kStep || x >= min(until, untilFirst)) {
            owned = find(0);
            if (strides % kSector != 0) changing = owned ^ find(1);
        }
    }
    __device__ __forceinline__ void storeBands(const float* lo, const float* hi) const {
        const auto put = [&](int bit, float* at, float v) {
            if (S::kOverhang == 0 || (owned >> bit & 1U) != 0) *at = v;
        };
        const auto storeRow = [&](int r) {
            put(4 * r, toFirst + r * firstRowStride, lo[r]);
            put(4 * r + 1, to + (toDetailsZ + r * rowStride), hi[r]);
            put(4 * r + 2, to + (toDetailsY + r * rowStride), lo[S::kRows + r]);
            put(4 * r + 3, to + (toDetailsY + toDetailsZ + r * rowStride), hi[S::kRows + r]);
        };
        if (rows == S::kRows) {
#pragma unroll
            for (int r = 0; r < S::kRows; ++r) storeRow(r);
        } else {
#pragma unroll
            for (int r = 0; r < S::kRows - 1; ++r)
                if (r < rows) storeRow(r);
        }
    }
};

/// `Overhang`: FusedTuning::overhang. `Sums`: for extension modes that sum samples.
template <int Taps, bool AlongZ, int Threads, int Columns, int Overhang, int Rows, int Blocks, int Stages, bool Overlapped, bool Sums>
__global__ void __launch_bounds__(Threads, Blocks)
    fusedForwardKernel(const FusedLevel level, const FusedGrid grid, const AnalysisFilters<Taps> filters) {
    using Shape = ForwardShape<Taps, AlongZ, Threads, Columns, Overhang, Rows, Stages, Overlapped>;
    extern __shared__ float4 fusedMemory[];
    float* const stages = reinterpret_cast<float*>(fusedMemory);
    float* const middles = stages + Stages * Shape::kSlices * Shape::kStage;

    admitNextKernel();
    const ForwardTile<Shape> tile(level, grid);
    ForwardLoader<Shape, Sums> loader(level, tile, stages, middles + Shape::kMiddles * Shape::kMiddle);
    loader.findSamples();
    __syncthreads();
    loader.findCopies();
    const int thread = static_cast<int>(threadIdx.x);
    const ForwardZeros<Shape> zeros(level, tile, reinterpret_cast<int*>(loader.singleCopies - thread + Shape::kOwnSingles * Threads));
    zeros.clearOverhang(middles, tile.groups);
    ForwardColumn<Shape> column(level, filters, tile, zeros);
    zeros.findPlaces(tile);
    int z = AlongZ ? 2 * tile.z0 + tile.first : tile.z0;
    awaitEarlierKernels();
    walkAlongZ<Stages, Overlapped, Shape::kSlices * Shape::kStage, Shape::kMiddle>(
        stages, middles, tile.zEnd - tile.z0 + Shape::kKept,
        [&](float* stage) {
            loader.fill(stage, z);
            z += Shape::kSlices;
        },
        [&](const float* stage, float* middle) { analyseRows<Shape>(filters, stage, middle, tile.groups, tile.width, zeros.overhang); },
        [&](const float* middle, int step) {
            if (zeros.count > 0 && step >= Shape::kKept) zeros.write(tile.z0 + step - Shape::kKept);
            column.filter(middle, step);
        });
}

template <int Taps, bool AlongZ, FusedTuning Tuning>
struct FusedForward {
    using Shape =
        ForwardShape<Taps, AlongZ, Tuning.threads, Tuning.columns, Tuning.overhang, Tuning.rows, Tuning.stages, Tuning.overlapped>;
    template <bool Sums>
    static constexpr auto kKernel = &fusedForwardKernel<Taps, AlongZ, Tuning.threads, Tuning.columns, Tuning.overhang, Tuning.rows,
                                                        Tuning.blocks, Tuning.stages, Tuning.overlapped, Sums>;
    static constexpr int kSharedBytes = Shape::kSharedBytes;

    /// Returns whether its kernels may begin early.
    static bool prepare() {
        const bool one = prepareFused(reinterpret_cast<const void*>(kKernel<false>), kSharedBytes);
        return prepareFused(reinterpret_cast<const void*>(kKernel<true>), kSharedBytes) && one;
    }
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        if (sumsSamples(level.rule)) launch<true>(level, stream);
        else launch<false>(level, stream);
    }

private:
    template <bool Sums>
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        const FusedGrid grid = fusedGrid(level.count[0], level.count[1], level.count[2], Tuning, AlongZ ? Taps / 2 - 1 : 0, level);
        const dim3 blocks(static_cast<unsigned>(grid.blocks()), static_cast<unsigned>(grid.chunks));
        launchFused(kKernel<Sums>, blocks, Tuning.threads, kSharedBytes, stream, level.early, level, grid, analysisFilters<Taps>(level));
    }
};

}  // namespace parallax::gpu
