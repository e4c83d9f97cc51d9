// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that are a column times a row, in one pass over memory. A warp walks down a strip of 128 columns. Rows of input are on
// their way to a ring in shared memory long before they are needed, by asynchronous copies that cost no registers; neighbours
// share nothing, so a warp waits for nobody but itself. Each lane filters 4 columns of the row that has arrived, keeps the last
// K results in registers and makes from them 4 columns of an output row: 2 K multiply-adds a sample, and every sample is
// fetched once but for the strip's margins, which neighbours read at the same time. The sum over columns first, then rows, is that of
// Podlozhnyuk (Image Convolution with CUDA, NVIDIA 2007), which needed two passes over memory; the walk with a window of rows is
// the 2.5-dimensional blocking of Micikevicius (3D finite difference computation on GPUs, 2009).
#pragma once

#include <cuda_pipeline.h>

#include "parallax/gpu/operations/convolution/register_blocked.cuh"

namespace parallax::gpu {

template <int K>
struct FactorWeights {
    float row[K], column[K];
};

struct SeparableArguments {
    Planes planes;
    EdgeTable columns, rows;
    float borderValue, offset;
    int stripRows;  ///< output rows of a warp
    int chunks;     ///< strips beside each other
    int strips;     ///< of the whole plane
    bool aligned;   ///< rows of input and output lie at multiples of 16 bytes, the width is a multiple of 4
    bool streaming;
};

/// Part of a row that a warp needs: 128 columns, and `lead` more on either side, whole vectors.
template <int K>
struct StripRow {
    static constexpr int kReach = K / 2;
    static constexpr int kLead = (kReach + 3) / 4 * 4;
    static constexpr int kPitch = kWarp * 4 + 2 * kLead;
};

/// Starts the copy of input row `y` (which may lie outside of the image), columns x0 - lead and on, to `slot`.
template <int K>
__device__ __forceinline__ void fetchStripRow(float* slot, const SeparableArguments& a, const float* in, int x0, int y, int lane) {
    using Row = StripRow<K>;
    const int sourceY = a.rows.at(y);
    if (sourceY < 0) {
        for (int c = lane; c < Row::kPitch; c += kWarp) slot[c] = a.borderValue;
        return;
    }
    const float* source = in + sourceY * a.planes.inRowStride;
    const auto element = [&](int c) {
        const int x = a.columns.at(x0 - Row::kLead + c);
        if (x < 0) slot[c] = a.borderValue;
        else __pipeline_memcpy_async(slot + c, source + x, sizeof(float));
    };
    if (a.aligned) {
#pragma unroll
        for (int first = 0; first < Row::kPitch; first += 4 * kWarp) {
            const int c = first + 4 * lane, x = x0 - Row::kLead + c;
            if (c >= Row::kPitch) break;
            if (x >= 0 && x + 4 <= a.planes.width) {
                __pipeline_memcpy_async(slot + c, source + x, sizeof(float4));
            } else {
#pragma unroll 1
                for (int j = 0; j < 4; ++j) element(c + j);
            }
        }
    } else {
#pragma unroll 1
        for (int c = lane; c < Row::kPitch; c += kWarp) element(c);
    }
}

template <int K>
struct StandardSeparableTuning {
    static constexpr SeparableTuning value = separableTuning(K);
};

template <int K, class Tuning>
__global__ void __launch_bounds__(kWarp* Tuning::value.warps, blocksThatFit(kWarp* Tuning::value.warps, Tuning::value.blocks))
    separableKernel(const __grid_constant__ SeparableArguments a, const __grid_constant__ FactorWeights<K> weights) {
    constexpr SeparableTuning tuning = Tuning::value;
    constexpr int stages = tuning.stages, pitch = StripRow<K>::kPitch, reach = K / 2;
    static_assert((stages & (stages - 1)) == 0 && stages >= 2);
    static_assert(kEdgeReach >= 4 * kWarp + StripRow<K>::kLead, "columns that no output needs are looked up as well");
    __shared__ __align__(16) float rings[tuning.warps][stages][pitch];
    __shared__ __align__(16) float exchange[tuning.warps][kWarp * 4];
    // Column weights in the order in which a strip is walked through: downwards, upwards. From here and not from the parameters,
    // since the order differs from warp to warp.
    constexpr int columnRoom = (K + 3) / 4 * 4;
    __shared__ __align__(16) float columnWeights[2][columnRoom];
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
    if (warp == 0 && lane < K) {
        columnWeights[0][lane] = weights.column[lane];
        columnWeights[1][K - 1 - lane] = weights.column[lane];
    }
    __syncthreads();
    const int id = static_cast<int>(blockIdx.x) * tuning.warps + warp;
    const int strip = id / a.chunks, x0 = (id - strip * a.chunks) * kWarp * 4;
    if (strip >= a.strips) return;  // the whole warp
    const int firstRow = a.planes.rowBegin + strip * a.stripRows;
    const int outputRows = min(a.stripRows, a.planes.rowEnd - firstRow), inputRows = outputRows + K - 1;
    // Every second strip is walked upwards: neighbours then read the rows that both need at the same time, when they set out or when
    // they arrive, and the second one finds them in the cache.
    const bool upwards = (strip & 1) != 0;
    const int firstInput = upwards ? firstRow + outputRows - 1 + reach : firstRow - reach;
    const float* in = a.planes.in + blockIdx.y * a.planes.inSliceStride;
    float* out =
        a.planes.out + blockIdx.y * a.planes.outSliceStride + (upwards ? firstRow + outputRows - 1 : firstRow) * a.planes.outRowStride + x0;
    const std::int64_t outStep = upwards ? -a.planes.outRowStride : a.planes.outRowStride;
    float(*ring)[pitch] = rings[warp];

    // Rows that do not exist are empty groups, so that the number of groups in flight is known to the compiler.
    const auto fetch = [&](int i) {
        if (i < inputRows) fetchStripRow<K>(ring[i & (stages - 1)], a, in, x0, upwards ? firstInput - i : firstInput + i, lane);
        __pipeline_commit();
    };
#pragma unroll 1
    for (int i = 0; i < stages - 1; ++i) fetch(i);

    float filtered[K][4];
#pragma unroll
    for (int v = 0; v < K; ++v)
#pragma unroll
        for (int j = 0; j < 4; ++j) filtered[v][j] = 0;

#pragma unroll 1
    for (int base = 0; base < inputRows; base += K) {
#pragma unroll
        for (int turn = 0; turn < K; ++turn) {
            const int i = base + turn;
            if (i >= inputRows) return;
            // Row i has arrived for every lane, and all lanes have read row i - 1, whose place is free now.
            __pipeline_wait_prior(stages - 2);
            __syncwarp();
            fetch(i + stages - 1);

            RowSpan<K> span;
            span.loadShared(ring[i & (stages - 1)] + 4 * lane);
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                float sum = 0;
#pragma unroll
                for (int u = 0; u < K; ++u) sum = fmaf(weights.row[u], span.values[u + j], sum);
                filtered[turn][j] = sum;
            }
            if (i < K - 1) continue;

            // The oldest of the K rows is the one after this in the ring.
            float column[columnRoom];
#pragma unroll
            for (int v = 0; v < columnRoom; v += 4) {
                const float4 w = *reinterpret_cast<const float4*>(&columnWeights[upwards ? 1 : 0][v]);
                column[v] = w.x, column[v + 1] = w.y, column[v + 2] = w.z, column[v + 3] = w.w;
            }
            float sums[4] = {0, 0, 0, 0};
#pragma unroll
            for (int v = 0; v < K; ++v)
#pragma unroll
                for (int j = 0; j < 4; ++j) sums[j] = fmaf(column[v], filtered[(turn + 1 + v) % K][j], sums[j]);
            const float4 result{sums[0] + a.offset, sums[1] + a.offset, sums[2] + a.offset, sums[3] + a.offset};
            if (a.aligned) {
                if (x0 + 4 * lane < a.planes.width) {
                    if (a.streaming) {
                        __stcs(reinterpret_cast<float4*>(out + 4 * lane), result);
                    } else {
                        *reinterpret_cast<float4*>(out + 4 * lane) = result;
                    }
                }
            } else {
                // By way of shared memory, so that 4-byte stores are coalesced. What was there has been read before the
                // synchronisation above.
                *reinterpret_cast<float4*>(exchange[warp] + 4 * lane) = result;
                __syncwarp();
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    if (x0 + j * kWarp + lane < a.planes.width) out[j * kWarp + lane] = exchange[warp][j * kWarp + lane];
            }
            out += outStep;
        }
    }
}

/// Rows of a strip: as many as leave every multiprocessor its warps, within what pays.
template <int K>
int stripRowsFor(const Planes& planes, int multiprocessors, const SeparableTuning& tuning) {
    const std::int64_t rows = planes.rowEnd - planes.rowBegin;
    const std::int64_t work = std::int64_t{divideUp(planes.width, 4 * kWarp)} * rows * planes.depth;
    const std::int64_t wanted = std::int64_t{multiprocessors} * tuning.warps * tuning.blocks / 2;
    const std::int64_t least = std::max(tuning.leastRows, K / 2 + 1);
    return static_cast<int>(std::clamp(work / std::max<std::int64_t>(wanted, 1), least, std::max<std::int64_t>(tuning.mostRows, least)));
}

template <int K, class Tuning>
void launchSeparableTuned(const ConvolutionLaunch& l, cudaStream_t stream) {
    constexpr SeparableTuning tuning = Tuning::value;
    FactorWeights<K> weights{};
    std::copy_n(l.hostRow, K, weights.row);
    std::copy_n(l.hostColumn, K, weights.column);
    const int stripRows = stripRowsFor<K>(l.planes, l.multiprocessors, tuning);
    forGrids(l.planes, stripRows, [&](const Planes& part) {
        const int chunks = divideUp(part.width, 4 * kWarp), strips = divideUp(part.rowEnd - part.rowBegin, stripRows);
        // Strips hold a part of an image that fits in memory, so their number stays far below 2^31.
        const dim3 grid(static_cast<unsigned>((std::int64_t{chunks} * strips + tuning.warps - 1) / tuning.warps),
                        static_cast<unsigned>(part.depth));
        separableKernel<K, Tuning>
            <<<grid, dim3(kWarp, tuning.warps), 0, stream>>>(SeparableArguments{part, l.columns, l.rows, l.borderValue, l.offset, stripRows,
                                                                                chunks, strips, rowsAreAligned(part), l.streaming},
                                                             weights);
    });
}

template <int K>
void launchSeparableSize(const ConvolutionLaunch& l, cudaStream_t stream) {
    launchSeparableTuned<K, StandardSeparableTuning<K>>(l, stream);
}
template <int K>
void preloadSeparableSize() {
    preload(reinterpret_cast<const void*>(&separableKernel<K, StandardSeparableTuning<K>>));
}

}  // namespace parallax::gpu
