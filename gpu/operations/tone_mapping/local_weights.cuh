// SPDX-License-Identifier: GPL-3.0-or-later
// The local operator: where the weights of its Gaussians come from, and vectors of four.
#pragma once

#include "gpu/operations/tone_mapping/passes.cuh"

namespace parallax::gpu::tonemap {

inline constexpr int kRowPixels = 4;  ///< of a thread that follow each other: a vector

using Vector = float[kRowPixels];

__device__ __forceinline__ void loadTo(Vector& to, const float4& v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
}
__device__ __forceinline__ void loadTo(Vector& to, const float* from) { loadTo(to, *reinterpret_cast<const float4*>(from)); }

/// Weights four at a time; the place is a multiple of four. As arguments of the kernel they come by way of uniform registers, where
/// the compiler sees that all threads of a warp ask for the same one: a multiply-add takes such a weight for nothing. Where it does not
/// see it, each thread looks its weight up, which may take several times as long: the device code tells (FFMA with UR, no LDC with [R).
struct ArgumentWeights {
    const ToneWeights& table;
    __device__ __forceinline__ void four(int at, Vector& to) const {
        loadTo(to, reinterpret_cast<const float4*>(table.of)[static_cast<unsigned>(at) / kRowPixels]);
    }
};
/// More weights than an argument has room for: along the rows from memory, where few threads ask for them at a time, along the columns
/// from a block's copy.
struct MemoryWeights {
    const float* table;
    __device__ __forceinline__ void four(int at, Vector& to) const { loadTo(to, __ldg(reinterpret_cast<const float4*>(table + at))); }
};
struct SharedWeights {
    const float* table;
    __device__ __forceinline__ void four(int at, Vector& to) const { loadTo(to, *reinterpret_cast<const float4*>(table + at)); }
};

/// The same number in all threads of the warp, which the compiler would not know.
__device__ __forceinline__ int uniform(int number) { return __shfl_sync(kAllLanes, number, 0); }

}  // namespace parallax::gpu::tonemap
