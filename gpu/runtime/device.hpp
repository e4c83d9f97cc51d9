// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "parallax/engine/backend.hpp"

namespace parallax::gpu {

/// Driver, version and devices, asked once a process.
const Availability& cudaAvailability();
/// 0 when CUDA is not available.
int deviceCount();
/// Fixed facts are read once; free memory each time, counting what this process keeps for reuse as free.
std::vector<DeviceInfo> listDevices();

struct DeviceLimits {
    std::uint64_t cacheBytes = 0;  ///< L2
    int multiprocessors = 0;
};
const DeviceLimits& deviceLimits(int device);

}  // namespace parallax::gpu
