// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces of global memory that one thread of a block asks for and that come into shared memory by themselves (sm_90 to sm_110), while no
// thread spends instructions on them. Devices without it, and the emulated one, have kHasBulkCopies false and must copy otherwise.
// sm_120 could do so too, but behind the wait for a piece nvcc 13 takes nothing for the same in a warp any more, and kernels that count on
// that would be slower than without (seen in their code, not measured). Source: PTX ISA, cp.async.bulk and mbarrier.
#pragma once

#include <cstdint>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200
#define PARALLAX_BULK_COPIES
#include <cuda/ptx>
#endif

namespace parallax::gpu {

#if defined(PARALLAX_BULK_COPIES)
inline constexpr bool kHasBulkCopies = true;

/// In shared memory: turns its phase, 0 at first, each time that a piece is there.
using BulkArrival = std::uint64_t;

/// By one thread; the others wait at a barrier for it.
__device__ __forceinline__ void beginArrivals(BulkArrival* arrivals, int count) {
    for (int i = 0; i < count; ++i) cuda::ptx::mbarrier_init(arrivals + i, 1);
    cuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release, cuda::ptx::scope_cluster);
}
/// By one thread. Addresses and `bytes` are multiples of 16. What threads of the block did with the place must lie behind a barrier.
__device__ __forceinline__ void bulkCopy(float* shared, const float* global, unsigned bytes, BulkArrival* arrival) {
    cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta, cuda::ptx::space_shared, arrival, bytes);
    cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, shared, global, bytes, arrival);
}
/// By every thread that reads the piece: until that phase is over.
__device__ __forceinline__ void awaitArrival(BulkArrival* arrival, unsigned phase) {
    while (!cuda::ptx::mbarrier_try_wait_parity(arrival, phase & 1)) {}
}
#else
inline constexpr bool kHasBulkCopies = false;
using BulkArrival = std::uint64_t;
__device__ __forceinline__ void beginArrivals(BulkArrival*, int) {}
__device__ __forceinline__ void bulkCopy(float*, const float*, unsigned, BulkArrival*) {}
__device__ __forceinline__ void awaitArrival(BulkArrival*, unsigned) {}
#endif

}  // namespace parallax::gpu
