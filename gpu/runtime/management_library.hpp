// SPDX-License-Identifier: GPL-3.0-or-later
// NVML, which comes with the driver and is loaded at run time. It reports memory and driver version without creating a context on each
// device, which would take hundreds of megabytes and of milliseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gpu/runtime/device.hpp"

namespace parallax::gpu {

class ManagementLibrary {
public:
    /// Loaded on first use. Without the library every value is unknown.
    static const ManagementLibrary& instance();

    /// mW; 0: unknown.
    unsigned powerLimit(const std::string& busId) const;
    DeviceState state(const std::string& busId) const;
    std::string driverVersion() const;  ///< empty: unknown
    std::optional<std::uint64_t> freeMemory(const std::string& busId) const;

private:
    ManagementLibrary();
    struct Memory {
        unsigned long long total, free, used;
    };
    struct Process {  // nvmlProcessInfo_t, version 3
        unsigned id;
        unsigned long long memory;
        unsigned gpuInstance, computeInstance;
    };
    template <class F>
    F symbol(const char* name) const;
    /// nullptr if the library is missing.
    void* handleOf(const std::string& busId) const;

    void* library_ = nullptr;
    bool ready_ = false;
    int (*handle_)(const char*, void**) = nullptr;
    int (*memory_)(void*, Memory*) = nullptr;
    int (*driver_)(char*, unsigned) = nullptr;
    int (*reasons_)(void*, unsigned long long*) = nullptr;
    int (*clock_)(void*, int, unsigned*) = nullptr;
    int (*temperature_)(void*, int, unsigned*) = nullptr;
    int (*powerLimit_)(void*, unsigned*) = nullptr;
    int (*processes_)(void*, unsigned*, Process*) = nullptr;
};

}  // namespace parallax::gpu
