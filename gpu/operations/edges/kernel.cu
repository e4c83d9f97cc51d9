// SPDX-License-Identifier: GPL-3.0-or-later
// A thread takes four columns and some rows. It loads these samples and those around them through L1 and filters them along x and y; across
// slices it marches along z, and keeps what the last two slices gave in registers.
#include <cstdint>

#include "gpu/operations/edges/kernel.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

constexpr int kLanes = 32, kWarps = 4;  ///< of a block: a lane has four columns, a warp some rows
constexpr int kColumns = 4;
constexpr int kBlocks = 5;  ///< must fit on a multiprocessor: with four it waits for memory, with six registers spill
/// Rows of a thread, and slices of a block. Neighbours load the rows and slices at the ends again.
template <bool AcrossSlices>
constexpr int kRows = AcrossSlices ? 2 : 8;
template <bool AcrossSlices>
constexpr int kSlices = AcrossSlices ? 32 : 1;

/// Where the samples of a block and those around them come from; negative: the border value.
template <bool AcrossSlices>
struct Maps {
    int columns[kLanes * kColumns + 2];
    std::int64_t rows[kWarps * kRows<AcrossSlices> + 2];  ///< offsets in a slice
    std::int64_t slices[kSlices<AcrossSlices> + 2];       ///< offsets in the channel
};

/// Where the samples of a thread and those around them come from.
struct Places {
    const int* columns;  ///< entries of Maps, from the column and row before the first on
    const std::int64_t* rows;
    bool plain;  ///< none is the border value, and four columns are one load
};

/// Smoothing and derivative along one axis. The derivative has a weight of 0 in the middle, through which NaN and infinity pass.
__device__ __forceinline__ float smoothed(float before, float at, float after, const EdgeWeights& w) {
    return w.side * before + (w.side * after + w.middle * at);
}
__device__ __forceinline__ float derivative(float before, float at, float after) { return (after - before) + 0.0F * at; }

/// A row of the input, filtered along x.
struct RowTaps {
    float smooth[kColumns], derivative[kColumns];
};
/// A slice, filtered along x and y: smoothed along both, and the derivatives along x and y, smoothed along the other.
struct SliceTaps {
    float smooth[kColumns], alongX[kColumns], alongY[kColumns];
};

/// Samples of a row: four and one on either side.
struct RowSamples {
    float v[kColumns + 2];
};
/// `slice`: nullptr outside of the volume.
template <int Rows>
__device__ __forceinline__ void load(RowSamples (&samples)[Rows], const EdgesLaunch& l, const float* slice, const Places& places) {
    if (slice && places.plain) {
        const int before = places.columns[0], first = places.columns[1], after = places.columns[kColumns + 1];
#pragma unroll
        for (int j = 0; j < Rows; ++j) {
            const float* const row = slice + places.rows[j];
            const float4 own = __ldg(reinterpret_cast<const float4*>(row + first));
            samples[j] = {{__ldg(row + before), own.x, own.y, own.z, own.w, __ldg(row + after)}};
        }
        return;
    }
#pragma unroll
    for (int j = 0; j < Rows; ++j)
#pragma unroll
        for (int i = 0; i < kColumns + 2; ++i)
            samples[j].v[i] =
                slice && places.rows[j] >= 0 && places.columns[i] >= 0 ? __ldg(slice + places.rows[j] + places.columns[i]) : l.borderValue;
}

__device__ __forceinline__ RowTaps tapsOfRow(const EdgesLaunch& l, const RowSamples& s) {
    RowTaps taps;
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
        const float before = kEdgeScale * s.v[c], at = kEdgeScale * s.v[c + 1], after = kEdgeScale * s.v[c + 2];
        taps.smooth[c] = smoothed(before, at, after, l.weights);
        taps.derivative[c] = derivative(before, at, after);
    }
    return taps;
}

/// Taps of `Rows` rows in a slice.
template <int Rows>
__device__ __forceinline__ void tapsOfSlice(SliceTaps (&taps)[Rows], const EdgesLaunch& l, const float* slice, const Places& places) {
    RowSamples samples[Rows + 2];
    load(samples, l, slice, places);
    RowTaps row[3];
#pragma unroll
    for (int j = 0; j < Rows + 2; ++j) {
        row[j % 3] = tapsOfRow(l, samples[j]);
        if (j < 2) continue;
        const RowTaps &before = row[(j - 2) % 3], &at = row[(j - 1) % 3], &after = row[j % 3];
#pragma unroll
        for (int c = 0; c < kColumns; ++c) {
            taps[j - 2].smooth[c] = smoothed(before.smooth[c], at.smooth[c], after.smooth[c], l.weights);
            taps[j - 2].alongX[c] = smoothed(before.derivative[c], at.derivative[c], after.derivative[c], l.weights);
            taps[j - 2].alongY[c] = derivative(before.smooth[c], at.smooth[c], after.smooth[c]);
        }
    }
}

/// Root of 0, of a number from 1 to 12, of infinity or NaN: a Newton step after the approximation of the device, without a branch.
__device__ __forceinline__ float root(float square) {
    const float inverse = rsqrtf(square + 0x1p-126F), first = square * inverse;
    const float result = first + (square - first * first) * (0.5F * inverse);
    return square > 0x1p100F ? square : result;
}

/// Squares would leave the range of float: components are divided by the power of two in the largest one, from 2^-126 to 2^126, so that
/// its inverse is a normal number as well.
template <int Components>
__device__ __forceinline__ float magnitude(const float (&g)[Components]) {
    float largest = 0x1p-126F, square = 0;
#pragma unroll
    for (const float one : g) largest = fmaxf(largest, fabsf(one));
    const float power = fminf(__int_as_float(__float_as_int(largest) & 0x7f800000), 0x1p126F);
    const float inverse = __int_as_float((254 << 23) - __float_as_int(power));
#pragma unroll
    for (const float one : g) square += (one * inverse) * (one * inverse);
    return root(square) * power * kEdgeInverseScale;
}

__device__ __forceinline__ void store(float* to, bool vector, int columns, const float (&result)[kColumns]) {
    if (vector) {
        *reinterpret_cast<float4*>(to) = make_float4(result[0], result[1], result[2], result[3]);
        return;
    }
#pragma unroll
    for (int c = 0; c < kColumns; ++c)
        if (c < columns) to[c] = result[c];
}

/// The blocks of a channel are numbered along x, then y, then z.
template <bool AcrossSlices>
__global__ void __launch_bounds__(kLanes* kWarps, kBlocks) edgesKernel(EdgesLaunch l, int blocksAlongX, int blocksAlongY, bool aligned) {
    constexpr int rows = kRows<AcrossSlices>, slices = kSlices<AcrossSlices>;
    __shared__ Maps<AcrossSlices> maps;
    const int number = static_cast<int>(blockIdx.x), lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
    const Shape& shape = l.in.shape;
    const std::int64_t x0 = std::int64_t{number % blocksAlongX} * kLanes * kColumns;
    const std::int64_t y0 = std::int64_t{number / blocksAlongX % blocksAlongY} * kWarps * rows;
    const std::int64_t z0 = std::int64_t{number / blocksAlongX / blocksAlongY} * slices;
    for (int i = warp * kLanes + lane; i < kLanes * kColumns + 2; i += kWarps * kLanes)
        maps.columns[i] = static_cast<int>(borderIndex(x0 + i - 1, shape.width, l.border));
    const auto offset = [](std::int64_t index, std::int64_t stride) { return index < 0 ? -1 : index * stride; };
    for (int i = lane; i < kWarps * rows + 2 && warp == 0; i += kLanes)
        maps.rows[i] = offset(borderIndex(y0 + l.top + i - 1, shape.height, l.border), l.in.rowStride);
    for (int i = lane; i < slices + 2 && warp == 1; i += kLanes)
        maps.slices[i] = offset(borderIndex(z0 + i - 1, shape.depth, l.border), l.in.sliceStride);
    __syncthreads();

    const std::int64_t x = x0 + lane * kColumns, y = y0 + warp * rows;
    const int columnsLeft = static_cast<int>(min(shape.width - x, std::int64_t{kColumns}));
    const int rowsLeft = static_cast<int>(min(l.out.shape.height - y, std::int64_t{rows}));
    const int slicesLeft = static_cast<int>(min(shape.depth - z0, std::int64_t{slices}));
    if (columnsLeft <= 0 || rowsLeft <= 0) return;
    const bool vectors = aligned && columnsLeft == kColumns;
    Places places{maps.columns + lane * kColumns, maps.rows + warp * rows, vectors};
    places.plain = places.plain && places.columns[0] >= 0 && places.columns[kColumns + 1] >= 0;
#pragma unroll
    for (int j = 0; j < rows + 2; ++j) places.plain = places.plain && places.rows[j] >= 0;

    SliceTaps before[rows], at[rows], after[rows];
    const auto filter = [&](SliceTaps(&taps)[rows], int slice) {
        const std::int64_t from = maps.slices[slice];
        tapsOfSlice(taps, l, from < 0 ? nullptr : l.in.data + from, places);
    };
    if constexpr (AcrossSlices) {
        filter(before, 0);
        filter(at, 1);
    }
    float* to = l.out.row(y, z0) + x;
    for (int i = 0; i < slicesLeft; ++i) {
        if constexpr (AcrossSlices) filter(after, i + 2);
        else filter(at, i + 1);
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            float result[kColumns];
#pragma unroll
            for (int c = 0; c < kColumns; ++c) {
                if constexpr (AcrossSlices)
                    result[c] = magnitude({smoothed(before[r].alongX[c], at[r].alongX[c], after[r].alongX[c], l.weights),
                                           smoothed(before[r].alongY[c], at[r].alongY[c], after[r].alongY[c], l.weights),
                                           derivative(before[r].smooth[c], at[r].smooth[c], after[r].smooth[c])});
                else result[c] = magnitude({at[r].alongX[c], at[r].alongY[c]});
            }
            if (r < rowsLeft) store(to + r * l.out.rowStride, vectors, columnsLeft, result);
        }
        to += l.out.sliceStride;
        if constexpr (AcrossSlices) {
#pragma unroll
            for (int r = 0; r < rows; ++r) {
                before[r] = at[r];
                at[r] = after[r];
            }
        }
    }
}

/// Whether every row begins at a multiple of 16 bytes.
template <class T>
bool hasAlignedRows(const View<T>& view) {
    return reinterpret_cast<std::uintptr_t>(view.data) % 16 == 0 && view.rowStride % kColumns == 0 && view.sliceStride % kColumns == 0;
}

template <bool AcrossSlices>
void launch(const EdgesLaunch& launch, cudaStream_t stream) {
    const auto blocks = [](std::int64_t samples, int each) { return (samples + each - 1) / each; };
    const Shape& shape = launch.out.shape;
    const std::int64_t alongX = blocks(shape.width, kLanes * kColumns), alongY = blocks(shape.height, kWarps * kRows<AcrossSlices>);
    const std::int64_t all = alongX * alongY * blocks(shape.depth, kSlices<AcrossSlices>);
    edgesKernel<AcrossSlices><<<static_cast<unsigned>(all), dim3(kLanes, kWarps), 0, stream>>>(
        launch, static_cast<int>(alongX), static_cast<int>(alongY), hasAlignedRows(launch.in) && hasAlignedRows(launch.out));
}

}  // namespace

void launchEdges(const EdgesLaunch& edges, bool acrossSlices, cudaStream_t stream) {
    if (acrossSlices) launch<true>(edges, stream);
    else launch<false>(edges, stream);
    checkLaunch("The kernel of edges could not be launched");
}

void preloadEdges() {
    preload(&edgesKernel<false>);
    preload(&edgesKernel<true>);
}

}  // namespace parallax::gpu
