// SPDX-License-Identifier: GPL-3.0-or-later
// Separable kernels of any size and anchor. A block computes 128 columns x 8 warps x `Rows` rows: its warps filter rows of input, which
// arrive by asynchronous copies, into shared memory; then each thread computes 4 columns x `Rows` rows from there. Columns that are too
// long for shared memory are processed in bands; the sums stay in registers.
#include <cuda_pipeline.h>

#include "gpu/operations/convolution/kernels/any_size.cuh"

namespace parallax::gpu {
namespace {

constexpr int kWarps = kSeparableAnySizeTuning.warps;
constexpr int kSlots = 2;          ///< rows of input of a warp: one in use, one in flight
constexpr int kWeightsRoom = 128;  ///< per factor
static_assert(kEdgeReach >= 128 + kWarps * kSeparableAnySizeTuning.rows && kEdgeReach >= 2 * 128 + 4);

// A structure of its own: as parts of ConvolutionLaunch the arguments make the kernel 5 % slower.
struct Arguments {
    Planes planes;
    EdgeTable columns, rows;
    const float *row, *column;
    int kernelWidth, kernelHeight, anchorX, anchorY;
    int band;   ///< window rows at a time
    int pitch;  ///< of a row of input in shared memory
    float borderValue, offset;
    bool vectorStores;
    Arguments(const ConvolutionLaunch& l, const AnySizeLayout& layout)
        : planes(l.planes),
          columns(l.columns),
          rows(l.rows),
          row(l.rowWeights),
          column(l.columnWeights),
          kernelWidth(l.kernelWidth),
          kernelHeight(l.kernelHeight),
          anchorX(l.anchorX),
          anchorY(l.anchorY),
          band(layout.band),
          pitch(layout.pitch),
          borderValue(l.borderValue),
          offset(l.offset),
          vectorStores(layout.vectorStores) {}
};

/// Starts the copy of input row y from column x0 on.
__device__ __forceinline__ void fetchRow(float* slot, const Arguments& a, const float* in, int x0, int y, int lane) {
    const int sourceY = a.rows.at(y);
    const float* source = in + (sourceY < 0 ? 0 : sourceY) * a.planes.inRowStride;
    for (int c = lane; c < a.pitch; c += kWarp) {
        const int x = sourceY < 0 ? -1 : a.columns.at(x0 + c);
        if (x < 0) slot[c] = a.borderValue;
        else __pipeline_memcpy_async(slot + c, source + x, sizeof(float));
    }
}

/// Computes 4 columns of a filtered row, four taps at a time: one 16-byte read of samples, one of weights.
__device__ __forceinline__ float4 filterRow(const float* samples, const float* weights, int kernelWidth) {
    float sums[4] = {0, 0, 0, 0};
    float4 current = *reinterpret_cast<const float4*>(samples);
    const int whole = kernelWidth & ~3;
    int u = 0;
#pragma unroll 2
    for (; u < whole; u += 4) {
        const float4 next = *reinterpret_cast<const float4*>(samples + u + 4);
        const float4 k = *reinterpret_cast<const float4*>(weights + u);
        const float s[7] = {current.x, current.y, current.z, current.w, next.x, next.y, next.z};
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            sums[j] = fmaf(k.x, s[j], sums[j]);
            sums[j] = fmaf(k.y, s[j + 1], sums[j]);
            sums[j] = fmaf(k.z, s[j + 2], sums[j]);
            sums[j] = fmaf(k.w, s[j + 3], sums[j]);
        }
        current = next;
    }
    const int rest = kernelWidth - whole;
    if (rest > 0) {
        const float4 next = *reinterpret_cast<const float4*>(samples + u + 4);
        const float s[6] = {current.x, current.y, current.z, current.w, next.x, next.y};
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            sums[j] = fmaf(weights[u], s[j], sums[j]);
            if (rest > 1) sums[j] = fmaf(weights[u + 1], s[j + 1], sums[j]);
            if (rest > 2) sums[j] = fmaf(weights[u + 2], s[j + 2], sums[j]);
        }
    }
    return {sums[0], sums[1], sums[2], sums[3]};
}

// One function, longer than others: made of smaller ones it is 5 % slower for 31 weights (H200).
template <int Rows>
__global__ void __launch_bounds__(kWarp* kWarps) separableAnySizeKernel(const __grid_constant__ Arguments a) {
    extern __shared__ __align__(16) float shared[];
    constexpr int blockRows = Rows * kWarps;
    float* const rowWeights = shared;
    float* const columnWeights = shared + kWeightsRoom;
    float* const slots = shared + 2 * kWeightsRoom + static_cast<int>(threadIdx.y) * kSlots * a.pitch;
    float* const filtered = shared + 2 * kWeightsRoom + kWarps * kSlots * a.pitch;
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
    const int thread = warp * kWarp + lane;
    const int blockX = static_cast<int>(blockIdx.x) * kAnySizeColumns;
    const int blockY = a.planes.rowBegin + static_cast<int>(blockIdx.y) * blockRows;
    const int outputRows = min(blockRows, a.planes.rowEnd - blockY);
    const float* in = a.planes.in + blockIdx.z * a.planes.inSliceStride;
    if (thread < a.kernelWidth) rowWeights[thread] = __ldg(a.row + thread);
    if (thread < a.kernelHeight) columnWeights[thread] = __ldg(a.column + thread);
    __syncthreads();

    float sums[Rows][4];
#pragma unroll
    for (int o = 0; o < Rows; ++o)
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[o][j] = 0;

    for (int v0 = 0; v0 < a.kernelHeight; v0 += a.band) {
        const int bandRows = min(a.band, a.kernelHeight - v0);
        if (v0 > 0) __syncthreads();  // all threads have read the previous band
        // Rows that only outputs beyond the end would need are skipped.
        const int rowCount = outputRows + bandRows - 1;
        const int x0 = blockX - a.anchorX, y0 = blockY - a.anchorY + v0;
        if (warp < rowCount) fetchRow(slots, a, in, x0, y0 + warp, lane);
        __pipeline_commit();
        int slot = 0;
        for (int r = warp; r < rowCount; r += kWarps) {
            __pipeline_wait_prior(0);
            __syncwarp();  // the row has arrived, and all lanes have read the other one
            if (r + kWarps < rowCount) fetchRow(slots + (slot ^ 1) * a.pitch, a, in, x0, y0 + r + kWarps, lane);
            __pipeline_commit();
            *reinterpret_cast<float4*>(filtered + r * kAnySizeColumns + 4 * lane) =
                filterRow(slots + slot * a.pitch + 4 * lane, rowWeights, a.kernelWidth);
            slot ^= 1;
        }
        __syncthreads();

        // Filtered row i of the thread is window row v0 + i - o of output o. Outputs that do not need it are skipped rather than given a
        // zero weight, since 0 times infinity is NaN.
        if (warp * Rows >= outputRows) continue;
        const float* p = filtered + warp * Rows * kAnySizeColumns + 4 * lane;
        const float* w = columnWeights + v0;
        const int inputRows = Rows + bandRows - 1;
        const auto addChecked = [&](int i) {
            const float4 s = *reinterpret_cast<const float4*>(p + i * kAnySizeColumns);
#pragma unroll
            for (int o = 0; o < Rows; ++o) {
                if (static_cast<unsigned>(i - o) >= static_cast<unsigned>(bandRows)) continue;
                const float k = w[i - o];
                sums[o][0] = fmaf(k, s.x, sums[o][0]);
                sums[o][1] = fmaf(k, s.y, sums[o][1]);
                sums[o][2] = fmaf(k, s.z, sums[o][2]);
                sums[o][3] = fmaf(k, s.w, sums[o][3]);
            }
        };
        int i = 0;
#pragma unroll 1
        for (; i < Rows - 1; ++i) addChecked(i);
        if (i < bandRows) {
            // Weights move on by one output per row, so one read serves all outputs.
            float k[Rows];
#pragma unroll
            for (int o = 0; o < Rows - 1; ++o) k[o] = w[Rows - 2 - o];
#pragma unroll Rows
            for (; i < bandRows; ++i) {
#pragma unroll
                for (int o = Rows - 1; o > 0; --o) k[o] = k[o - 1];
                k[0] = w[i];
                const float4 s = *reinterpret_cast<const float4*>(p + i * kAnySizeColumns);
#pragma unroll
                for (int o = 0; o < Rows; ++o) {
                    sums[o][0] = fmaf(k[o], s.x, sums[o][0]);
                    sums[o][1] = fmaf(k[o], s.y, sums[o][1]);
                    sums[o][2] = fmaf(k[o], s.z, sums[o][2]);
                    sums[o][3] = fmaf(k[o], s.w, sums[o][3]);
                }
            }
        }
#pragma unroll 1
        for (; i < inputRows; ++i) addChecked(i);
    }

    const int x = blockX + 4 * lane;
#pragma unroll
    for (int o = 0; o < Rows; ++o) {
        const int y = blockY + warp * Rows + o;
        if (y >= a.planes.rowEnd || x >= a.planes.width) return;
        float* out = a.planes.out + blockIdx.z * a.planes.outSliceStride + y * a.planes.outRowStride + x;
        if (a.vectorStores) {
            __stwb(reinterpret_cast<float4*>(out), float4{withOffset(sums[o][0], a.offset), withOffset(sums[o][1], a.offset),
                                                          withOffset(sums[o][2], a.offset), withOffset(sums[o][3], a.offset)});
        } else {
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (x + j < a.planes.width) out[j] = withOffset(sums[o][j], a.offset);
        }
    }
}

/// Calls f(output rows of a thread) with a compile-time constant: fewer where tall blocks would leave most of the device idle.
template <class F>
void withRows(const ConvolutionLaunch& l, F&& f) {
    constexpr int rows = kSeparableAnySizeTuning.rows, fewRows = kSeparableAnySizeTuning.fewRows;
    if (blocksForEach(l, kAnySizeColumns, rows * kWarps) < 2) f(std::integral_constant<int, fewRows>());
    else f(std::integral_constant<int, rows>());
}

}  // namespace

void SeparableAnySize::launch(const ConvolutionLaunch& l, cudaStream_t stream) {
    withRows(l, [&](auto rows) {
        constexpr int blockRows = rows() * kWarps;
        const int fixed = 2 * kWeightsRoom + kWarps * kSlots * AnySizeLayout::pitchOf(l);
        const int shared = std::min(maxSharedBytes(), kSeparableAnySizeTuning.sharedBytes);
        const int rowsThatFit = (shared / static_cast<int>(sizeof(float)) - fixed) / kAnySizeColumns;
        const AnySizeLayout layout(l, rowsThatFit - blockRows + 1);
        const int bytes = static_cast<int>(sizeof(float)) * (fixed + (blockRows + layout.band - 1) * kAnySizeColumns);
        allowSharedMemory(reinterpret_cast<const void*>(&separableAnySizeKernel<rows()>), bytes);
        forGrids(l, kAnySizeColumns, blockRows, [&](const ConvolutionLaunch& part, dim3 grid) {
            separableAnySizeKernel<rows()><<<grid, dim3(kWarp, kWarps), static_cast<std::size_t>(bytes), stream>>>(Arguments(part, layout));
        });
    });
}

void SeparableAnySize::preload(const ConvolutionLaunch& l) {
    withRows(l, [](auto rows) { gpu::preload(&separableAnySizeKernel<rows()>); });
}

}  // namespace parallax::gpu
