// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of the edges of a diffusion, computed on the device by core/operations/diffuse/formulas.hpp.
#pragma once

#include <cuda_runtime_api.h>

#include "core/operations/diffuse/plan.hpp"
#include "gpu/solvers/grid.hpp"

namespace parallax::gpu {

/// The numbers among DiffuseParameters that the formulas read.
struct DiffusionNumbers {
    DiffusionWeights weights;
    double lambda, alpha, epsilon;
    DiffusionGuide guide;
    double black;
    Conductivity conductivity;
    double contrast;
    double axisWeights[3];
    double step;

    static DiffusionNumbers of(const DiffusePlan& plan);
};

struct DiffusionArrays {
    double* guide = nullptr;          ///< one channel of the grid; NaN where a channel of the image is not finite
    double* edges[3] = {};            ///< one channel each; z only in volumes
    const double* samples = nullptr;  ///< all channels of the grid, for weights that follow the result
};

/// Rows above and below a band of an image, [channel][pitch]; null at the border of the image.
struct DiffusionRows {
    const double* guide[2] = {};
    const double* samples[2] = {};
};

/// `luminance`: device memory, weight of each channel of the grid.
void launchDiffusionGuide(const Grid& grid, const DiffusionNumbers& numbers, const ImagePlanes& image, const double* luminance,
                          const DiffusionArrays& arrays, cudaStream_t stream);
void launchDiffusionWeights(const Grid& grid, const DiffusionNumbers& numbers, const DiffusionArrays& arrays, cudaStream_t stream);
/// The same for a band with rows, whose weights along y begin one row before arrays.edges[1].
void launchDiffusionWeights(const Grid& grid, const DiffusionNumbers& numbers, const DiffusionArrays& arrays, const DiffusionRows& beside,
                            cudaStream_t stream);
void preloadDiffusion();

}  // namespace parallax::gpu
