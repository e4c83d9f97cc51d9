// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of reductions within a block, shared with operations that fuse a reduction with other work.
#pragma once

#include <cstring>
#include <type_traits>

#include "gpu/primitives/operators.hpp"

namespace parallax::gpu {

inline constexpr unsigned kAllLanes = 0xFFFFFFFFU;
inline constexpr int kLanes = 32;

/// Word by word, since shuffles take no structs.
template <class T>
__device__ __forceinline__ T shuffleDown(const T& value, int distance) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0);
    unsigned words[sizeof(T) / 4];
    memcpy(words, &value, sizeof(T));
#pragma unroll
    for (unsigned& word : words) word = __shfl_down_sync(kAllLanes, word, static_cast<unsigned>(distance));
    T result = value;
    memcpy(&result, words, sizeof(T));
    return result;
}

/// Reads memory that other blocks wrote, bypassing the cache of this multiprocessor.
template <class T>
__device__ __forceinline__ T loadFromOthers(const T* p) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0);
    unsigned words[sizeof(T) / 4];
#pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof(T) / 4); ++i) words[i] = __ldcg(reinterpret_cast<const unsigned*>(p) + i);
    T result;
    memcpy(&result, words, sizeof(T));
    return result;
}

/// Combines the values of all threads of a block in a fixed order and returns the result in thread 0. All threads must call it.
/// `merge(a, b)` adds b to a.
template <int Threads, class T, class Merge>
__device__ __forceinline__ void reduceBlock(T& mine, Merge&& merge) {
    static_assert(Threads % kLanes == 0 && Threads <= kLanes * kLanes);
    constexpr int warps = Threads / kLanes;
    static_assert((warps & (warps - 1)) == 0);
    __shared__ __align__(16) unsigned char memory[warps * sizeof(T)];  // raw, since T need not have a default constructor
    T* const ofWarps = reinterpret_cast<T*>(memory);
    const int lane = static_cast<int>(threadIdx.x) % kLanes, warp = static_cast<int>(threadIdx.x) / kLanes;
    __syncthreads();  // a previous call may still be reading
#pragma unroll
    for (int distance = kLanes / 2; distance > 0; distance /= 2) merge(mine, shuffleDown(mine, distance));
    if (lane == 0) ofWarps[warp] = mine;
    __syncthreads();
    if (warp != 0) return;
    if (lane < warps) mine = ofWarps[lane];
#pragma unroll
    for (int distance = warps / 2; distance > 0; distance /= 2) merge(mine, shuffleDown(mine, distance));
}

/// Returns true in the last block to call it, which then sees what thread 0 of the other blocks wrote before. All threads must call it.
/// `ticket` is 0 before the first launch and after each.
__device__ __forceinline__ bool isLastBlock(unsigned* ticket, unsigned blocks) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(ticket, blocks - 1) == blocks - 1;
    }
    __syncthreads();
    if (last) __threadfence();
    return last;
}

/// Combines one value of each block into the result, in the last block.
template <int Threads, class Operator>
__device__ __forceinline__ void combineBlocks(const Operator& op, const typename Operator::Value& ofBlock,
                                              typename Operator::Value* ofBlocks, unsigned* ticket, typename Operator::Value* result) {
    using Value = typename Operator::Value;
    if (threadIdx.x == 0) ofBlocks[blockIdx.x] = ofBlock;
    if (!isLastBlock(ticket, gridDim.x)) return;
    Value total = op.identity();
    for (unsigned i = threadIdx.x; i < gridDim.x; i += Threads) total = op.combine(total, loadFromOthers(ofBlocks + i));
    reduceBlock<Threads>(total, [&](Value& a, const Value& b) { a = op.combine(a, b); });
    if (threadIdx.x == 0) *result = total;
}

/// 16 bytes without alignment.
template <bool Aligned>
__device__ __forceinline__ float4 loadVector(const float* p) {
    if constexpr (Aligned) return __ldg(reinterpret_cast<const float4*>(p));
    else return {__ldg(p), __ldg(p + 1), __ldg(p + 2), __ldg(p + 3)};
}

inline bool isAligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % sizeof(float4) == 0; }

}  // namespace parallax::gpu
