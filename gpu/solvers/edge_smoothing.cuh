// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of the smoother that all kernels of the V-cycle share.
#pragma once

namespace parallax::gpu {

/// Factors of two Jacobi steps: the roots of the Chebyshev polynomial on [1/2, 2], where the eigenvalues of rough errors are.
constexpr float kFirst = 1 / (1.25F + 0.75F * 0.70710678F), kSecond = 1 / (1.25F - 0.75F * 0.70710678F);

/// Of the finest level, whose couplings never exceed the diagonal. 0 without an equation.
__device__ __forceinline__ float jacobiInverse(float diagonal) { return diagonal > 0 ? __fdividef(1.0F, diagonal) : 0.0F; }

}  // namespace parallax::gpu
