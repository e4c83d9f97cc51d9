// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of the smoother that all kernels of the V-cycle share.
#pragma once

#include "gpu/solvers/edge_multigrid.hpp"

namespace parallax::gpu {

/// Factors of the Jacobi steps: the inverse roots of the Chebyshev polynomial on [1/8, 2].
__device__ constexpr float smoothingFactor(int step) {
    constexpr float middle = 1.0625F, outer = 0.9375F * 0.8660254F;
    return step == 0 ? 1 / (middle + outer) : step == 1 ? 1 / middle : 1 / (middle - outer);
}

/// Returns the inverse for the finest level, whose couplings never exceed the diagonal; 0 where there is no equation.
__device__ __forceinline__ float jacobiInverse(float diagonal) { return diagonal > 0 ? __fdividef(1.0F, diagonal) : 0.0F; }

}  // namespace parallax::gpu
