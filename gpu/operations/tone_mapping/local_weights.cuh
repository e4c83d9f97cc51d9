// SPDX-License-Identifier: GPL-3.0-or-later
// Access to the weights of the local operator's Gaussians.
#pragma once

#include "gpu/operations/tone_mapping/passes.cuh"

namespace parallax::gpu::tonemap {

inline constexpr int kRowPixels = 4;  ///< consecutive pixels of a thread: a vector

using Vector = float[kRowPixels];

__device__ __forceinline__ void loadTo(Vector& to, const float4& v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
}
__device__ __forceinline__ void loadTo(Vector& to, const float* from) { loadTo(to, *reinterpret_cast<const float4*>(from)); }

/// Reads weights four at a time; the index is a multiple of four. Weights in the kernel's arguments come from uniform registers, at no
/// cost, if the compiler can prove that the index is uniform in a warp. Otherwise each thread loads its weight, which may take several
/// times as long. Check the device code: FFMA with UR, no LDC with [R.
struct ArgumentWeights {
    const ToneWeights& table;
    __device__ __forceinline__ void four(int at, Vector& to) const {
        loadTo(to, reinterpret_cast<const float4*>(table.of)[static_cast<unsigned>(at) / kRowPixels]);
    }
};
/// Weights that do not fit in an argument: along the rows from global memory, along the columns from a copy in shared memory.
struct MemoryWeights {
    const float* table;
    __device__ __forceinline__ void four(int at, Vector& to) const { loadTo(to, __ldg(reinterpret_cast<const float4*>(table + at))); }
};
struct SharedWeights {
    const float* table;
    __device__ __forceinline__ void four(int at, Vector& to) const { loadTo(to, *reinterpret_cast<const float4*>(table + at)); }
};

/// Tells the compiler that a number is the same in all threads of the warp.
__device__ __forceinline__ int uniform(int number) { return __shfl_sync(kAllLanes, number, 0); }

}  // namespace parallax::gpu::tonemap
