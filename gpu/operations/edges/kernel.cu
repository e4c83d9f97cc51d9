// SPDX-License-Identifier: GPL-3.0-or-later
// A thread takes a column of some rows. It loads three samples of each input row (of three slices), all through L1, and keeps what they
// give along x and z of the last three rows in registers.
#include <algorithm>

#include "gpu/operations/edges/kernel.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

constexpr int kThreads = 128, kRows = 8;

/// Smoothing and derivative along one axis. The derivative has a weight of 0 in the middle, through which NaN and infinity pass.
__device__ __forceinline__ float smoothed(float before, float at, float after, const EdgeWeights& w) {
    return w.side * before + (w.side * after + w.middle * at);
}
__device__ __forceinline__ float derivative(float before, float at, float after) { return (after - before) + 0.0F * at; }

/// Of three samples along x, in three dimensions of those of three slices: smoothed, and the derivatives along x and z.
struct RowTaps {
    float smooth, alongX, alongZ;
};

/// Columns around x, or -1 for the border value.
struct Columns {
    std::int64_t before, at, after;
};

__device__ __forceinline__ RowTaps rowOfSlice(const EdgesLaunch& l, const Columns& columns, std::int64_t y, std::int64_t z) {
    const bool outside = y < 0 || z < 0;
    const float* const row = outside ? nullptr : l.in.row(y, z);
    const auto sample = [&](std::int64_t x) { return kEdgeScale * (outside || x < 0 ? l.borderValue : row[x]); };
    const float before = sample(columns.before), at = sample(columns.at), after = sample(columns.after);
    return {smoothed(before, at, after, l.weights), derivative(before, at, after), 0};
}

template <bool AcrossSlices>
__device__ __forceinline__ RowTaps loadTaps(const EdgesLaunch& l, const Columns& columns, std::int64_t y, std::int64_t z) {
    y = borderIndex(y, l.in.shape.height, l.border);
    if constexpr (!AcrossSlices) {
        return rowOfSlice(l, columns, y, z);
    } else {
        const std::int64_t depth = l.in.shape.depth;
        const RowTaps before = rowOfSlice(l, columns, y, borderIndex(z - 1, depth, l.border)), at = rowOfSlice(l, columns, y, z),
                      after = rowOfSlice(l, columns, y, borderIndex(z + 1, depth, l.border));
        return {smoothed(before.smooth, at.smooth, after.smooth, l.weights), smoothed(before.alongX, at.alongX, after.alongX, l.weights),
                derivative(before.smooth, at.smooth, after.smooth)};
    }
}

/// Squares would leave the range of float: components are divided by the power of two in the largest one, from 2^-126 to 2^126, so that
/// its inverse is a normal number as well.
__device__ __forceinline__ float magnitude(float gx, float gy, float gz) {
    const float largest = fmaxf(fmaxf(fabsf(gx), fabsf(gy)), fabsf(gz));
    const float power = fminf(fmaxf(__int_as_float(__float_as_int(largest) & 0x7f800000), 0x1p-126F), 0x1p126F);
    const float inverse = 1 / power, x = gx * inverse, y = gy * inverse, z = gz * inverse;
    return sqrtf(x * x + y * y + z * z) * power * kEdgeInverseScale;
}

template <bool AcrossSlices>
__global__ void __launch_bounds__(kThreads) edgesKernel(EdgesLaunch l) {
    const std::int64_t x = std::int64_t{blockIdx.x} * kThreads + threadIdx.x, width = l.in.shape.width, height = l.out.shape.height;
    if (x >= width) return;
    const Columns columns{borderIndex(x - 1, width, l.border), x, borderIndex(x + 1, width, l.border)};
    const std::int64_t pieces = (height + kRows - 1) / kRows;
    for (std::int64_t piece = blockIdx.y; piece < pieces * l.in.shape.depth; piece += gridDim.y) {
        const std::int64_t z = piece / pieces, first = piece % pieces * kRows;
        const std::int64_t last = first + kRows < height ? first + kRows : height;
        RowTaps before = loadTaps<AcrossSlices>(l, columns, first + l.top - 1, z);
        RowTaps at = loadTaps<AcrossSlices>(l, columns, first + l.top, z);
        for (std::int64_t y = first; y < last; ++y) {
            const RowTaps after = loadTaps<AcrossSlices>(l, columns, y + l.top + 1, z);
            const float gx = smoothed(before.alongX, at.alongX, after.alongX, l.weights);
            const float gy = derivative(before.smooth, at.smooth, after.smooth);
            const float gz = AcrossSlices ? smoothed(before.alongZ, at.alongZ, after.alongZ, l.weights) : 0.0F;
            l.out.at(x, y, z) = magnitude(gx, gy, gz);
            before = at;
            at = after;
        }
    }
}

}  // namespace

void launchEdges(const EdgesLaunch& launch, bool acrossSlices, cudaStream_t stream) {
    const Shape& shape = launch.out.shape;
    const std::int64_t pieces = (shape.height + kRows - 1) / kRows * shape.depth;
    const dim3 grid(static_cast<unsigned>((shape.width + kThreads - 1) / kThreads),
                    static_cast<unsigned>(std::min<std::int64_t>(pieces, 65535)));
    if (acrossSlices) edgesKernel<true><<<grid, kThreads, 0, stream>>>(launch);
    else edgesKernel<false><<<grid, kThreads, 0, stream>>>(launch);
    checkLaunch("The kernel of edges could not be launched");
}

void preloadEdges() {
    preload(&edgesKernel<false>);
    preload(&edgesKernel<true>);
}

}  // namespace parallax::gpu
