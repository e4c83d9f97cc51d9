// SPDX-License-Identifier: GPL-3.0-or-later
// The launchers of the convolution kernels, one per variant. Compiles without nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/operations/convolution/borders.hpp"

namespace parallax::gpu {

/// Up to this many taps, weights are a kernel parameter, in the constant bank (a copy per launch, so that concurrent runs may use other
/// weights). Larger kernels read them from global memory.
inline constexpr int kParameterTaps = 32 * 32;

/// Reach of the tables of EdgeTable beyond either edge: the largest window plus the unused remainder of a tile.
inline constexpr int kEdgeReach = 128 + 256;

/// The border mode along one axis: maps an index outside the axis to one inside. If a linear function covers kEdgeReach, kernels compute
/// it, since a table costs each block at an edge a dependent load, a large part of the time of small images. Short axes need a table, which
/// the host fills by borderIndex().
struct EdgeTable {
    struct Line {
        int before = 0, after = 0, slope = 0;  ///< index i maps to slope * i + before or after; -1: the constant
        bool covers = false;
    };
    const int* before = nullptr;  ///< before[i] is the index for -1 - i, device memory
    const int* after = nullptr;   ///< after[i] is the index for n + i
    int n = 0;
    Line line{};

    /// For any border mode; `covers` is false if the mode is not linear.
    static constexpr Line lineOf(std::int64_t length, BorderMode rule) {
        const int n = static_cast<int>(length);
        const bool reaches = length > kEdgeReach, doubles = reaches && length <= kLongestLine;
        switch (rule) {
            case BorderMode::replicate: return {0, n - 1, 0, true};
            case BorderMode::constant: return {-1, -1, 0, true};
            case BorderMode::reflect: return {-1, doubles ? 2 * n - 1 : 0, -1, doubles};
            case BorderMode::reflect101: return {0, doubles ? 2 * n - 2 : 0, -1, doubles};
            case BorderMode::wrap: return {n, -n, 1, reaches};
        }
        return {};
    }
    /// For an axis beyond whose ends no sample is used.
    static constexpr EdgeTable unbounded(int n) { return {nullptr, nullptr, n, {-1, -1, 0, true}}; }

    static constexpr std::int64_t kLongestLine = std::int64_t{1} << 29;  ///< more than twice the length fits in an int

    /// Returns an index in [0, n), or -1 for the constant; i in [-kEdgeReach, n + kEdgeReach). Only if the line covers.
    PARALLAX_HOST_DEVICE constexpr int onLine(int i) const {
        if (static_cast<unsigned>(i) < static_cast<unsigned>(n)) return i;
        return line.slope * i + (i < 0 ? line.before : line.after);
    }
#if defined(__CUDACC__)
    /// The same by line or table.
    __device__ __forceinline__ int at(int i) const {
        if (line.covers || static_cast<unsigned>(i) < static_cast<unsigned>(n)) return onLine(i);
        return i < 0 ? __ldg(before + (-1 - i)) : __ldg(after + (i - n));
    }
#endif
};

/// Arguments of every kernel: all slices of a channel or, in an image, some channels, called slices below.
struct Planes {
    const float* in = nullptr;
    float* out = nullptr;
    std::int64_t inRowStride = 0, inSliceStride = 0, outRowStride = 0, outSliceStride = 0;
    int width = 0, height = 0, depth = 1;
    int rowBegin = 0, rowEnd = 0;  ///< output rows of this launch
};

/// Returns whether input and output can be accessed by vectors of 4 samples, and the bytes of a row fit in an int. The last vector of a row
/// may reach into its padding.
inline bool rowsAreAligned(const Planes& p) {
    constexpr std::int64_t most = std::int64_t{1} << 29;
    return p.inRowStride % 4 == 0 && p.inSliceStride % 4 == 0 && p.outRowStride % 4 == 0 && p.outSliceStride % 4 == 0 &&
           p.inRowStride < most && p.outRowStride < most && reinterpret_cast<std::uintptr_t>(p.in) % 16 == 0 &&
           reinterpret_cast<std::uintptr_t>(p.out) % 16 == 0;
}

struct ConvolutionLaunch {
    Planes planes;
    int kernelWidth = 1, kernelHeight = 1, anchorX = 0, anchorY = 0;
    BorderMode rule = BorderMode::replicate;
    float borderValue = 0, offset = 0;
    EdgeTable columns, rows;
    const float* weights = nullptr;      ///< device memory, row-major
    const float* hostWeights = nullptr;  ///< the same on the host
    /// Factors of a kernel of rank 1, for the variant `separable`.
    const float *rowWeights = nullptr, *columnWeights = nullptr, *hostRow = nullptr, *hostColumn = nullptr;
    int multiprocessors = 1;  ///< of the device
    bool streaming = false;   ///< results exceed the cache: stores bypass it
    int taps() const { return kernelWidth * kernelHeight; }
};

/// Each enqueues one or a few kernels for planes.rowBegin <= y < planes.rowEnd of every slice. Throws Error.
void launchNaive(const ConvolutionLaunch& launch, cudaStream_t stream);
void launchTiled(const ConvolutionLaunch& launch, cudaStream_t stream);
void launchDirect(const ConvolutionLaunch& launch, cudaStream_t stream);
void launchSeparable(const ConvolutionLaunch& launch, cudaStream_t stream);

/// Loads the code that a launch will need before the first run.
void preloadNaive(const ConvolutionLaunch& launch);
void preloadTiled(const ConvolutionLaunch& launch);
void preloadDirect(const ConvolutionLaunch& launch);
void preloadSeparable(const ConvolutionLaunch& launch);

/// Calls f.operator()<K>() if windows of this size have unrolled kernels (square, odd, centred, 3 to 15); otherwise returns false.
template <class F>
bool withUnrolledSize(const ConvolutionLaunch& l, F&& f) {
    if (l.kernelWidth != l.kernelHeight || l.anchorX != l.kernelWidth / 2 || l.anchorY != l.kernelHeight / 2) return false;
    switch (l.kernelWidth) {
        case 3: f.template operator()<3>(); return true;
        case 5: f.template operator()<5>(); return true;
        case 7: f.template operator()<7>(); return true;
        case 9: f.template operator()<9>(); return true;
        case 11: f.template operator()<11>(); return true;
        case 13: f.template operator()<13>(); return true;
        case 15: f.template operator()<15>(); return true;
        default: return false;
    }
}
/// Returns the blocks per multiprocessor that an image makes.
inline double blocksForEach(const ConvolutionLaunch& l, int columns, int rows) {
    const std::int64_t across = (l.planes.width + columns - 1) / columns, down = (l.planes.rowEnd - l.planes.rowBegin + rows - 1) / rows;
    return static_cast<double>(across * down * l.planes.depth) / l.multiprocessors;
}

// Kernels of launchDirect for windows of K x K, in several files because each takes long to compile; kernel_choice.cpp says which exist.
enum class Fit;
template <int K, Fit F>
struct RegisterBlocked {
    static void launch(const ConvolutionLaunch& launch, cudaStream_t stream);
    static void preload(const ConvolutionLaunch& launch);
};
template <int K, Fit F>
struct Staged {
    static void launch(const ConvolutionLaunch& launch, cudaStream_t stream);
    static void preload(const ConvolutionLaunch& launch);
};
struct AnySize {
    static void launch(const ConvolutionLaunch& launch, cudaStream_t stream);
    static void preload(const ConvolutionLaunch& launch);
};
// The same for launchSeparable, for Fit::small and Fit::large.
template <int K, Fit F>
struct SeparableBlocked {
    static void launch(const ConvolutionLaunch& launch, cudaStream_t stream);
    static void preload(const ConvolutionLaunch& launch);
};
struct SeparableAnySize {
    static void launch(const ConvolutionLaunch& launch, cudaStream_t stream);
    static void preload(const ConvolutionLaunch& launch);
};

}  // namespace parallax::gpu
