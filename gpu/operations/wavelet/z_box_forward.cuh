// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned transform forward for coarse levels and small volumes: along z first, boxes.
#pragma once

#include <type_traits>

#include "parallax/gpu/operations/wavelet/fused_forward.cuh"

namespace parallax::gpu {

/// How the work of a block is laid out.
template <int Taps, int Columns, int Rows, int Depth, int Width>
struct ZBoxForwardShape {
    static constexpr int kSlices = 2 * Depth + Taps - 2, kStageRows = 2 * Rows + Taps - 2;  ///< of samples
    static constexpr int kPlanes = 2 * Depth;                                               ///< low, then high along z
    static constexpr int kPad = Width == 4 && Taps % 4 == 0 ? 2 : 0;   ///< samples on the left that make rows begin at a multiple of 4
    static constexpr int kGroupWords = (kPad + 6 + Taps + 3) / 4 * 4;  ///< that four coefficients along x are made from, and words beside
    static constexpr int kRowSamples = (kPad + 2 * Columns + Taps - 2 + Width - 1) / Width * Width;
    static constexpr int kRowWords = std::max(kRowSamples, 2 * Columns - 8 + kGroupWords);
    /// Words of a row. An odd multiple of 4: eight rows side by side meet different banks, 16 bytes each.
    static constexpr int kStagePitch = 4 * ((kRowWords + 3) / 4 | 1), kMiddlePitch = 4 * ((2 * Columns + 3) / 4 | 1);
    static constexpr int kPlane = kStageRows * kStagePitch;
    static constexpr int kStage = kPlanes * kPlane, kMiddle = kPlanes * kStageRows * kMiddlePitch;
    static constexpr int kSharedBytes = (kStage + kMiddle) * static_cast<int>(sizeof(float)) +
                                        kSlices * static_cast<int>(sizeof(std::int64_t)) +
                                        (kRowSamples + kStageRows) * static_cast<int>(sizeof(int));
    static_assert(Columns % 4 == 0 && Taps % 2 == 0 && (Width == 2 || Width == 4) && kSlices < 32);
};

template <int Width>
using BoxVector = std::conditional_t<Width == 1, float, std::conditional_t<Width == 2, float2, float4>>;

template <int Taps, int Threads, int Columns, int Rows, int Depth, int Blocks, int Width>
__global__ void __launch_bounds__(Threads, Blocks)
    zBoxForwardKernel(const FusedLevel level, const FusedGrid grid, const AnalysisFilters<Taps> filters) {
    using Shape = ZBoxForwardShape<Taps, Columns, Rows, Depth, Width>;
    constexpr int kPad = Shape::kPad, kStageRows = Shape::kStageRows, kStagePitch = Shape::kStagePitch, kSlices = Shape::kSlices,
                  kMiddlePitch = Shape::kMiddlePitch, kPlanes = Shape::kPlanes, kPlane = Shape::kPlane;
    constexpr int kBytes = static_cast<int>(sizeof(float));
    extern __shared__ float4 fusedMemory[];
    float* const stage = reinterpret_cast<float*>(fusedMemory);
    float* const middle = stage + Shape::kStage;
    std::int64_t* const sliceOffsets = reinterpret_cast<std::int64_t*>(middle + Shape::kMiddle);
    int* const columnOffsets = reinterpret_cast<int*>(sliceOffsets + kSlices);
    int* const rowOffsets = columnOffsets + Shape::kRowSamples;

    admitNextKernel();
    const int thread = static_cast<int>(threadIdx.x);
    const int x0 = static_cast<int>(blockIdx.x) % grid.across * Columns;
    const int y0 = static_cast<int>(blockIdx.x) / grid.across * Rows;
    const int z0 = static_cast<int>(blockIdx.y) * Depth;
    const int first = analysisShift(Taps, level.rule) - (Taps - 1);  // sample that coefficient 0 meets first
    const int left = 2 * x0 + first - kPad, top = 2 * y0 + first, front = 2 * z0 + first;
    const int width = min(Columns, level.count[0] - x0), height = min(Rows, level.count[1] - y0), depth = min(Depth, level.count[2] - z0);
    const int columns = kPad + 2 * width + Taps - 2, rows = 2 * height + Taps - 2;
    // What stands for slices, columns and rows: in bytes.
    constexpr int kTables = kSlices + Shape::kRowSamples + kStageRows;
#pragma unroll 1
    for (int i = thread; i < kTables; i += Threads) {
        const int column = i - kSlices, row = column - Shape::kRowSamples;
        const int axis = column < 0 ? 2 : row < 0 ? 0 : 1, n = level.samples[axis];
        const int at = axis == 2 ? front + i : axis == 0 ? left + column : top + row;
        int source = kNothing;
        if (static_cast<unsigned>(at) < static_cast<unsigned>(n)) source = at;
        else if (axis != 0 || (column >= kPad && column < columns)) source = sliceOutside(at, n, level.rule);
        if (axis == 2) sliceOffsets[i] = max(source, 0) * level.in.sliceStride * kBytes;
        else columnOffsets[column] = source < 0 ? kNothing : source * (axis == 1 ? static_cast<int>(level.in.rowStride) * kBytes : kBytes);
    }
    const bool aligned = ((level.in.rowStride | level.in.sliceStride | left) & (Width - 1)) == 0 &&
                         (reinterpret_cast<std::uintptr_t>(level.in.data) & (Width * sizeof(float) - 1)) == 0;
    const int across = (columns + Width - 1) / Width, innerFrom = min(left < 0 ? (-left + Width - 1) / Width : 0, across);
    const int inner = aligned ? max(0, min((level.samples[0] - left) / Width, across) - innerFrom) : 0;
    const int outer = max(columns - inner * Width, 0);
    // i / n for the few places of a tile.
    const auto reciprocal = [](int n) { return ((1U << 20) + static_cast<unsigned>(n)) / static_cast<unsigned>(max(n, 1)); };
    const unsigned perInner = reciprocal(inner), perOuter = reciprocal(outer);
    __syncthreads();
    // Are slices 0?
    const bool gone = level.rule == ExtensionRule::zero && (front < 0 || front + kSlices > level.samples[2]);
    awaitEarlierKernels();

    const auto alongZ = [&](auto vectorOf, int column, int row, int offset) {
        using Vector = decltype(vectorOf);
        constexpr int kWidth = static_cast<int>(sizeof(Vector) / sizeof(float));
        union Samples {
            Vector vector;
            float each[kWidth];
        };
        Samples samples[kSlices];
        const char* const data = reinterpret_cast<const char*>(level.in.data) + max(offset, 0);
#pragma unroll
        for (int s = 0; s < kSlices; ++s) samples[s].vector = *reinterpret_cast<const Vector*>(data + sliceOffsets[s]);
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
#pragma unroll 1
    for (int i = thread; i < inner * rows; i += Threads) {
        const int row = static_cast<int>(static_cast<unsigned>(i) * perInner >> 20), column = (i - row * inner + innerFrom) * Width;
        const int offset = rowOffsets[row];
        alongZ(BoxVector<Width>{}, column, row, offset < 0 ? offset : offset + (left + column) * kBytes);
    }
#pragma unroll 1
    for (int i = Threads - 1 - thread; i < outer * rows; i += Threads) {
        const int row = static_cast<int>(static_cast<unsigned>(i) * perOuter >> 20), at = i - row * outer;
        const int column = at < innerFrom * Width ? at : at + inner * Width, offset = rowOffsets[row], across = columnOffsets[column];
        alongZ(float{}, column, row, offset < 0 || across < 0 ? kNothing : offset + across);
    }
    __syncthreads();
    // Rows of all planes along x: neighbouring threads have neighbouring rows.
    constexpr int kAllRows = kPlanes * kStageRows;
    const int groups = (width + 3) / 4;
#pragma unroll 1
    for (int i = thread; i < groups * kAllRows; i += Threads) {
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
        *reinterpret_cast<float4*>(result + Columns) = make_float4(hi[0], hi[1], hi[2], hi[3]);
    }
    __syncthreads();
    // Columns of all planes along y.
#pragma unroll 1
    for (int i = thread; i < kPlanes * 2 * Columns; i += Threads) {
        const int plane = i / (2 * Columns), column = i % (2 * Columns), d = plane % Depth;
        const bool detailX = column >= Columns, detailZ = plane >= Depth;
        const int x = detailX ? column - Columns : column;
        if (x >= width || d >= depth) continue;
        constexpr int kWords = 2 * Rows - 2 + Taps;
        float samples[kWords], lo[Rows], hi[Rows];
        const float* const source = middle + plane * kStageRows * kMiddlePitch + column;
#pragma unroll
        for (int w = 0; w < kWords; ++w) samples[w] = source[w * kMiddlePitch];
        analyse<Taps, Rows>(filters, samples, lo, hi);
        float* to = level.out.data + (detailX ? level.detail[0] : 0) + x0 + x + y0 * level.out.rowStride +
                    (z0 + d + (detailZ ? level.detail[2] : 0)) * level.out.sliceStride;
        float* toHigh = to + level.detail[1] * level.out.rowStride;
        std::int64_t stride = level.out.rowStride;
        if (!detailX && !detailZ)
            to = level.outLow.data + x0 + x + y0 * level.outLow.rowStride + (z0 + d) * level.outLow.sliceStride,
            stride = level.outLow.rowStride;
        if (height == Rows) {
#pragma unroll
            for (int r = 0; r < Rows; ++r, to += stride, toHigh += level.out.rowStride) *to = lo[r], *toHigh = hi[r];
        } else {
#pragma unroll
            for (int r = 0; r < Rows; ++r, to += stride, toHigh += level.out.rowStride)
                if (r < height) *to = lo[r], *toHigh = hi[r];
        }
    }
    RowFills::write(level, x0 + Columns >= level.count[0], y0, height, z0, depth);
}

/// `Tuning`: threads, columns, rows and depth of a box, blocks, vector.
template <int Taps, ZBoxTuning Tuning>
struct ZBoxForward {
    static constexpr auto kKernel =
        &zBoxForwardKernel<Taps, Tuning.threads, Tuning.columns, Tuning.rows, Tuning.depth, Tuning.blocks, Tuning.vector>;
    static constexpr int kSharedBytes = ZBoxForwardShape<Taps, Tuning.columns, Tuning.rows, Tuning.depth, Tuning.vector>::kSharedBytes;

    /// May it begin early?
    static bool prepare() { return prepareFused(reinterpret_cast<const void*>(kKernel), kSharedBytes); }
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        FusedGrid grid;
        grid.across = (level.count[0] + Tuning.columns - 1) / Tuning.columns;
        grid.down = (level.count[1] + Tuning.rows - 1) / Tuning.rows;
        AnalysisFilters<Taps> filters;
        std::reverse_copy(level.lo, level.lo + Taps, filters.lo);
        std::reverse_copy(level.hi, level.hi + Taps, filters.hi);
        const dim3 blocks(static_cast<unsigned>(grid.blocks()), static_cast<unsigned>((level.count[2] + Tuning.depth - 1) / Tuning.depth));
        launchFused(kKernel, blocks, Tuning.threads, kSharedBytes, stream, level.early, level, grid, filters);
    }
};

}  // namespace parallax::gpu
