// SPDX-License-Identifier: GPL-3.0-or-later
// The one way in which kernels of different devices wait for each other.
#pragma once

#include "gpu/parallel/links.hpp"
#include "gpu/primitives/reduction_parts.cuh"
#include "gpu/runtime/device_clock.cuh"

#if defined(__CUDA_ARCH__)
#include <cuda/atomic>
#endif

namespace parallax::gpu {

/// Orders what this thread wrote, and what it had seen of others, before what it writes later, for all devices. Weaker than
/// __threadfence_system(), which is sequentially consistent.
__device__ __forceinline__ void fenceDevices() {
#if defined(__CUDA_ARCH__)
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_system);
#endif
}

/// Raises a flag without ordering, after fenceDevices().
__device__ __forceinline__ void raise(Flag& flag, unsigned long long value) {
#if defined(__CUDA_ARCH__)
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>(flag.value).store(value, cuda::memory_order_relaxed);
#else
    flag.value = value;
#endif
}

__device__ __forceinline__ unsigned long long valueOf(Flag& flag) {
#if defined(__CUDA_ARCH__)
    return cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>(flag.value).load(cuda::memory_order_acquire);
#else
    return flag.value;
#endif
}

/// Raises a flag. A thread that sees it with waitFor() also sees what this thread wrote before, and what it had seen of others.
__device__ __forceinline__ void publish(Flag& flag, unsigned long long value) {
    fenceDevices();
    raise(flag, value);
}

/// Waits until a flag has reached a value. Returns false if the group stops or the limit has passed, which then stops the group.
__device__ __forceinline__ bool waitFor(Flag& flag, unsigned long long value, const WaitLimits& limits) {
    constexpr unsigned pollsBetweenLooks = 64;
    long long start = 0;
    for (unsigned polls = 1; valueOf(flag) < value; ++polls) {
        if (polls % pollsBetweenLooks == 0) {
            if (limits.stop->stopped != 0) return false;
            const long long now = deviceNanoseconds();
            if (start == 0) start = now;
            if (now - start > limits.nanoseconds) {
                limits.stop->late = 1;
                limits.stop->stopped = 1;
                return false;
            }
        }
#if !defined(__CUDA_ARCH__) && defined(PARALLAX_EMULATED_DEVICE)
        ::emulatedDevice::pauseKernel();
#endif
    }
    return true;
}

/// Writes a value of this member for the round that begins with it; one thread, before exchangeSums().
__device__ __forceinline__ void putSum(const SumLinks& links, int index, double value) {
    const unsigned long long round = *links.round + 1;
    for (int receiver = 0; receiver < links.members; ++receiver) links.box(receiver, round, links.member)[index] = value;
}

/// Exchanges what putSum() wrote; the same thread. Returns false if the group stops; only waits look, since that reads host memory.
__device__ __forceinline__ bool exchangeSums(const SumLinks& links) {
    const unsigned long long round = *links.round + 1;
    fenceDevices();
    for (int other = 0; other < links.members; ++other)
        if (other != links.member) raise(links.flags[other][links.member], round);
    for (int other = 0; other < links.members; ++other)
        if (other != links.member && !waitFor(links.flags[links.member][other], round, links.limits)) return false;
    *links.round = round;
    return true;
}

/// Returns the sum over all members, in their order, after exchangeSums(); the same thread.
__device__ __forceinline__ double sumOfMembers(const SumLinks& links, int index) {
    double sum = 0;
    for (int sender = 0; sender < links.members; ++sender) sum += loadFromOthers(links.box(links.member, *links.round, sender) + index);
    return sum;
}

}  // namespace parallax::gpu
