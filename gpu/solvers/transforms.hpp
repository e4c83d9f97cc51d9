// SPDX-License-Identifier: GPL-3.0-or-later
// Direct solution of images with constant weights: A is diagonal in the basis of cosines (Neumann borders) or sines (Dirichlet).
//
// Cosines: the samples of a row are reordered, the even ones first and then the odd ones backwards, so that a real Fourier transform of the
// same length gives the cosine transform after a rotation (Makhoul, "A fast cosine transform in one and two dimensions", IEEE ASSP 1980).
// Sines: the odd extension to 2 (n + 1) samples is transformed, four times the samples of the image.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "gpu/runtime/libraries/cufft.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/solvers/device_laps.hpp"
#include "gpu/solvers/grid.hpp"

namespace parallax::gpu {

class TransformSolver {
public:
    TransformSolver(const Grid& grid, const GridStencil& stencil, const std::shared_ptr<Allocator>& allocator);
    static std::uint64_t estimateBytes(const Grid& grid, bool dirichlet);

    /// x = the solution for b, of which the mean is subtracted first if the system is singular.
    void solve(const SolveArguments& a, double* b, double* x, cudaStream_t stream, DeviceLaps* laps = nullptr);

private:
    DeviceBuffer<double> planes_;
    DeviceBuffer<unsigned char> work_;
    std::unique_ptr<RealTransform> forward_, inverse_;
};

/// The samples of a transform: those of the grid, or of its odd extension. A channel at a time.
struct TransformShape {
    int width, height;
    static TransformShape of(const Grid& grid, bool dirichlet) {
        if (dirichlet) return {2 * (grid.width + 1), 2 * (grid.height + 1)};
        return {grid.width, grid.height};
    }
    PARALLAX_HOST_DEVICE std::int64_t pitch() const { return 2 * (std::int64_t{width} / 2 + 1); }
    std::int64_t elements() const { return pitch() * height; }
};
void launchTransformPack(const SolveArguments& a, int channel, double* b, double* planes, cudaStream_t stream);
/// Divides by the eigenvalues and by the factor of the two unnormalised transforms.
void launchTransformDivide(const SolveArguments& a, double* planes, cudaStream_t stream);
void launchTransformUnpack(const SolveArguments& a, int channel, const double* planes, double* x, cudaStream_t stream);
void preloadTransforms();

}  // namespace parallax::gpu
