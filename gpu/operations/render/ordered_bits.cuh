// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace parallax::gpu {

/// Integers in the order of the floats, for atomics.
__device__ __forceinline__ int orderedBits(float f) {
    const int bits = __float_as_int(f);
    return bits >= 0 ? bits : bits ^ 0x7fffffff;
}
__device__ __forceinline__ float fromOrderedBits(int bits) { return __int_as_float(bits >= 0 ? bits : bits ^ 0x7fffffff); }

}  // namespace parallax::gpu
