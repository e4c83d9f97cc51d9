// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/parallel/group_clock.hpp"

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/device_clock.cuh"

namespace parallax::gpu {
namespace {

__global__ void readClockKernel(volatile long long* nanoseconds) {
    *nanoseconds = deviceNanoseconds();
    __threadfence_system();
}

}  // namespace

void launchReadClock(volatile long long* nanoseconds, cudaStream_t stream) {
    readClockKernel<<<1, 1, 0, stream>>>(nanoseconds);
    checkLaunch("The clock of a CUDA device could not be read");
}

}  // namespace parallax::gpu
