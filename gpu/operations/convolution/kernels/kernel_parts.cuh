// SPDX-License-Identifier: GPL-3.0-or-later
// Parts shared by the convolution kernels.
#pragma once

#include <algorithm>

#include "gpu/operations/convolution/kernels/launchers.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {

inline constexpr int kWarp = 32;

/// Threads per multiprocessor (CUDA C++ Programming Guide, technical specifications per compute capability).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
inline constexpr int kMultiprocessorThreads = 1024;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
inline constexpr int kMultiprocessorThreads = 1536;
#else
inline constexpr int kMultiprocessorThreads = 2048;
#endif

/// Blocks for __launch_bounds__: tuned for the largest multiprocessors, limited to what smaller ones can hold.
constexpr int blocksThatFit(int threads, int wanted) {
    const int most = kMultiprocessorThreads / threads;
    return wanted < most ? wanted : most;
}
/// Largest grid along y and z.
inline constexpr int kGridLimit = 65535;

constexpr int divideUp(int a, int b) { return (a + b - 1) / b; }
constexpr int roundUp(int a, int b) { return divideUp(a, b) * b; }

/// Weights in the parameters of the kernel, which are in the constant bank.
template <int Taps>
struct ParameterWeights {
    float values[Taps];
    __device__ __forceinline__ float operator[](int i) const { return values[i]; }
};
/// Weights in global memory, for windows that are too large for parameters.
struct GlobalWeights {
    const float* values;
    __device__ __forceinline__ float operator[](int i) const { return __ldg(values + i); }
};

/// Weights of a column and a row, in the parameters.
template <int K>
struct FactorWeights {
    float row[K], column[K];
};
template <int K>
FactorWeights<K> factorWeights(const ConvolutionLaunch& launch) {
    FactorWeights<K> weights{};
    std::copy_n(launch.hostRow, K, weights.row);
    std::copy_n(launch.hostColumn, K, weights.column);
    return weights;
}

template <int Taps>
ParameterWeights<Taps> parameterWeights(const ConvolutionLaunch& launch) {
    ParameterWeights<Taps> weights{};
    std::copy_n(launch.hostWeights, launch.taps(), weights.values);
    return weights;
}
/// Calls f with the weights of a window of any size: in the parameters if they fit.
template <class F>
void withWeights(const ConvolutionLaunch& launch, F&& f) {
    if (launch.taps() <= kParameterTaps) f(parameterWeights<kParameterTaps>(launch));
    else f(GlobalWeights{launch.weights});
}

/// Adds the offset unless it is 0, so that a sum of -0 keeps its sign on every path.
__device__ __forceinline__ float withOffset(float sum, float offset) { return offset != 0 ? sum + offset : sum; }

/// Calls enqueue(part of the launch, grid) for grids within the limits of the hardware.
template <class F>
void forGrids(const ConvolutionLaunch& launch, int columnsPerBlock, int rowsPerBlock, F&& enqueue) {
    const Planes& all = launch.planes;
    const int rowsAtOnce = static_cast<int>(std::min<std::int64_t>(all.rowEnd - all.rowBegin, std::int64_t{kGridLimit} * rowsPerBlock));
    for (int slice = 0; slice < all.depth; slice += kGridLimit)
        for (int row = all.rowBegin; row < all.rowEnd; row += rowsAtOnce) {
            ConvolutionLaunch part = launch;
            Planes& p = part.planes;
            p.in += slice * p.inSliceStride;
            p.out += slice * p.outSliceStride;
            p.depth = std::min(kGridLimit, p.depth - slice);
            p.rowBegin = row;
            p.rowEnd = std::min(p.rowEnd, row + rowsAtOnce);
            enqueue(part, dim3(static_cast<unsigned>(divideUp(p.width, columnsPerBlock)),
                               static_cast<unsigned>(divideUp(p.rowEnd - row, rowsPerBlock)), static_cast<unsigned>(p.depth)));
            checkLaunch("A convolution kernel could not be started");
        }
}

/// Loads a rectangle of the input, extended by the border mode, into shared memory: sample (x, y) goes to
/// tile[(y - y0) * pitch + x - x0]. Called by all threads of the block, which must synchronise afterwards.
__device__ __forceinline__ void loadTile(float* tile, int pitch, int columnCount, int rowCount, int x0, int y0, const float* in,
                                         const Planes& planes, const EdgeTable& columns, const EdgeTable& rows, float borderValue, int lane,
                                         int lanes, int warp, int warps) {
    const bool inside = x0 >= 0 && y0 >= 0 && x0 + columnCount <= planes.width && y0 + rowCount <= planes.height;
    if (inside) {
        for (int r = warp; r < rowCount; r += warps) {
            const float* source = in + (y0 + r) * planes.inRowStride + x0;
            for (int c = lane; c < columnCount; c += lanes) tile[r * pitch + c] = __ldg(source + c);
        }
        return;
    }
    for (int r = warp; r < rowCount; r += warps) {
        // Rows and columns that no output needs may be beyond the tables.
        const int y = rows.at(min(y0 + r, planes.height + kEdgeReach - 1));
        const float* source = in + (y < 0 ? 0 : y) * planes.inRowStride;
        for (int c = lane; c < columnCount; c += lanes) {
            const int x = columns.at(min(x0 + c, planes.width + kEdgeReach - 1));
            tile[r * pitch + c] = x < 0 || y < 0 ? borderValue : __ldg(source + x);
        }
    }
}

}  // namespace parallax::gpu
