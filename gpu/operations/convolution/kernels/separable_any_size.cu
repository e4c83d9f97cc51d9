// SPDX-License-Identifier: GPL-3.0-or-later
// Separable kernels of any size and anchor. A block computes 128 columns x 8 warps x `Rows` rows: its warps filter rows of input, which
// arrive by asynchronous copies, into shared memory; then each thread computes 4 columns x `Rows` rows from there. Columns that are too
// long for shared memory are processed in bands; the sums stay in registers.
#include <cuda_pipeline.h>

#include "gpu/operations/convolution/kernels/kernel_parts.cuh"
#include "gpu/operations/convolution/kernels/tuning.hpp"

namespace parallax::gpu {
namespace {

constexpr int kWarps = kSeparableAnySizeTuning.warps;
constexpr int kColumns = kWarp * 4;
constexpr int kSlots = 2;          ///< rows of input of a warp: one in use, one in flight
constexpr int kWeightsRoom = 128;  ///< per factor
static_assert(kEdgeReach >= 128 + kWarps * kSeparableAnySizeTuning.rows && kEdgeReach >= 2 * 128 + 4);

struct Arguments {
    Planes planes;
    EdgeTable columns, rows;
    const float *row, *column;
    int kernelWidth, kernelHeight, anchorX, anchorY;
    int band;   ///< window rows at a time
    int pitch;  ///< of a row of input in shared memory
    float borderValue, offset;
    bool vectorStores;
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
    const int blockX = static_cast<int>(blockIdx.x) * kColumns;
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
            *reinterpret_cast<float4*>(filtered + r * kColumns + 4 * lane) =
                filterRow(slots + slot * a.pitch + 4 * lane, rowWeights, a.kernelWidth);
            slot ^= 1;
        }
        __syncthreads();

        // Filtered row i of the thread is window row v0 + i - o of output o. Outputs that do not need it are skipped rather than given a
        // zero weight, since 0 times infinity is NaN.
        if (warp * Rows >= outputRows) continue;
        const float* p = filtered + warp * Rows * kColumns + 4 * lane;
        const float* w = columnWeights + v0;
        const int inputRows = Rows + bandRows - 1;
        const auto addChecked = [&](int i) {
            const float4 s = *reinterpret_cast<const float4*>(p + i * kColumns);
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
                const float4 s = *reinterpret_cast<const float4*>(p + i * kColumns);
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

/// Returns the shared memory that a block may have, at most so much that large devices have room for a second block.
int sharedLimit() {
    int device = 0, most = 0;
    check(cudaGetDevice(&device), "The current CUDA device could not be queried");
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "The shared memory of the device could not be queried");
    return std::min(most, kSeparableAnySizeTuning.sharedBytes);
}

template <int Rows>
void launchRows(const ConvolutionLaunch& l, cudaStream_t stream) {
    constexpr int blockRows = Rows * kWarps;
    Arguments a{.planes = l.planes,
                .columns = l.columns,
                .rows = l.rows,
                .row = l.rowWeights,
                .column = l.columnWeights,
                .kernelWidth = l.kernelWidth,
                .kernelHeight = l.kernelHeight,
                .anchorX = l.anchorX,
                .anchorY = l.anchorY,
                .band = 0,
                .pitch = kColumns + roundUp(l.kernelWidth, 4),  // threads read whole vectors up to here
                .borderValue = l.borderValue,
                .offset = l.offset,
                .vectorStores = false};
    const int fixed = 2 * kWeightsRoom + kWarps * kSlots * a.pitch;
    const int rowsThatFit = (sharedLimit() / static_cast<int>(sizeof(float)) - fixed) / kColumns;
    a.band = std::min(l.kernelHeight, rowsThatFit - blockRows + 1);
    const int bytes = static_cast<int>(sizeof(float)) * (fixed + (blockRows + a.band - 1) * kColumns);
    allowSharedMemory(reinterpret_cast<const void*>(&separableAnySizeKernel<Rows>), bytes);
    const Planes& p = l.planes;
    a.vectorStores =
        p.width % 4 == 0 && p.outRowStride % 4 == 0 && p.outSliceStride % 4 == 0 && reinterpret_cast<std::uintptr_t>(p.out) % 16 == 0;
    forGrids(p, blockRows, [&](const Planes& part) {
        a.planes = part;
        const dim3 grid(static_cast<unsigned>(divideUp(part.width, kColumns)),
                        static_cast<unsigned>(divideUp(part.rowEnd - part.rowBegin, blockRows)), static_cast<unsigned>(part.depth));
        separableAnySizeKernel<Rows><<<grid, dim3(kWarp, kWarps), static_cast<std::size_t>(bytes), stream>>>(a);
    });
}

/// Returns whether tall blocks would leave most of the device idle.
bool isSmall(const ConvolutionLaunch& l) { return blocksForEach(l, kColumns, kSeparableAnySizeTuning.rows * kWarps) < 2; }

}  // namespace

void launchSeparableAnySize(const ConvolutionLaunch& l, cudaStream_t stream) {
    if (isSmall(l)) launchRows<kSeparableAnySizeTuning.fewRows>(l, stream);
    else launchRows<kSeparableAnySizeTuning.rows>(l, stream);
}

void preloadSeparableAnySize(const ConvolutionLaunch& l) {
    preload(isSmall(l) ? reinterpret_cast<const void*>(&separableAnySizeKernel<kSeparableAnySizeTuning.fewRows>)
                       : reinterpret_cast<const void*>(&separableAnySizeKernel<kSeparableAnySizeTuning.rows>));
}

}  // namespace parallax::gpu
