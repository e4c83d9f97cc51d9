// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/engine/backend/backend.hpp"

namespace parallax::gpu {

/// Driver, version and devices, asked once a process.
const Availability& cudaAvailability();
/// 0 when CUDA is not available.
int deviceCount();
/// Fixed facts are read once; free memory each time, counting what this process keeps for reuse as free. PARALLAX_CUDA_MEMORY_LIMIT in
/// the environment, a whole number of MiB, makes it look smaller: for tests of what happens on small devices.
std::vector<DeviceInfo> listDevices();
/// Throws Error(usage) if PARALLAX_CUDA_MEMORY_LIMIT is set to something else than a number of MiB: sessions would go by the whole memory.
void checkMemoryLimit();

/// At this moment, from the management library; what it does not tell stays 0.
struct DeviceState {
    std::uint64_t clockReasons = 0;  ///< why clocks are lower than they could be: bits of nvmlClocksEventReasons
    int clockMHz = 0;                ///< of the multiprocessors
    int celsius = 0;
    int otherProcesses = 0;  ///< that compute on the device, besides this one
};
DeviceState deviceState(int device);
/// "gpu-throttled", "gpu-power-cap", "gpu-slowdown", "gpu-shared".
std::vector<Condition> conditionsOf(const DeviceState& state);

struct DeviceLimits {
    std::uint64_t cacheBytes = 0;  ///< L2
    int multiprocessors = 0;
};
const DeviceLimits& deviceLimits(int device);

}  // namespace parallax::gpu
