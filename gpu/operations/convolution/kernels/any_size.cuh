// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the kernels for windows of any size, anchor and alignment (any_size.cu, separable_any_size.cu). A warp computes 128 columns, a
// thread 4 columns x some rows. Windows that are too high for shared memory are processed in bands of their rows.
#pragma once

#include "gpu/operations/convolution/kernels/kernel_parts.cuh"
#include "gpu/operations/convolution/kernels/tuning.hpp"

namespace parallax::gpu {

inline constexpr int kAnySizeColumns = kWarp * 4;  ///< of a block

/// Parameters of a kernel besides the launch.
struct AnySizeLayout {
    int pitch;  ///< of a row of input in shared memory: threads read whole vectors up to there
    int band;   ///< window rows at a time
    bool vectorStores;
    AnySizeLayout(const ConvolutionLaunch& l, int mostRows)
        : pitch(pitchOf(l)),
          band(std::min(l.kernelHeight, mostRows)),
          vectorStores(l.planes.outRowStride % 4 == 0 && l.planes.outSliceStride % 4 == 0 &&
                       reinterpret_cast<std::uintptr_t>(l.planes.out) % 16 == 0) {}
    static int pitchOf(const ConvolutionLaunch& l) { return kAnySizeColumns + roundUp(l.kernelWidth, 4); }
};

/// The sums of a thread.
template <int Rows>
using Sums = float[Rows][4];
template <int Rows>
__device__ __forceinline__ void clear(Sums<Rows>& sums) {
#pragma unroll
    for (int o = 0; o < Rows; ++o)
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[o][j] = 0;
}

/// Adds row i of the tile to the outputs that need it: output o takes window row i - o. With Checked, only if 0 <= i - o < bandRows.
/// Four taps at a time: one 16-byte read of samples serves all output rows, whose weights are 16-byte broadcasts. WeightsPitch, the
/// distance of the window's rows, is a constant, so that the weights of all output rows are read relative to one address.
template <bool Checked, int WeightsPitch, int Rows>
__device__ __forceinline__ void addRow(Sums<Rows>& sums, const float* row, const float* weights, int i, int bandRows, int kernelWidth) {
    float4 current = *reinterpret_cast<const float4*>(row);
    const int whole = kernelWidth & ~3;
    const float* w = weights + i * WeightsPitch;
    int u = 0;
#pragma unroll 2
    for (; u < whole; u += 4) {
        const float4 next = *reinterpret_cast<const float4*>(row + u + 4);
        const float s[7] = {current.x, current.y, current.z, current.w, next.x, next.y, next.z};
#pragma unroll
        for (int o = 0; o < Rows; ++o) {
            if (Checked && static_cast<unsigned>(i - o) >= static_cast<unsigned>(bandRows)) continue;
            const float4 k = *reinterpret_cast<const float4*>(w + u - o * WeightsPitch);
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                sums[o][j] = fmaf(k.x, s[j], sums[o][j]);
                sums[o][j] = fmaf(k.y, s[j + 1], sums[o][j]);
                sums[o][j] = fmaf(k.z, s[j + 2], sums[o][j]);
                sums[o][j] = fmaf(k.w, s[j + 3], sums[o][j]);
            }
        }
        current = next;
    }
    const int rest = kernelWidth - whole;
    if (rest == 0) return;
    const float4 next = *reinterpret_cast<const float4*>(row + u + 4);
    const float s[6] = {current.x, current.y, current.z, current.w, next.x, next.y};
#pragma unroll
    for (int o = 0; o < Rows; ++o) {
        if (Checked && static_cast<unsigned>(i - o) >= static_cast<unsigned>(bandRows)) continue;
        const float4 k = *reinterpret_cast<const float4*>(w + u - o * WeightsPitch);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            sums[o][j] = fmaf(k.x, s[j], sums[o][j]);
            if (rest > 1) sums[o][j] = fmaf(k.y, s[j + 1], sums[o][j]);
            if (rest > 2) sums[o][j] = fmaf(k.z, s[j + 2], sums[o][j]);
        }
    }
}

/// Stores the outputs of a thread from (x, y) on.
template <int Rows>
__device__ __forceinline__ void storeSums(const ConvolutionLaunch& a, bool vectorStores, const Sums<Rows>& sums, int x, int y) {
#pragma unroll
    for (int o = 0; o < Rows; ++o) {
        if (y + o >= a.planes.rowEnd || x >= a.planes.width) return;
        float* out = a.planes.out + blockIdx.z * a.planes.outSliceStride + (y + o) * a.planes.outRowStride + x;
        if (vectorStores) {
            __stwb(reinterpret_cast<float4*>(out), float4{withOffset(sums[o][0], a.offset), withOffset(sums[o][1], a.offset),
                                                          withOffset(sums[o][2], a.offset), withOffset(sums[o][3], a.offset)});
        } else {
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (x + j < a.planes.width) out[j] = withOffset(sums[o][j], a.offset);
        }
    }
}

}  // namespace parallax::gpu
