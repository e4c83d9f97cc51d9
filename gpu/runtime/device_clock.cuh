// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#if defined(__CUDA_ARCH__)
#include <cuda/ptx>
#endif

namespace parallax::gpu {

/// Nanoseconds of a clock that all multiprocessors of a device share.
__device__ __forceinline__ long long deviceNanoseconds() {
#if defined(__CUDA_ARCH__)
    return static_cast<long long>(cuda::ptx::get_sreg_globaltimer());
#else
    return clock64();
#endif
}

}  // namespace parallax::gpu
