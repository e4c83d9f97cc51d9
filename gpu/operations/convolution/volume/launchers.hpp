// SPDX-License-Identifier: GPL-3.0-or-later
// The launchers of windows in three dimensions. Compiles without nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/operations/convolution/borders.hpp"

namespace parallax::gpu {

/// Some slices of one channel, and where a result slice finds its samples.
struct VolumeSlices {
    const float* in = nullptr;  ///< sample (0, 0, 0) of the volume
    float* out = nullptr;
    std::int64_t inRowStride = 0, inSliceStride = 0, outRowStride = 0, outSliceStride = 0;
    int width = 0, height = 0, depth = 0;
    int zBegin = 0, zEnd = 0;  ///< slices of the result of this launch
    BorderMode border = BorderMode::replicate;
    float borderValue = 0, offset = 0;
    bool vectors = false;    ///< rows begin at multiples of 16 bytes in both volumes
    bool streaming = false;  ///< results exceed the cache: stores bypass it
};

/// A window and its weights.
struct VolumeWindow {
    int width = 1, height = 1, depth = 1;
    int anchorX = 0, anchorY = 0, anchorZ = 0;
    const float* weights = nullptr;      ///< device memory, x fastest, then y, then z
    const float* hostWeights = nullptr;  ///< the same on the host
    /// Factors along x, y and z one after another, for separable windows.
    const float *factors = nullptr, *hostFactors = nullptr;
    std::int64_t taps() const { return std::int64_t{width} * height * depth; }
    bool isCentredCube() const {
        return width == height && width == depth && width % 2 == 1 && anchorX == width / 2 && anchorY == width / 2 && anchorZ == width / 2;
    }
};

struct VolumeLaunch {
    VolumeSlices slices;
    VolumeWindow window;
    int multiprocessors = 1;    ///< of the device
    float* filtered = nullptr;  ///< room for a channel, dense, for separable windows without a fused kernel
};

/// Whether a separable window has a fused kernel, and a direct one an unrolled kernel.
bool hasFusedKernel(const VolumeWindow& window);
bool hasUnrolledKernel(const VolumeWindow& window);

/// Each enqueues the slices zBegin .. zEnd of the result. Throws Error. launchVolumeSeparable() without a fused kernel needs `filtered` and
/// all slices.
void launchVolumeNaive(const VolumeLaunch& launch, cudaStream_t stream);
void launchVolumeDirect(const VolumeLaunch& launch, cudaStream_t stream);
void launchVolumeSeparable(const VolumeLaunch& launch, cudaStream_t stream);

/// Loads the code that a launch will need before the first run.
void preloadVolumeNaive(const VolumeLaunch& launch);
void preloadVolumeDirect(const VolumeLaunch& launch);
void preloadVolumeSeparable(const VolumeLaunch& launch);

}  // namespace parallax::gpu
