// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous bulk copies from global to shared memory (sm_90 to sm_110), started by one thread of a block. kHasBulkCopies is false on
// other devices and on the emulated one, which must copy otherwise. Also on sm_120: after the wait for a copy nvcc 13 treats no value as
// uniform within a warp any more, which would make kernels that depend on it slower (seen in their code, not measured). Source: PTX ISA,
// cp.async.bulk and mbarrier.
#pragma once

#include <cstdint>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200
#define PARALLAX_BULK_COPIES
#include <cuda/ptx>
#endif

namespace parallax::gpu {

#if defined(PARALLAX_BULK_COPIES)
inline constexpr bool kHasBulkCopies = true;

/// In shared memory. Its phase, initially 0, flips when a copy is complete.
using BulkArrival = std::uint64_t;

/// Called by one thread; the others wait for it at a barrier.
__device__ __forceinline__ void beginArrivals(BulkArrival* arrivals, int count) {
    for (int i = 0; i < count; ++i) cuda::ptx::mbarrier_init(arrivals + i, 1);
    cuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release, cuda::ptx::scope_cluster);
}
/// Called by one thread, after a barrier behind the block's last access to the destination. Addresses and `bytes` are multiples of 16.
__device__ __forceinline__ void bulkCopy(float* shared, const float* global, unsigned bytes, BulkArrival* arrival) {
    cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta, cuda::ptx::space_shared, arrival, bytes);
    cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, shared, global, bytes, arrival);
}
/// Called by every thread that reads the copy: waits until the phase is complete.
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
