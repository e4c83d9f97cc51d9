// SPDX-License-Identifier: GPL-3.0-or-later
// dwt and idwt / cuda / global, shared, constant: textbook, one kernel per axis and one thread per result, samples from global memory. The
// three differ in the memory of the filters. They support any filter, axes and size, and replace `fused` where that has no unrolled
// kernel.
#include <algorithm>

#include "gpu/operations/wavelet/kernels/launchers.hpp"
#include "gpu/operations/wavelet/kernels/tuning.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

constexpr int kMaxTaps = 128, kBlockX = 32, kBlockY = kPassThreads / kBlockX;

/// Low-pass taps, then high-pass taps. All threads of the block call load().
struct GlobalFilters {
    const float* values;
    __device__ const float* load(int) const { return values; }
};
struct SharedFilters {
    const float* values;
    __device__ const float* load(int taps) const {
        __shared__ float copy[2 * kMaxTaps];
        const int threads = static_cast<int>(blockDim.x * blockDim.y);
        for (int i = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x); i < 2 * taps; i += threads) copy[i] = values[i];
        __syncthreads();
        return copy;
    }
};
/// Kernel parameters are in constant memory, a copy per launch, so that concurrent runs may have other filters.
struct ConstantFilters {
    float values[2 * kMaxTaps];
    __device__ const float* load(int) const { return values; }
};

template <class T>
__device__ std::int64_t strideOf(const Strided<T>& picture, int axis) {
    return axis == 0 ? 1 : axis == 1 ? picture.rowStride : picture.sliceStride;
}
template <class T>
__device__ T* at(const Strided<T>& picture, std::int64_t x, std::int64_t y, std::int64_t z) {
    return picture.data + x + y * picture.rowStride + z * picture.sliceStride;
}
__device__ std::int64_t placeOf(const BandAxis& axis, int i) { return i + (i >= axis.split ? std::int64_t{axis.jump} : 0); }

/// Calls f(x, y, z) for the positions of this thread.
template <class F>
__device__ void forPositions(const AxisPass& pass, int width, int height, F&& f) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (x >= width) return;
    for (std::int64_t row = pass.first + blockIdx.y * blockDim.y + threadIdx.y; row < pass.end; row += gridDim.y * blockDim.y)
        f(x, static_cast<int>(row % height), static_cast<int>(row / height));
}

template <class Filters>
__global__ void forwardPassKernel(const AxisPass pass, const Filters given) {
    const float* const filters = given.load(pass.taps);
    const int axis = pass.axis, n = pass.extent[axis], shift = analysisShift(pass.taps, pass.rule);
    const std::int64_t stride = strideOf(pass.in, axis);
    forPositions(pass, axis == 0 ? pass.count : pass.extent[0], axis == 1 ? pass.count : pass.extent[1], [&](int x, int y, int z) {
        const int o = axis == 0 ? x : axis == 1 ? y : z;
        const float* const line = at(pass.in, axis == 0 ? 0 : x, axis == 1 ? 0 : y, axis == 2 ? 0 : z);
        float lo = 0, hi = 0;
        for (int j = 0; j < pass.taps; ++j) {
            const int i = 2 * o + shift - j;
            float sample = 0;
            if (i >= 0 && i < n) {
                sample = line[i * stride];
            } else {
                const Extension<int> e = extendedSample<int>(i, n, pass.rule);
                for (int k = 0; k < e.count; ++k) sample += static_cast<float>(e.factor[k]) * line[e.index[k] * stride];
            }
            lo = fmaf(filters[j], sample, lo);
            hi = fmaf(filters[pass.taps + j], sample, hi);
        }
        const auto place = [&](bool detail) {
            const int c = pass.count;
            return at(pass.out, placeOf(pass.bands[0], x + (axis == 0 && detail ? c : 0)),
                      placeOf(pass.bands[1], y + (axis == 1 && detail ? c : 0)), placeOf(pass.bands[2], z + (axis == 2 && detail ? c : 0)));
        };
        const bool low = pass.outLow.data && x < pass.bands[0].split && y < pass.bands[1].split && z < pass.bands[2].split;
        *(low ? at(pass.outLow, x, y, z) : place(false)) = lo;
        *place(true) = hi;
    });
}

template <class Filters>
__global__ void inversePassKernel(const AxisPass pass, const Filters given) {
    const float* const filters = given.load(pass.taps);
    const int axis = pass.axis, n = pass.count;
    const SynthesisPhase phase = synthesisPhase(pass.taps, pass.rule);
    forPositions(pass, pass.extent[0], pass.extent[1], [&](int x, int y, int z) {
        const int i = (axis == 0 ? x : axis == 1 ? y : z) + phase.offset, pair = i / 2, p = i % 2;
        bool low = pass.inLow.data != nullptr;
        std::int64_t place[3];
        for (int a = 0; a < 3; ++a) {
            const int own = a == 0 ? x : a == 1 ? y : z;
            place[a] = a == axis ? 0 : placeOf(pass.bands[a], own);
            low = low && (a == axis || own < pass.bands[a].split);
        }
        const std::int64_t stride = strideOf(pass.in, axis), lowStride = low ? strideOf(pass.inLow, axis) : stride;
        const float* const details = at(pass.in, place[0], place[1], place[2]) + placeOf(pass.bands[axis], n) * stride;
        const float* const approximation = low ? at(pass.inLow, place[0], place[1], place[2]) : at(pass.in, place[0], place[1], place[2]);
        float sum = 0;
        for (int j = 0; j < pass.taps / 2; ++j) {
            int o = pair + phase.shift - j;
            if (pass.rule == WaveletMode::periodization) o = (o % n + n) % n;
            sum = fmaf(filters[2 * j + p], approximation[o * lowStride], sum);
            sum = fmaf(filters[pass.taps + 2 * j + p], details[o * stride], sum);
        }
        *at(pass.out, x, y, z) = sum;
    });
}

/// Calls f with the filters in the memory of the variant.
template <class F>
void withFilters(const AxisPass& pass, FilterMemory memory, F&& f) {
    switch (memory) {
        case FilterMemory::global: f(GlobalFilters{pass.filters}); return;
        case FilterMemory::shared: f(SharedFilters{pass.filters}); return;
        case FilterMemory::constant: break;
    }
    ConstantFilters filters{};
    std::copy_n(pass.hostFilters, 2 * pass.taps, filters.values);
    f(filters);
}

dim3 gridOf(const AxisPass& pass, bool forward) {
    const std::int64_t rows = std::min<std::int64_t>((pass.end - pass.first + kBlockY - 1) / kBlockY, 65535);
    return dim3(static_cast<unsigned>((passColumns(pass, forward) + kBlockX - 1) / kBlockX), static_cast<unsigned>(rows));
}

}  // namespace

void launchForwardPass(const AxisPass& pass, FilterMemory memory, cudaStream_t stream) {
    withFilters(pass, memory,
                [&](const auto& filters) { forwardPassKernel<<<gridOf(pass, true), dim3(kBlockX, kBlockY), 0, stream>>>(pass, filters); });
    checkLaunch("A pass of the wavelet transform could not be started");
}

void launchInversePass(const AxisPass& pass, FilterMemory memory, cudaStream_t stream) {
    withFilters(pass, memory,
                [&](const auto& filters) { inversePassKernel<<<gridOf(pass, false), dim3(kBlockX, kBlockY), 0, stream>>>(pass, filters); });
    checkLaunch("A pass of the inverse wavelet transform could not be started");
}

void preloadPasses(FilterMemory memory) {
    AxisPass none;
    none.taps = 0;
    withFilters(none, memory, []<class Filters>(const Filters&) {
        preload(reinterpret_cast<const void*>(&forwardPassKernel<Filters>));
        preload(reinterpret_cast<const void*>(&inversePassKernel<Filters>));
    });
}

}  // namespace parallax::gpu
