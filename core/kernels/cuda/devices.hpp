// SPDX-License-Identifier: GPL-3.0-or-later
// The devices that kernels in CUDA can run on.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/backend/backend.hpp"

namespace parallax::user {

struct CudaDevice {
    std::string name;
    int major = 0, minor = 0;  ///< compute capability
    std::int64_t multiprocessors = 0;
    std::uint64_t memory = 0;  ///< bytes
    std::string driver;        ///< the version of CUDA that the driver supports: "13.0"
    /// "sm_90".
    std::string architecture() const { return "sm_" + std::to_string(major) + std::to_string(minor); }
    DeviceInfo info(int index) const;
};

struct CudaDevices {
    std::vector<CudaDevice> devices;
    std::string reason, advice;  ///< if there are none
};

/// Asks the driver, in a process of its own; devices that were found once are kept. Throws Error(unavailable) without parallax-kernel-host,
/// Error(cancelled).
const CudaDevices& cudaDevices(const std::stop_token& stop);

}  // namespace parallax::user
