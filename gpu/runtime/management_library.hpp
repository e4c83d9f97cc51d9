// SPDX-License-Identifier: GPL-3.0-or-later
// NVML, which comes with the driver and is loaded on first use. It reports memory and driver version without creating a context on each
// device, which would take hundreds of megabytes and of milliseconds. Without the library every value is unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gpu/runtime/device.hpp"

namespace parallax::gpu::management {

/// mW; 0: unknown.
unsigned powerLimit(const std::string& busId);
DeviceState state(const std::string& busId);
std::string driverVersion();  ///< empty: unknown
std::optional<std::uint64_t> freeMemory(const std::string& busId);
/// mJ since the driver was loaded, or the reason why the library does not tell. Devices since Volta.
struct Energy {
    std::optional<std::uint64_t> millijoules;
    std::string reason;
};
Energy energy(const std::string& busId);

}  // namespace parallax::gpu::management
