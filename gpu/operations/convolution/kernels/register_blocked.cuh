// SPDX-License-Identifier: GPL-3.0-or-later
// Square, odd, centred windows of compile-time size, full or separable. Each thread computes 4 columns x `rows` rows. It reads its input
// rows one after the other in 16-byte vectors from global memory (neighbours hit L1) and adds each to all outputs that need it, so that
// a sample is loaded once for all of its uses. Weights are kernel parameters, which multiply-adds read without a load. The separable
// kernel filters each input row once and adds the result to the outputs that need it: one pass over memory.
#pragma once

#include <type_traits>

#include "gpu/operations/convolution/kernels/kernel_parts.cuh"
#include "gpu/operations/convolution/kernels/tuning.hpp"

namespace parallax::gpu {

template <int K>
using WindowWeights = ParameterWeights<K * K>;

/// The part of an input row that 4 outputs need: columns x - R .. x + 3 + R, where R = K / 2.
template <int K>
struct RowSpan {
    static constexpr int kReach = K / 2;
    static constexpr int kSize = 4 + 2 * kReach;
    /// x - R is congruent to -R modulo 4: a piece up to a 16-byte boundary, then whole vectors.
    static constexpr int kHead = kReach % 4;
    float values[kSize];

    /// p points at column x - R; x is a multiple of 4 and rows are aligned to 16 bytes.
    __device__ __forceinline__ void load(const float* __restrict__ p) {
        if constexpr (kHead == 1) values[0] = __ldg(p);
        if constexpr (kHead == 2) pair(0, __ldg(reinterpret_cast<const float2*>(p)));
        if constexpr (kHead == 3) {
            // One aligned vector; its first element is not needed.
            const float4 v = __ldg(reinterpret_cast<const float4*>(p - 1));
            values[0] = v.y, values[1] = v.z, values[2] = v.w;
        }
#pragma unroll
        for (int i = kHead; i + 4 <= kSize - kHead; i += 4) quad(i, __ldg(reinterpret_cast<const float4*>(p + i)));
        constexpr int tail = kSize - kHead;
        if constexpr (kHead == 1) values[tail] = __ldg(p + tail);
        if constexpr (kHead == 2) pair(tail, __ldg(reinterpret_cast<const float2*>(p + tail)));
        if constexpr (kHead == 3) {
            const float4 v = __ldg(reinterpret_cast<const float4*>(p + tail));
            values[tail] = v.x, values[tail + 1] = v.y, values[tail + 2] = v.z;
        }
    }

    /// From a tile in shared memory: p, aligned to 16 bytes, points at column x - (R rounded up to 4).
    __device__ __forceinline__ void loadShared(const float* p) {
        constexpr int skip = (4 - kHead) % 4, end = skip + kSize;
#pragma unroll
        for (int i = 0; i < end; i += 4) {
            const float4 v = *reinterpret_cast<const float4*>(p + i);
            const float parts[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (i + j >= skip && i + j < end) values[i + j - skip] = parts[j];
        }
    }

    /// For any position: the samples of `columns`, where -1 is the constant. All loads can be in flight at once, whichever lanes are
    /// outside the image.
    __device__ __forceinline__ void gather(const float* __restrict__ row, const int (&columns)[kSize], bool outside, float borderValue) {
#pragma unroll
        for (int i = 0; i < kSize; ++i) {
            const float value = __ldg(row + max(columns[i], 0));
            values[i] = outside || columns[i] < 0 ? borderValue : value;
        }
    }

private:
    __device__ __forceinline__ void pair(int i, float2 v) { values[i] = v.x, values[i + 1] = v.y; }
    __device__ __forceinline__ void quad(int i, float4 v) {
        values[i] = v.x, values[i + 1] = v.y, values[i + 2] = v.z, values[i + 3] = v.w;
    }
};

template <int Rows>
struct Accumulators {
    float values[Rows][4];
    __device__ __forceinline__ Accumulators() {
#pragma unroll
        for (int o = 0; o < Rows; ++o)
#pragma unroll
            for (int j = 0; j < 4; ++j) values[o][j] = 0;
    }
    __device__ __forceinline__ float4 row(int o) const { return {values[o][0], values[o][1], values[o][2], values[o][3]}; }
};

/// Adds input row i of the thread (0 is the row R above its first output); i is a compile-time constant.
template <int K, int Rows>
__device__ __forceinline__ void accumulate(Accumulators<Rows>& sums, const RowSpan<K>& span, int i, const WindowWeights<K>& weights) {
#pragma unroll
    for (int u = 0; u < K; ++u)
#pragma unroll
        for (int o = 0; o < Rows; ++o) {
            const int v = i - o;
            if (v >= 0 && v < K) {
#pragma unroll
                for (int j = 0; j < 4; ++j) sums.values[o][j] = fmaf(weights[v * K + u], span.values[u + j], sums.values[o][j]);
            }
        }
}

/// The same in a loop over rows. Outputs that do not need the row are skipped rather than given a zero weight, since 0 times infinity is
/// NaN.
template <int K, int Rows>
__device__ __forceinline__ void accumulateRolled(Accumulators<Rows>& sums, const RowSpan<K>& span, int i, const WindowWeights<K>& weights) {
#pragma unroll
    for (int o = 0; o < Rows; ++o) {
        const int v = i - o;
        if (static_cast<unsigned>(v) < static_cast<unsigned>(K)) {
#pragma unroll
            for (int u = 0; u < K; ++u) {
                const float weight = weights[v * K + u];
#pragma unroll
                for (int j = 0; j < 4; ++j) sums.values[o][j] = fmaf(weight, span.values[u + j], sums.values[o][j]);
            }
        }
    }
}

/// The same for separable kernels: the row is filtered once for all outputs that need it.
template <int K>
__device__ __forceinline__ void filterRow(float (&filtered)[4], const RowSpan<K>& span, const FactorWeights<K>& weights) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        filtered[j] = 0;
#pragma unroll
        for (int u = 0; u < K; ++u) filtered[j] = fmaf(weights.row[u], span.values[u + j], filtered[j]);
    }
}
template <int K, int Rows>
__device__ __forceinline__ void accumulate(Accumulators<Rows>& sums, const RowSpan<K>& span, int i, const FactorWeights<K>& weights) {
    float filtered[4];
    filterRow<K>(filtered, span, weights);
#pragma unroll
    for (int o = 0; o < Rows; ++o) {
        const int v = i - o;
        if (v >= 0 && v < K) {
#pragma unroll
            for (int j = 0; j < 4; ++j) sums.values[o][j] = fmaf(weights.column[v], filtered[j], sums.values[o][j]);
        }
    }
}
template <int K, int Rows>
__device__ __forceinline__ void accumulateRolled(Accumulators<Rows>& sums, const RowSpan<K>& span, int i, const FactorWeights<K>& weights) {
    float filtered[4];
    filterRow<K>(filtered, span, weights);
#pragma unroll
    for (int o = 0; o < Rows; ++o) {
        const int v = i - o;
        if (static_cast<unsigned>(v) < static_cast<unsigned>(K)) {
            const float weight = weights.column[v];
#pragma unroll
            for (int j = 0; j < 4; ++j) sums.values[o][j] = fmaf(weight, filtered[j], sums.values[o][j]);
        }
    }
}

/// Arguments of the kernels below.
struct BlockedArguments {
    Planes planes;
    EdgeTable columns, rows;
    float borderValue, offset;
    bool streaming;
    bool aligned;         ///< rows of input and output begin at multiples of 16 bytes
    int inStep, outStep;  ///< bytes of a row if `aligned`: an address takes one instruction, with 64-bit strides five
    int prefetchRows;     ///< each block prefetches the rows that a block this much lower will need; 0: none
    explicit BlockedArguments(const ConvolutionLaunch& l, bool isAligned, int prefetch = 0)
        : planes(l.planes),
          columns(l.columns),
          rows(l.rows),
          borderValue(l.borderValue),
          offset(l.offset),
          streaming(l.streaming),
          aligned(isAligned),
          inStep(static_cast<int>(l.planes.inRowStride * 4)),
          outStep(static_cast<int>(l.planes.outRowStride * 4)),
          prefetchRows(prefetch) {}
};

/// Column x of row y.
template <class T>
__device__ __forceinline__ T* at(T* plane, int step, int x, int y) {
    using Byte = std::conditional_t<std::is_const_v<T>, const char, char>;
    return reinterpret_cast<T*>(reinterpret_cast<Byte*>(plane) + static_cast<std::int64_t>(y) * step) + x;
}

/// Prefetches rows for later blocks into the level-2 cache: each thread a line of 128 bytes of the block whose first new row is
/// `row`, prefetchRows lower.
template <int Columns, int Rows, int Threads>
__device__ __forceinline__ void prefetchAhead(const BlockedArguments& a, const float* in, int column, int row) {
    constexpr int line = 32, lines = Columns / line;
    static_assert(lines * Rows <= Threads, "one instruction: a loop cost as much as it gained");
    const int id = static_cast<int>(threadIdx.y) * kWarp + static_cast<int>(threadIdx.x);
    const int x = column + id % lines * line, y = row + a.prefetchRows + id / lines;
    if (id < lines * Rows && y < a.planes.height && x < a.planes.width)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(at(in, a.inStep, x, y)));
}

/// Stores the outputs of a thread from row y on. `whole`: all of its rows; tests in each row cost a twentieth of all instructions of a
/// 7 x 7 window. (The compiler may split plain stores of a float4.)
template <int Rows>
__device__ __forceinline__ void storeResults(const BlockedArguments& a, Accumulators<Rows>& sums, bool whole, int y, float* out) {
    const std::int64_t stride = a.planes.outRowStride;
    if (a.offset != 0) {
#pragma unroll
        for (int o = 0; o < Rows; ++o)
#pragma unroll
            for (int j = 0; j < 4; ++j) sums.values[o][j] += a.offset;
    }
    if (whole && a.streaming) {
#pragma unroll
        for (int o = 0; o < Rows; ++o, out += stride) __stcs(reinterpret_cast<float4*>(out), sums.row(o));
    } else if (whole) {
#pragma unroll
        for (int o = 0; o < Rows; ++o, out += stride) __stwb(reinterpret_cast<float4*>(out), sums.row(o));
    } else {
#pragma unroll
        for (int o = 0; o < Rows; ++o, out += stride)
            if (y + o < a.planes.rowEnd) __stwb(reinterpret_cast<float4*>(out), sums.row(o));
    }
}

/// Up to this many input rows per thread the path at the edges is unrolled too, which doubles the code.
inline constexpr int kUnrolledEdgeRows = 12;

// Types, since nvcc does not accept values of class type as template arguments of kernels.
struct TinyKnobs {
    static constexpr DirectTuning value = kTinyTuning;
};
struct SmallKnobs {
    static constexpr DirectTuning value = kSmallTuning;
};
template <int K>
struct LargeKnobs {
    static constexpr DirectTuning value = directTuning(K);
};
template <int K, Fit F>
using DirectKnobs = std::conditional_t<F == Fit::tiny, TinyKnobs,
                                       std::conditional_t<F == Fit::small || K <= kLargestAlwaysSmallWindow, SmallKnobs, LargeKnobs<K>>>;

/// Far from the edges. p: the first sample that the thread needs.
template <int K, class Tuning, int Rows, class Weights>
__device__ __forceinline__ void filterInside(Accumulators<Rows>& sums, const float* p, std::int64_t rowStride, const Weights& weights) {
    constexpr DirectTuning tuning = Tuning::value;
    constexpr int inputRows = Rows + K - 1;
    if constexpr (tuning.unrollRows) {
        // A ring of rows: `ahead` of them are in flight while one is used.
        constexpr int ring = (tuning.ahead < inputRows ? tuning.ahead : inputRows - 1) + 1;
        RowSpan<K> spans[ring];
#pragma unroll
        for (int i = 0; i < ring - 1; ++i) spans[i].load(p + i * rowStride);
#pragma unroll
        for (int i = 0; i < inputRows; ++i) {
            if (i + ring - 1 < inputRows) spans[(i + ring - 1) % ring].load(p + (i + ring - 1) * rowStride);
            accumulate<K>(sums, spans[i % ring], i, weights);
        }
    } else {
        RowSpan<K> span, next;
        next.load(p);
#pragma unroll 1
        for (int i = 0; i < inputRows; ++i) {
            span = next;
            p += rowStride;
            if (i + 1 < inputRows) next.load(p);
            accumulateRolled<K>(sums, span, i, weights);
        }
    }
}

template <int K, class Tuning, class Weights>
__global__ void __launch_bounds__(kWarp* Tuning::value.warps, blocksThatFit(kWarp* Tuning::value.warps, Tuning::value.blocks))
    registerBlockedKernel(const __grid_constant__ BlockedArguments a, const __grid_constant__ Weights weights) {
    constexpr DirectTuning tuning = Tuning::value;
    constexpr int rows = tuning.rows, reach = K / 2, inputRows = rows + K - 1;
    constexpr int blockColumns = kWarp * 4, blockRows = rows * tuning.warps;
    const int blockX = static_cast<int>(blockIdx.x) * blockColumns;
    const int blockY = a.planes.rowBegin + static_cast<int>(blockIdx.y) * blockRows;
    const int x = blockX + 4 * static_cast<int>(threadIdx.x);
    const int y = blockY + rows * static_cast<int>(threadIdx.y);
    const std::int64_t rowStride = a.planes.inRowStride;
    const float* in = a.planes.in + blockIdx.z * a.planes.inSliceStride;
    // Recomputed, since keeping it would take two registers.
    const auto out = [&] { return at(a.planes.out + blockIdx.z * a.planes.outSliceStride, a.outStep, x, y); };

    if constexpr (tuning.prefetch > 0) prefetchAhead<blockColumns, blockRows, kWarp * tuning.warps>(a, in, blockX, blockY + reach);

    Accumulators<rows> sums;
    if (blockX >= reach && blockX + blockColumns + reach <= a.planes.width && blockY >= reach &&
        blockY + blockRows + reach <= a.planes.height) [[likely]] {  // adjacent code, which makes very short launches faster
        filterInside<K, Tuning>(sums, at(in, a.inStep, x - reach, y - reach), rowStride, weights);
        storeResults<rows>(a, sums, blockY + blockRows <= a.planes.rowEnd, y, out());
        return;
    }
    if (x >= a.planes.width || y >= a.planes.rowEnd) return;
    // At an edge. This path decides the time of images that do not fill the device, so it waits for nothing before its loads.
    int columns[RowSpan<K>::kSize];
#pragma unroll
    for (int i = 0; i < RowSpan<K>::kSize; ++i) columns[i] = a.columns.onLine(x - reach + i);
    const auto load = [&](RowSpan<K>& span, int i) {
        const int sourceY = a.rows.onLine(min(y - reach + i, a.planes.height + kEdgeReach - 1));
        span.gather(in + max(sourceY, 0) * rowStride, columns, sourceY < 0, a.borderValue);
    };
    if constexpr (inputRows <= kUnrolledEdgeRows) {
#pragma unroll
        for (int i = 0; i < inputRows; ++i) {
            RowSpan<K> span;
            load(span, i);
            accumulate<K>(sums, span, i, weights);
        }
    } else {
        RowSpan<K> span, next;
        load(next, 0);
#pragma unroll 1
        for (int i = 0; i < inputRows; ++i) {
            span = next;
            if (i + 1 < inputRows) load(next, i + 1);
            accumulateRolled<K>(sums, span, i, weights);
        }
    }
    storeResults<rows>(a, sums, false, y, out());
}

template <int K, class Weights>
Weights weightsOf(const ConvolutionLaunch& l) {
    if constexpr (std::is_same_v<Weights, FactorWeights<K>>) return factorWeights<K>(l);
    else return parameterWeights<K * K>(l);
}

template <int K, class Tuning, class Weights = WindowWeights<K>>
void launchTuned(const ConvolutionLaunch& l, cudaStream_t stream) {
    constexpr DirectTuning tuning = Tuning::value;
    constexpr int blockRows = tuning.rows * tuning.warps;
    const Weights weights = weightsOf<K, Weights>(l);
    forGrids(l, 4 * kWarp, blockRows, [&](const ConvolutionLaunch& part, dim3 grid) {
        // As far ahead as blocks run at the same time.
        const int wave = l.multiprocessors * tuning.blocks * tuning.prefetch / 2,
                  prefetchRows = divideUp(wave, static_cast<int>(grid.x)) * blockRows;
        registerBlockedKernel<K, Tuning, Weights>
            <<<grid, dim3(kWarp, tuning.warps), 0, stream>>>(BlockedArguments(part, true, prefetchRows), weights);
    });
}

template <int K, Fit F>
void RegisterBlocked<K, F>::launch(const ConvolutionLaunch& l, cudaStream_t stream) {
    launchTuned<K, DirectKnobs<K, F>>(l, stream);
}
template <int K, Fit F>
void RegisterBlocked<K, F>::preload(const ConvolutionLaunch&) {
    gpu::preload(&registerBlockedKernel<K, DirectKnobs<K, F>, WindowWeights<K>>);
}

template <int K, Fit F>
struct SeparableFitKnobs {
    static constexpr DirectTuning value = separableTuning(K, F);
};
template <int K, Fit F>
using SeparableKnobs = SeparableFitKnobs<K, K <= kLargestSeparableThatFits ? F : Fit::small>;

template <int K, Fit F>
void SeparableBlocked<K, F>::launch(const ConvolutionLaunch& l, cudaStream_t stream) {
    launchTuned<K, SeparableKnobs<K, F>, FactorWeights<K>>(l, stream);
}
template <int K, Fit F>
void SeparableBlocked<K, F>::preload(const ConvolutionLaunch&) {
    gpu::preload(&registerBlockedKernel<K, SeparableKnobs<K, F>, FactorWeights<K>>);
}

}  // namespace parallax::gpu
