// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/engine/backend/backend.hpp"

namespace parallax::gpu {

/// Checks driver, version and devices once per process.
const Availability& cudaAvailability();
/// Returns 0 if CUDA is not available.
int deviceCount();
/// Reads free memory on every call and everything else once. Memory that this process keeps for reuse counts as free. The environment
/// variable PARALLAX_CUDA_MEMORY_LIMIT (whole MiB) lowers the amount, for tests of small devices.
std::vector<DeviceInfo> listDevices();
/// Returns the bytes that a run may take of a device: its free memory, within that limit and resourceLimits().
std::uint64_t freeDeviceMemory(int device);
/// Throws Error(usage) if PARALLAX_CUDA_MEMORY_LIMIT is set but not a number of MiB.
void checkMemoryLimit();

/// Current readings of the management library; values that it does not know stay 0.
struct DeviceState {
    std::uint64_t clockReasons = 0;  ///< bits of nvmlClocksEventReasons
    int clockMHz = 0;                ///< of the multiprocessors
    int celsius = 0;
    int otherProcesses = 0;  ///< compute processes on the device besides this one
};
DeviceState deviceState(int device);
/// "gpu-throttled", "gpu-power-cap", "gpu-slowdown", "gpu-shared".
std::vector<Condition> conditionsOf(const DeviceState& state);

/// Energy counter of NVML.
EnergyReading energyOf(int device);

struct DeviceLimits {
    std::uint64_t cacheBytes = 0;  ///< L2
    int multiprocessors = 0;
};
const DeviceLimits& deviceLimits(int device);

}  // namespace parallax::gpu
