// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned transform forward for coarse levels and small volumes: along z first.
//
// A block makes boxes of coefficients, one behind the other along z. Threads take columns of samples along z, a few side by side, straight
// from memory, and filter them in registers: a slice of low and one of high results for each coefficient along z, which go to shared
// memory. Rows of all these slices are filtered along x into another array there, and columns of that along y, straight to the bands.
// Nothing is kept from one box to the next, so a part of the depth costs taps - 2 slices that are read again, most of them from the level-2
// cache, and nothing is filtered in vain but along z in the halo of a tile.
#pragma once

#include <type_traits>

#include "gpu/operations/wavelet/kernels/fused_forward.cuh"

namespace parallax::gpu {

/// How the work of a block is laid out.
template <int Taps, int Columns, int Rows, int Depth, int Width, int Group>
struct ZFirstForwardShape {
    static constexpr int kSlices = 2 * Depth + Taps - 2, kStageRows = 2 * Rows + Taps - 2;  ///< of samples
    static constexpr int kPlanes = 2 * Depth;                                               ///< low, then high along z
    static constexpr int kPad = Width == 4 && Taps % 4 == 0 ? 2 : 0;  ///< samples on the left that make rows begin at a multiple of 4
    static constexpr int kGroupWords =
        (kPad + 2 * Group - 2 + Taps + 3) / 4 * 4;  ///< that a group of coefficients along x is made from, and words beside
    static constexpr int kRowSamples = (kPad + 2 * Columns + Taps - 2 + Width - 1) / Width * Width;
    static constexpr int kRowWords = std::max(kRowSamples, 2 * Columns - 2 * Group + kGroupWords);
    /// Words of a row. An odd multiple of 4: eight rows side by side meet different banks, 16 bytes each.
    static constexpr int kStagePitch = 4 * ((kRowWords + 3) / 4 | 1), kMiddlePitch = 4 * ((2 * Columns + 3) / 4 | 1);
    static constexpr int kPlane = kStageRows * kStagePitch;
    static constexpr int kStage = kPlanes * kPlane, kMiddle = kPlanes * kStageRows * kMiddlePitch;
    static constexpr int kSharedBytes = (kStage + kMiddle) * static_cast<int>(sizeof(float)) +
                                        ((kSlices + 3) / 4 * 4 + kRowSamples + kStageRows) * static_cast<int>(sizeof(int));
    static_assert(Columns % Group == 0 && Group % 4 == 0 && Taps % 2 == 0 && (Width == 2 || Width == 4) && kSlices < 32);
};

/// The sample that stands for one beyond the border, or kNothing, by rules that make no sums of samples.
__device__ __forceinline__ int standIn(int i, int n, ExtensionRule rule) {
    if (static_cast<unsigned>(i) < static_cast<unsigned>(n)) return i;
    if (rule == ExtensionRule::zero) return kNothing;
    if (rule == ExtensionRule::constant) return i < 0 ? 0 : n - 1;
    const bool mirrored = rule == ExtensionRule::symmetric || rule == ExtensionRule::reflect;
    const int twice = rule == ExtensionRule::reflect ? 1 : 0;  // samples at the edges are not repeated
    const int period = mirrored ? max(2 * (n - twice), 1) : rule == ExtensionRule::periodization ? n + n % 2 : n;
    int m = i % period;
    if (m < 0) m += period;
    return m < n ? m : mirrored ? period - 1 - m + twice : n - 1;
}

/// The zeros of FusedLevel::fills in the mosaic, of `height` rows and `depth` slices of the bands, by all tiles along x together: between
/// bands and the details, and around where the approximation would be, in whole sectors of memory. No level before writes there, or reads.
__device__ __forceinline__ void fillMosaic(const FusedLevel& level, int y0, int height, int z0, int depth) {
    const bool apart = level.outLow.data != level.out.data;
    const int count = level.count[0], gap = level.detail[0] - count, edges = apart ? 2 * kSector : 0;
    // For a row: around the place of the approximation; before the details along x of the bands with details along y, z, both.
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
/// Those behind rows of an approximation that is apart, by the last tile along x. The level before may still read what was there.
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

/// Where the rows of a tile begin, in the first slice of the bands: in the constant bank.
template <int Rows>
struct ZFirstRows {
    float *low[Rows], *high[Rows];  ///< of the mosaic: along y the approximation, and the details
    float* apart[Rows];             ///< of the approximation along all axes
};

template <int Taps, int Threads, int Columns, int Rows, int Depth, int Blocks, int Width, int Group, bool Ahead>
__global__ void __launch_bounds__(Threads, Blocks)
    zFirstForwardKernel(const FusedLevel level, const FusedGrid grid, const ZFirstRows<Rows> out, const AnalysisFilters<Taps> filters) {
    using Shape = ZFirstForwardShape<Taps, Columns, Rows, Depth, Width, Group>;
    constexpr int kPad = Shape::kPad, kStageRows = Shape::kStageRows, kStagePitch = Shape::kStagePitch, kSlices = Shape::kSlices,
                  kMiddlePitch = Shape::kMiddlePitch, kPlanes = Shape::kPlanes, kPlane = Shape::kPlane;
    extern __shared__ float4 fusedMemory[];
    float* const stage = reinterpret_cast<float*>(fusedMemory);
    float* const middle = stage + Shape::kStage;
    unsigned* const sliceOffsets = reinterpret_cast<unsigned*>(middle + Shape::kMiddle);
    int* const columnOffsets = reinterpret_cast<int*>(sliceOffsets + (kSlices + 3) / 4 * 4);
    int* const rowOffsets = columnOffsets + Shape::kRowSamples;

    admitNextKernel();
    const int thread = static_cast<int>(threadIdx.x);
    const int x0 = static_cast<int>(blockIdx.x) * Columns, y0 = static_cast<int>(blockIdx.y) * Rows;
    int z0 = static_cast<int>(blockIdx.z) * grid.chunk;
    const int zEnd = min(z0 + grid.chunk, level.count[2]);
    const int first = analysisShift(Taps, level.rule) - (Taps - 1);  // sample that coefficient 0 meets first
    const int left = 2 * x0 + first - kPad, top = 2 * y0 + first;
    const int width = min(Columns, level.count[0] - x0), height = min(Rows, level.count[1] - y0);
    const int columns = kPad + 2 * width + Taps - 2, rows = 2 * height + Taps - 2;
    // What stands for slices, columns and rows: where their samples are.
    const auto findSlices = [&] {
        if (thread >= kSlices) return;
        const int z = 2 * z0 + first + thread, n = level.samples[2];
        const int source = max(standIn(z, n, level.rule), 0);
        sliceOffsets[thread] = static_cast<unsigned>(source) * static_cast<unsigned>(level.in.sliceStride);
    };
#pragma unroll 1
    for (int i = Threads - 1 - thread; i < Shape::kRowSamples + kStageRows; i += Threads) {
        const int row = i - Shape::kRowSamples, axis = row < 0 ? 0 : 1, n = level.samples[axis], at = row < 0 ? left + i : top + row;
        const int source = axis == 0 && (i < kPad || i >= columns) ? kNothing : standIn(at, n, level.rule);
        columnOffsets[i] = source < 0 ? kNothing : axis == 1 ? source * static_cast<int>(level.in.rowStride) : source;
    }
    findSlices();
    const bool aligned = ((level.in.rowStride | level.in.sliceStride | left) & (Width - 1)) == 0 &&
                         (reinterpret_cast<std::uintptr_t>(level.in.data) & (Width * sizeof(float) - 1)) == 0;
    const int across = (columns + Width - 1) / Width, innerFrom = min(left < 0 ? (-left + Width - 1) / Width : 0, across);
    const int inner = aligned ? max(0, min((level.samples[0] - left) / Width, across) - innerFrom) : 0;
    const int outer = max(columns - inner * Width, 0);
    const float perInner = __fdividef(1, static_cast<float>(max(inner, 1))), perOuter = __fdividef(1, static_cast<float>(max(outer, 1)));
    __syncthreads();
    // What can be done while the level before ends: most of what this one reads is written by then, but much of it has left the level-2
    // cache, into which it is asked back. Nothing of it is looked at yet.
    if constexpr (Ahead) {
        constexpr int kLine = 32, kLines = (Shape::kRowSamples - 2) / kLine + 2;  // floats
        const int from = max(2 * z0 + first + (level.early ? 0 : kSlices), 0),
                  slices = min(2 * zEnd + first + Taps - 2, level.samples[2]) - from;
#pragma unroll 1
        for (int i = thread; i < kLines * kStageRows * slices; i += Threads) {
            const int row = i / kLines % kStageRows, x = max(left, 0) + i % kLines * kLine;
            if (row >= rows || rowOffsets[row] < 0 || x >= min(left + columns, level.samples[0])) continue;
            const float* const at =
                level.in.data + (static_cast<unsigned>(rowOffsets[row] + x) +
                                 static_cast<unsigned>(from + i / (kLines * kStageRows)) * static_cast<unsigned>(level.in.sliceStride));
            asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
        }
    }
    if (level.fills) fillMosaic(level, y0, height, z0, zEnd - z0);
    awaitEarlierKernels();

    const auto column = [&](auto vectorOf, int column, int row, int offset) {
        using Vector = decltype(vectorOf);
        constexpr int kWidth = static_cast<int>(sizeof(Vector) / sizeof(float));
        union Samples {
            Vector vector;
            float each[kWidth];
        };
        Samples samples[kSlices];
        const unsigned from = static_cast<unsigned>(max(offset, 0));
#pragma unroll
        for (int s = 0; s < kSlices; ++s) samples[s].vector = *reinterpret_cast<const Vector*>(level.in.data + (from + sliceOffsets[s]));
        const int front = 2 * z0 + first;
        const bool gone = level.rule == ExtensionRule::zero && (front < 0 || front + kSlices > level.samples[2]);
        if (gone || offset < 0) {
#pragma unroll
            for (int s = 0; s < kSlices; ++s)
                if (offset < 0 || static_cast<unsigned>(front + s) >= static_cast<unsigned>(level.samples[2])) samples[s].vector = Vector{};
        }
        float* const to = stage + row * kStagePitch + column;
#pragma unroll
        for (int d = 0; d < Depth; ++d) {
            Samples lo, hi;
#pragma unroll
            for (int v = 0; v < kWidth; ++v) {
                lo.each[v] = hi.each[v] = 0;
#pragma unroll
                for (int k = 0; k < Taps; ++k) {
                    lo.each[v] = fmaf(filters.lo[k], samples[2 * d + k].each[v], lo.each[v]);
                    hi.each[v] = fmaf(filters.hi[k], samples[2 * d + k].each[v], hi.each[v]);
                }
            }
            *reinterpret_cast<Vector*>(to + d * kPlane) = lo.vector;
            *reinterpret_cast<Vector*>(to + (Depth + d) * kPlane) = hi.vector;
        }
    };
    /// The samples of a box along z: vectors within the volume, and single columns beside them.
    const auto alongZ = [&] {
#pragma unroll 1
        for (int i = thread; i < inner * rows; i += Threads) {
            const int row = static_cast<int>((static_cast<float>(i) + 0.5F) * perInner), at = (i - row * inner + innerFrom) * Width;
            const int offset = rowOffsets[row];
            column(ZFirstVector<Width>{}, at, row, offset < 0 ? offset : offset + left + at);
        }
#pragma unroll 1
        for (int i = Threads - 1 - thread; i < outer * rows; i += Threads) {
            const int row = static_cast<int>((static_cast<float>(i) + 0.5F) * perOuter);
            int at = i - row * outer;
            if (at >= innerFrom * Width) at += inner * Width;
            const int offset = rowOffsets[row], beside = columnOffsets[at];
            column(float{}, at, row, offset < 0 || beside < 0 ? kNothing : offset + beside);
        }
    };
    const int groups = (width + Group - 1) / Group;
    /// Rows of all planes along x: neighbouring threads have neighbouring rows.
    const auto alongX = [&] {
        constexpr int kAllRows = kPlanes * kStageRows;
#pragma unroll 1
        for (int i = thread; i < groups * kAllRows; i += Threads) {
            const int group = i / kAllRows, row = i % kAllRows;
            const float* const source = stage + row * kStagePitch + 2 * Group * group;
            float* const result = middle + row * kMiddlePitch + Group * group;
            float samples[Shape::kGroupWords], lo[Group], hi[Group];
#pragma unroll
            for (int w = 0; w < Shape::kGroupWords; w += 4) {
                const float4 four = *reinterpret_cast<const float4*>(source + w);
                samples[w] = four.x, samples[w + 1] = four.y, samples[w + 2] = four.z, samples[w + 3] = four.w;
            }
            analyse<Taps, Group>(filters, samples + kPad, lo, hi);
#pragma unroll
            for (int r = 0; r < Group; r += 4) {
                *reinterpret_cast<float4*>(result + r) = make_float4(lo[r], lo[r + 1], lo[r + 2], lo[r + 3]);
                *reinterpret_cast<float4*>(result + Columns + r) = make_float4(hi[r], hi[r + 1], hi[r + 2], hi[r + 3]);
            }
        }
    };
    /// Columns of all planes along y, which are the coefficients from z on. Strides fit in 31 bits.
    const int rowStride = static_cast<int>(level.out.rowStride), sliceStride = static_cast<int>(level.out.sliceStride);
    const int corner = y0 * rowStride + x0, lowSlice = static_cast<int>(level.outLow.sliceStride);
    const int lowCorner = y0 * static_cast<int>(level.outLow.rowStride) + x0;
    const auto alongY = [&](int z, int depth) {
#pragma unroll 1
        for (int i = thread; i < kPlanes * 2 * Columns; i += Threads) {
            const int plane = i / (2 * Columns), column = i % (2 * Columns), d = plane % Depth;
            const bool detailX = column >= Columns, detailZ = plane >= Depth, approximation = !detailX && !detailZ;
            const int x = detailX ? column - Columns : column;
            if (x >= width || d >= depth) continue;
            constexpr int kWords = 2 * Rows - 2 + Taps;
            float samples[kWords], lo[Rows], hi[Rows];
            const float* const source = middle + plane * (kStageRows * kMiddlePitch) + column;
#pragma unroll
            for (int w = 0; w < kWords; ++w) samples[w] = source[w * kMiddlePitch];
            analyse<Taps, Rows>(filters, samples, lo, hi);
            const int slice = z + d, lowAt = lowCorner + slice * lowSlice + x;
            const int at = corner + (slice + (detailZ ? level.detail[2] : 0)) * sliceStride + x + (detailX ? level.detail[0] : 0);
            if (height == Rows) {
                if (approximation) {
#pragma unroll
                    for (int r = 0; r < Rows; ++r) out.apart[r][lowAt] = lo[r];
                } else {
#pragma unroll
                    for (int r = 0; r < Rows; ++r) out.low[r][at] = lo[r];
                }
#pragma unroll
                for (int r = 0; r < Rows; ++r) out.high[r][at] = hi[r];
            } else {
#pragma unroll
                for (int r = 0; r < Rows; ++r) {
                    if (r >= height) continue;
                    *(approximation ? out.apart[r] + lowAt : out.low[r] + at) = lo[r];
                    out.high[r][at] = hi[r];
                }
            }
        }
    };
    const int zBegin = z0;
    // The columns of one box while those of the box before are filtered along y.
    for (bool begun = false;; begun = true) {
        if (z0 < zEnd) alongZ();
        if (begun) alongY(z0 - Depth, min(Depth, zEnd - z0 + Depth));
        if (z0 >= zEnd) break;
        __syncthreads();
        alongX();
        z0 += Depth;
        findSlices();
        __syncthreads();
    }
    if (level.fills && x0 + Columns >= level.count[0]) fillBehind(level, y0, height, zBegin, zEnd - zBegin);
}

/// `Tuning`: threads, columns, rows and depth of a box, blocks, vector.
template <int Taps, ZForwardTuning Tuning>
struct ZFirstForward {
    static constexpr auto kKernel = &zFirstForwardKernel<Taps, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.depth, Tuning.blocks,
                                                         Tuning.vector, Tuning.group, Tuning.ahead>;
    static constexpr int kSharedBytes =
        ZFirstForwardShape<Taps, Tuning.columns, Tuning.rows, Tuning.depth, Tuning.vector, Tuning.group>::kSharedBytes;

    /// May it begin early?
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
        const int parts =
            level.chunks > 0 ? std::min(level.chunks, boxes) : partsOf(grid.blocks(), boxes, level.multiprocessors * Tuning.blocks);
        grid.chunk = (boxes + parts - 1) / parts * Tuning.depth;
        grid.chunks = (level.count[2] + grid.chunk - 1) / grid.chunk;
        AnalysisFilters<Taps> filters;
        std::reverse_copy(level.lo, level.lo + Taps, filters.lo);
        std::reverse_copy(level.hi, level.hi + Taps, filters.hi);
        ZFirstRows<Tuning.rows> out;
        for (int r = 0; r < Tuning.rows; ++r) {
            out.low[r] = level.out.data + r * level.out.rowStride;
            out.high[r] = out.low[r] + level.detail[1] * level.out.rowStride;
            out.apart[r] = level.outLow.data + r * level.outLow.rowStride;
        }
        const dim3 blocks(static_cast<unsigned>(grid.across), static_cast<unsigned>(grid.down), static_cast<unsigned>(grid.chunks));
        launchFused(kKernel, blocks, Tuning.threads, kSharedBytes, stream, level.early, level, grid, out, filters);
    }

private:
    /// How many parts along z: blocks run in waves of as many as the device holds.
    static int partsOf(std::int64_t tiles, int boxes, int blocksAtOnce) {
        int best = 1;
        double least = std::numeric_limits<double>::infinity();
        for (int parts = 1; parts <= std::min(boxes, 64); ++parts) {
            const auto waves = static_cast<double>((tiles * parts + blocksAtOnce - 1) / blocksAtOnce);
            const double cost = waves * ((boxes + parts - 1) / parts + kZFirstStartBoxes);
            if (cost < least) least = cost, best = parts;
        }
        return best;
    }
};

}  // namespace parallax::gpu
