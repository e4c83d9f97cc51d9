// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned forward transform for coarse levels and small volumes: along z first.
//
// A block computes boxes of coefficients, one after the other along z. Threads read columns of samples along z, a few side by side, from
// global memory and filter them in registers; the low and high results go to shared memory. Rows of these slices are filtered along x into
// another array there, and its columns along y into the bands. Nothing is kept between boxes, so a part of the depth costs taps - 2 slices
// that are read again, mostly from the level-2 cache, and only the halo of a tile is filtered along z in vain.
#pragma once

#include <type_traits>

#include "gpu/operations/wavelet/kernels/fused_forward.cuh"

namespace parallax::gpu {

/// Sizes of a block's work.
template <int Taps, int Threads, int Columns, int Rows, int Depth, int Width, int Group>
struct ZFirstForwardShape {
    static constexpr int kTaps = Taps, kThreads = Threads, kColumns = Columns, kRows = Rows, kDepth = Depth, kWidth = Width, kGroup = Group;
    static constexpr int kSlices = 2 * Depth + Taps - 2, kStageRows = 2 * Rows + Taps - 2;  ///< of samples
    static constexpr int kPlanes = 2 * Depth;                                               ///< low, then high along z
    static constexpr int kPad = Width == 4 && Taps % 4 == 0 ? 2 : 0;  ///< padding on the left, so that rows begin at a multiple of 4
    static constexpr int kGroupWords =
        (kPad + 2 * Group - 2 + Taps + 3) / 4 * 4;  ///< that a group of coefficients along x is made from, and words beside
    static constexpr int kRowSamples = (kPad + 2 * Columns + Taps - 2 + Width - 1) / Width * Width;
    static constexpr int kRowWords = std::max(kRowSamples, 2 * Columns - 2 * Group + kGroupWords);
    /// Words per row, an odd multiple of 4: 16-byte accesses to eight neighbouring rows use different banks.
    static constexpr int kStagePitch = 4 * ((kRowWords + 3) / 4 | 1), kMiddlePitch = 4 * ((2 * Columns + 3) / 4 | 1);
    static constexpr int kPlane = kStageRows * kStagePitch;
    static constexpr int kStage = kPlanes * kPlane, kMiddle = kPlanes * kStageRows * kMiddlePitch;
    static constexpr int kSharedBytes = (kStage + kMiddle) * static_cast<int>(sizeof(float)) +
                                        ((kSlices + 3) / 4 * 4 + kRowSamples + kStageRows) * static_cast<int>(sizeof(int));
    static_assert(Columns % Group == 0 && Group % 4 == 0 && Taps % 2 == 0 && (Width == 2 || Width == 4) && kSlices < 32);
};

/// Returns the sample for one beyond the border, or kNoOffset, in extension modes without sums of samples.
__device__ __forceinline__ int standIn(int i, int n, WaveletMode rule) {
    if (static_cast<unsigned>(i) < static_cast<unsigned>(n)) return i;
    if (rule == WaveletMode::zero) return kNoOffset;
    if (rule == WaveletMode::constant) return i < 0 ? 0 : n - 1;
    const bool mirrored = rule == WaveletMode::symmetric || rule == WaveletMode::reflect;
    const int twice = rule == WaveletMode::reflect ? 1 : 0;  // edge samples are not repeated
    const int period = mirrored ? max(2 * (n - twice), 1) : rule == WaveletMode::periodization ? n + n % 2 : n;
    int m = i % period;
    if (m < 0) m += period;
    return m < n ? m : mirrored ? period - 1 - m + twice : n - 1;
}

/// Writes the zeros of FusedLevel::fills in the mosaic, in `height` rows and `depth` slices of the bands, by all tiles along x together:
/// between bands and details, and whole sectors of memory around the position of the approximation. No earlier level accesses these.
__device__ __forceinline__ void fillMosaic(const FusedLevel& level, int y0, int height, int z0, int depth) {
    const bool apart = level.outLow.data != level.out.data;
    const int count = level.count[0], gap = level.detail[0] - count, edges = apart ? 2 * kSector : 0;
    // Per row: around the position of the approximation; before the details along x of the bands with details along y, z, both.
    const int each = edges + 3 * gap;
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < each * height * depth;
         i += static_cast<int>(gridDim.x * blockDim.x)) {
        const int row = i / each, at = i % each, y = y0 + row % height, z = z0 + row / height;
        int band = 0, column = 0;
        if (at < edges) {
            column = at < kSector ? min(at, level.detail[0] - 1) : max(level.detail[0] - edges + at, 0);
        } else {
            band = 1 + (at - edges) / gap, column = count + (at - edges) % gap;
        }
        level.out.data[(z + (band & 2 ? level.detail[2] : 0)) * level.out.sliceStride +
                       (y + (band & 1 ? level.detail[1] : 0)) * level.out.rowStride + column] = 0;
    }
}
/// Writes those behind rows of a separate approximation, by the last tile along x. The previous level may still be reading there.
__device__ __forceinline__ void fillBehind(const FusedLevel& level, int y0, int height, int z0, int depth) {
    if (level.outLow.data == level.out.data) return;
    const int count = level.count[0], behind = static_cast<int>(level.outLow.rowStride) - count;
    for (int i = static_cast<int>(threadIdx.x); i < behind * height * depth; i += static_cast<int>(blockDim.x)) {
        const int row = i / behind, y = y0 + row % height, z = z0 + row / height;
        level.outLow.data[z * level.outLow.sliceStride + y * level.outLow.rowStride + count + i % behind] = 0;
    }
}

template <int Width>
using ZFirstVector = std::conditional_t<Width == 1, float, std::conditional_t<Width == 2, float2, float4>>;

/// Addresses of the rows of a tile in the first slice of the bands, in the constant bank.
template <int Rows>
struct ZFirstRows {
    float *low[Rows], *high[Rows];  ///< in the mosaic: approximation and details along y
    float* apart[Rows];             ///< approximation along all axes
};

/// The coefficients of a block and the samples that they need. `z0` advances from box to box.
template <class S>
struct ZForwardTile {
    int x0, y0, z0, zEnd;
    int first;          ///< first sample of coefficient 0
    int left, top;      ///< of the samples, with padding on the left
    int width, height;  ///< of the coefficients
    int columns, rows;  ///< of samples
    __device__ __forceinline__ ZForwardTile(const FusedLevel& level, const FusedGrid& grid) {
        x0 = static_cast<int>(blockIdx.x) * S::kColumns, y0 = static_cast<int>(blockIdx.y) * S::kRows;
        z0 = static_cast<int>(blockIdx.z) * grid.chunk;
        zEnd = min(z0 + grid.chunk, level.count[2]);
        first = analysisShift(S::kTaps, level.rule) - (S::kTaps - 1);
        left = 2 * x0 + first - S::kPad, top = 2 * y0 + first;
        width = min(S::kColumns, level.count[0] - x0), height = min(S::kRows, level.count[1] - y0);
        columns = S::kPad + 2 * width + S::kTaps - 2, rows = 2 * height + S::kTaps - 2;
    }
};

/// Filters the samples of a box along z: vectors within the volume (`inner` per row), and single columns beside them (`outer`).
template <class S>
struct ZForwardReader {
    const FusedLevel& level;
    const AnalysisFilters<S::kTaps>& filters;
    ZForwardTile<S>& tile;
    float* stage;
    unsigned* sliceOffsets;  ///< of the samples for slices, columns and rows
    int *columnOffsets, *rowOffsets;
    int innerFrom, inner, outer;
    float perInner, perOuter;

    __device__ __forceinline__ ZForwardReader(const FusedLevel& l, const AnalysisFilters<S::kTaps>& f, ZForwardTile<S>& t, float* memory,
                                              float* tables)
        : level(l), filters(f), tile(t), stage(memory) {
        sliceOffsets = reinterpret_cast<unsigned*>(tables);
        columnOffsets = reinterpret_cast<int*>(sliceOffsets + (S::kSlices + 3) / 4 * 4);
        rowOffsets = columnOffsets + S::kRowSamples;
    }
    __device__ __forceinline__ void findSlices() const {
        const int thread = static_cast<int>(threadIdx.x);
        if (thread >= S::kSlices) return;
        const int z = 2 * tile.z0 + tile.first + thread, n = level.samples[2];
        const int source = max(standIn(z, n, level.rule), 0);
        sliceOffsets[thread] = static_cast<unsigned>(source) * static_cast<unsigned>(level.in.sliceStride);
    }
    __device__ __forceinline__ void findColumnsAndRows() {
        const int thread = static_cast<int>(threadIdx.x);
#pragma unroll 1
        for (int i = S::kThreads - 1 - thread; i < S::kRowSamples + S::kStageRows; i += S::kThreads) {
            const int row = i - S::kRowSamples, axis = row < 0 ? 0 : 1, n = level.samples[axis],
                      at = row < 0 ? tile.left + i : tile.top + row;
            const int source = axis == 0 && (i < S::kPad || i >= tile.columns) ? kNoOffset : standIn(at, n, level.rule);
            columnOffsets[i] = source < 0 ? kNoOffset : axis == 1 ? source * static_cast<int>(level.in.rowStride) : source;
        }
    }
    __device__ __forceinline__ void divideRows() {
        constexpr int kWidth = S::kWidth;
        const bool aligned = ((level.in.rowStride | level.in.sliceStride | tile.left) & (kWidth - 1)) == 0 &&
                             (reinterpret_cast<std::uintptr_t>(level.in.data) & (kWidth * sizeof(float) - 1)) == 0;
        const int across = (tile.columns + kWidth - 1) / kWidth;
        innerFrom = min(tile.left < 0 ? (-tile.left + kWidth - 1) / kWidth : 0, across);
        inner = aligned ? max(0, min((level.samples[0] - tile.left) / kWidth, across) - innerFrom) : 0;
        outer = max(tile.columns - inner * kWidth, 0);
        perInner = __fdividef(1, static_cast<float>(max(inner, 1))), perOuter = __fdividef(1, static_cast<float>(max(outer, 1)));
    }
    /// Prefetches samples into the level-2 cache before the previous level has ended: most are written by then but have left the cache.
    /// Their values are not used yet.
    __device__ __forceinline__ void prefetch() const {
        constexpr int kLine = 32, kLines = (S::kRowSamples - 2) / kLine + 2;  // floats
        const int from = max(2 * tile.z0 + tile.first + (level.early ? 0 : S::kSlices), 0),
                  slices = min(2 * tile.zEnd + tile.first + S::kTaps - 2, level.samples[2]) - from;
#pragma unroll 1
        for (int i = static_cast<int>(threadIdx.x); i < kLines * S::kStageRows * slices; i += S::kThreads) {
            const int row = i / kLines % S::kStageRows, x = max(tile.left, 0) + i % kLines * kLine;
            if (row >= tile.rows || rowOffsets[row] < 0 || x >= min(tile.left + tile.columns, level.samples[0])) continue;
            const float* const at =
                level.in.data + (static_cast<unsigned>(rowOffsets[row] + x) +
                                 static_cast<unsigned>(from + i / (kLines * S::kStageRows)) * static_cast<unsigned>(level.in.sliceStride));
            asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
        }
    }
    __device__ __forceinline__ void filter() const {
        const int thread = static_cast<int>(threadIdx.x);
#pragma unroll 1
        for (int i = thread; i < inner * tile.rows; i += S::kThreads) {
            const int row = static_cast<int>((static_cast<float>(i) + 0.5F) * perInner), at = (i - row * inner + innerFrom) * S::kWidth;
            const int offset = rowOffsets[row];
            filterColumn(ZFirstVector<S::kWidth>{}, at, row, offset < 0 ? offset : offset + tile.left + at);
        }
#pragma unroll 1
        for (int i = S::kThreads - 1 - thread; i < outer * tile.rows; i += S::kThreads) {
            const int row = static_cast<int>((static_cast<float>(i) + 0.5F) * perOuter);
            int at = i - row * outer;
            if (at >= innerFrom * S::kWidth) at += inner * S::kWidth;
            const int offset = rowOffsets[row], beside = columnOffsets[at];
            filterColumn(float{}, at, row, offset < 0 || beside < 0 ? kNoOffset : offset + beside);
        }
    }

private:
    /// Filters one column of samples, or several side by side.
    template <class Vector>
    __device__ __forceinline__ void filterColumn(Vector, int column, int row, int offset) const {
        constexpr int kWidth = static_cast<int>(sizeof(Vector) / sizeof(float));
        union Samples {
            Vector vector;
            float each[kWidth];
        };
        Samples samples[S::kSlices];
        const unsigned from = static_cast<unsigned>(max(offset, 0));
#pragma unroll
        for (int s = 0; s < S::kSlices; ++s) samples[s].vector = *reinterpret_cast<const Vector*>(level.in.data + (from + sliceOffsets[s]));
        const int front = 2 * tile.z0 + tile.first;
        const bool gone = level.rule == WaveletMode::zero && (front < 0 || front + S::kSlices > level.samples[2]);
        if (gone || offset < 0) {
#pragma unroll
            for (int s = 0; s < S::kSlices; ++s)
                if (offset < 0 || static_cast<unsigned>(front + s) >= static_cast<unsigned>(level.samples[2])) samples[s].vector = Vector{};
        }
        float* const to = stage + row * S::kStagePitch + column;
#pragma unroll
        for (int d = 0; d < S::kDepth; ++d) {
            Samples lo, hi;
#pragma unroll
            for (int v = 0; v < kWidth; ++v) {
                lo.each[v] = hi.each[v] = 0;
#pragma unroll
                for (int k = 0; k < S::kTaps; ++k) {
                    lo.each[v] = fmaf(filters.lo[k], samples[2 * d + k].each[v], lo.each[v]);
                    hi.each[v] = fmaf(filters.hi[k], samples[2 * d + k].each[v], hi.each[v]);
                }
            }
            *reinterpret_cast<Vector*>(to + d * S::kPlane) = lo.vector;
            *reinterpret_cast<Vector*>(to + (S::kDepth + d) * S::kPlane) = hi.vector;
        }
    }
};

/// Filters rows of all planes along x; neighbouring threads have neighbouring rows.
template <class S>
__device__ __forceinline__ void analysePlaneRows(const AnalysisFilters<S::kTaps>& filters, const float* stage, float* middle, int groups) {
    constexpr int kAllRows = S::kPlanes * S::kStageRows, kGroup = S::kGroup;
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < groups * kAllRows; i += S::kThreads) {
        const int group = i / kAllRows, row = i % kAllRows;
        const float* const source = stage + row * S::kStagePitch + 2 * kGroup * group;
        float* const result = middle + row * S::kMiddlePitch + kGroup * group;
        float samples[S::kGroupWords], lo[kGroup], hi[kGroup];
        readFours<S::kGroupWords>(source, samples);
        analyse<S::kTaps, kGroup>(filters, samples + S::kPad, lo, hi);
#pragma unroll
        for (int r = 0; r < kGroup; r += 4) {
            *reinterpret_cast<float4*>(result + r) = make_float4(lo[r], lo[r + 1], lo[r + 2], lo[r + 3]);
            *reinterpret_cast<float4*>(result + S::kColumns + r) = make_float4(hi[r], hi[r + 1], hi[r + 2], hi[r + 3]);
        }
    }
}

/// Filters columns of all planes along y and writes the coefficients. Strides fit in 31 bits.
template <class S>
struct ZForwardWriter {
    const FusedLevel& level;
    const ZFirstRows<S::kRows>& out;
    const AnalysisFilters<S::kTaps>& filters;
    const ZForwardTile<S>& tile;
    int sliceStride, corner, lowSlice, lowCorner;

    __device__ __forceinline__ ZForwardWriter(const FusedLevel& l, const ZFirstRows<S::kRows>& o, const AnalysisFilters<S::kTaps>& f,
                                              const ZForwardTile<S>& t)
        : level(l), out(o), filters(f), tile(t) {
        const int rowStride = static_cast<int>(level.out.rowStride);
        sliceStride = static_cast<int>(level.out.sliceStride);
        corner = tile.y0 * rowStride + tile.x0, lowSlice = static_cast<int>(level.outLow.sliceStride);
        lowCorner = tile.y0 * static_cast<int>(level.outLow.rowStride) + tile.x0;
    }
    /// The coefficients [z, z + depth) along z.
    __device__ __forceinline__ void filter(const float* middle, int z, int depth) const {
        constexpr int kRows = S::kRows;
#pragma unroll 1
        for (int i = static_cast<int>(threadIdx.x); i < S::kPlanes * 2 * S::kColumns; i += S::kThreads) {
            const int plane = i / (2 * S::kColumns), column = i % (2 * S::kColumns), d = plane % S::kDepth;
            const bool detailX = column >= S::kColumns, detailZ = plane >= S::kDepth, approximation = !detailX && !detailZ;
            const int x = detailX ? column - S::kColumns : column;
            if (x >= tile.width || d >= depth) continue;
            constexpr int kWords = 2 * kRows - 2 + S::kTaps;
            float samples[kWords], lo[kRows], hi[kRows];
            const float* const source = middle + plane * (S::kStageRows * S::kMiddlePitch) + column;
#pragma unroll
            for (int w = 0; w < kWords; ++w) samples[w] = source[w * S::kMiddlePitch];
            analyse<S::kTaps, kRows>(filters, samples, lo, hi);
            const int slice = z + d, lowAt = lowCorner + slice * lowSlice + x;
            const int at = corner + (slice + (detailZ ? level.detail[2] : 0)) * sliceStride + x + (detailX ? level.detail[0] : 0);
            if (tile.height == kRows) {
                if (approximation) {
#pragma unroll
                    for (int r = 0; r < kRows; ++r) out.apart[r][lowAt] = lo[r];
                } else {
#pragma unroll
                    for (int r = 0; r < kRows; ++r) out.low[r][at] = lo[r];
                }
#pragma unroll
                for (int r = 0; r < kRows; ++r) out.high[r][at] = hi[r];
            } else {
#pragma unroll
                for (int r = 0; r < kRows; ++r) {
                    if (r >= tile.height) continue;
                    *(approximation ? out.apart[r] + lowAt : out.low[r] + at) = lo[r];
                    out.high[r][at] = hi[r];
                }
            }
        }
    }
};

template <int Taps, int Threads, int Columns, int Rows, int Depth, int Blocks, int Width, int Group, bool Ahead>
__global__ void __launch_bounds__(Threads, Blocks)
    zFirstForwardKernel(const FusedLevel level, const FusedGrid grid, const ZFirstRows<Rows> out, const AnalysisFilters<Taps> filters) {
    using Shape = ZFirstForwardShape<Taps, Threads, Columns, Rows, Depth, Width, Group>;
    extern __shared__ float4 fusedMemory[];
    float* const stage = reinterpret_cast<float*>(fusedMemory);
    float* const middle = stage + Shape::kStage;

    admitNextKernel();
    ZForwardTile<Shape> tile(level, grid);
    ZForwardReader<Shape> reader(level, filters, tile, stage, middle + Shape::kMiddle);
    reader.findColumnsAndRows();
    reader.findSlices();
    reader.divideRows();
    __syncthreads();
    const int zBegin = tile.z0;
    if constexpr (Ahead) reader.prefetch();
    if (level.fills) fillMosaic(level, tile.y0, tile.height, zBegin, tile.zEnd - zBegin);
    awaitEarlierKernels();

    const int groups = (tile.width + Group - 1) / Group;
    const ZForwardWriter<Shape> writer(level, out, filters, tile);
    // The columns of a box while those of the previous one are filtered along y.
    for (bool begun = false;; begun = true) {
        if (tile.z0 < tile.zEnd) reader.filter();
        if (begun) writer.filter(middle, tile.z0 - Depth, min(Depth, tile.zEnd - tile.z0 + Depth));
        if (tile.z0 >= tile.zEnd) break;
        __syncthreads();
        analysePlaneRows<Shape>(filters, stage, middle, groups);
        tile.z0 += Depth;
        reader.findSlices();
        __syncthreads();
    }
    if (level.fills && tile.x0 + Columns >= level.count[0]) fillBehind(level, tile.y0, tile.height, zBegin, tile.zEnd - zBegin);
}

/// `Tuning`: threads, columns, rows and depth of a box, blocks, vector.
template <int Taps, ZForwardTuning Tuning>
struct ZFirstForward {
    static constexpr auto kKernel = &zFirstForwardKernel<Taps, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.depth, Tuning.blocks,
                                                         Tuning.vector, Tuning.group, Tuning.ahead>;
    static constexpr int kSharedBytes =
        ZFirstForwardShape<Taps, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.depth, Tuning.vector, Tuning.group>::kSharedBytes;

    /// Returns whether it may begin early.
    static bool prepare() { return prepareFused(reinterpret_cast<const void*>(kKernel), kSharedBytes); }
    static std::int64_t boxes(const FusedLevel& level) {
        const auto whole = [](int n, int extent) { return std::int64_t{(n + extent - 1) / extent}; };
        return whole(level.count[0], Tuning.columns) * whole(level.count[1], Tuning.rows) * whole(level.count[2], Tuning.depth);
    }
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        FusedGrid grid;
        grid.across = (level.count[0] + Tuning.columns - 1) / Tuning.columns;
        grid.down = (level.count[1] + Tuning.rows - 1) / Tuning.rows;
        const int boxes = (level.count[2] + Tuning.depth - 1) / Tuning.depth;
        const int parts = level.chunks > 0 ? std::min(level.chunks, boxes)
                                           : cheapestParts(grid.blocks(), boxes, std::min(boxes, 64), kZFirstStartBoxes,
                                                           level.multiprocessors * Tuning.blocks);
        grid.chunk = (boxes + parts - 1) / parts * Tuning.depth;
        grid.chunks = (level.count[2] + grid.chunk - 1) / grid.chunk;
        ZFirstRows<Tuning.rows> out;
        for (int r = 0; r < Tuning.rows; ++r) {
            out.low[r] = level.out.data + r * level.out.rowStride;
            out.high[r] = out.low[r] + level.detail[1] * level.out.rowStride;
            out.apart[r] = level.outLow.data + r * level.outLow.rowStride;
        }
        const dim3 blocks(static_cast<unsigned>(grid.across), static_cast<unsigned>(grid.down), static_cast<unsigned>(grid.chunks));
        launchFused(kKernel, blocks, Tuning.threads, kSharedBytes, stream, level.early, level, grid, out, analysisFilters<Taps>(level));
    }
};

}  // namespace parallax::gpu
