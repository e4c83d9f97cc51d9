// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

namespace parallax::gpu {

/// Writes the time of the device's clock to page-locked memory.
void launchReadClock(volatile long long* nanoseconds, cudaStream_t stream);

}  // namespace parallax::gpu
