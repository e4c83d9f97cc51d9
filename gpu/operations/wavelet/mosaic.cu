// SPDX-License-Identifier: GPL-3.0-or-later
// Gaps between the bands of a mosaic.
#include "parallax/gpu/operations/wavelet/box_rows.cuh"
#include "parallax/gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

__global__ void __launch_bounds__(kBoxThreads) clearKernel(const Strided<float> mosaic, const BandBox* boxes) {
    forBoxSamples(mosaic, boxes[blockIdx.y], [](float* sample) { *sample = 0; });
}

}  // namespace

void launchClear(const Strided<float>& mosaic, const BandBoxes& boxes, cudaStream_t stream) {
    if (boxes.count == 0) return;
    clearKernel<<<gridOf(boxes), kBoxThreads, 0, stream>>>(mosaic, boxes.data);
    checkLaunch("Gaps between wavelet coefficients could not be cleared");
}

void preloadClear() { preload(reinterpret_cast<const void*>(&clearKernel)); }

}  // namespace parallax::gpu
