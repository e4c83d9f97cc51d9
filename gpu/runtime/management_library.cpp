// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/management_library.hpp"

#include <dlfcn.h>

#include <array>

namespace parallax::gpu {

template <class F>
F ManagementLibrary::symbol(const char* name) const {
    return reinterpret_cast<F>(dlsym(library_, name));
}

const ManagementLibrary& ManagementLibrary::instance() {
    static const ManagementLibrary library;
    return library;
}

ManagementLibrary::ManagementLibrary() {
    library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library_) return;
    const auto init = symbol<int (*)()>("nvmlInit_v2");
    handle_ = symbol<int (*)(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
    memory_ = symbol<int (*)(void*, Memory*)>("nvmlDeviceGetMemoryInfo");
    driver_ = symbol<int (*)(char*, unsigned)>("nvmlSystemGetDriverVersion");
    ready_ = init && handle_ && memory_ && driver_ && init() == 0;
    // Old libraries may lack these functions.
    reasons_ = symbol<int (*)(void*, unsigned long long*)>("nvmlDeviceGetCurrentClocksEventReasons");
    if (!reasons_) reasons_ = symbol<int (*)(void*, unsigned long long*)>("nvmlDeviceGetCurrentClocksThrottleReasons");
    clock_ = symbol<int (*)(void*, int, unsigned*)>("nvmlDeviceGetClockInfo");
    temperature_ = symbol<int (*)(void*, int, unsigned*)>("nvmlDeviceGetTemperature");
    powerLimit_ = symbol<int (*)(void*, unsigned*)>("nvmlDeviceGetPowerManagementLimit");
    processes_ = symbol<int (*)(void*, unsigned*, Process*)>("nvmlDeviceGetComputeRunningProcesses_v3");
}

void* ManagementLibrary::handleOf(const std::string& busId) const {
    void* device = nullptr;
    return ready_ && handle_(busId.c_str(), &device) == 0 ? device : nullptr;
}

unsigned ManagementLibrary::powerLimit(const std::string& busId) const {
    void* const device = handleOf(busId);
    unsigned limit = 0;
    return device && powerLimit_ && powerLimit_(device, &limit) == 0 ? limit : 0;
}

DeviceState ManagementLibrary::state(const std::string& busId) const {
    constexpr int kMultiprocessorClock = 1, kCore = 0;
    DeviceState s;
    void* const device = handleOf(busId);
    if (!device) return s;
    unsigned long long reasons = 0;
    if (reasons_ && reasons_(device, &reasons) == 0) s.clockReasons = reasons;
    if (unsigned value = 0; clock_ && clock_(device, kMultiprocessorClock, &value) == 0) s.clockMHz = static_cast<int>(value);
    if (unsigned value = 0; temperature_ && temperature_(device, kCore, &value) == 0) s.celsius = static_cast<int>(value);
    std::array<Process, 64> processes{};
    unsigned count = static_cast<unsigned>(processes.size());
    if (processes_ && processes_(device, &count, processes.data()) == 0 && count <= processes.size()) {
        s.otherProcesses = static_cast<int>(count);
        // One of them is this process. Process ids cannot identify it, since a container has its own numbering.
        if (s.otherProcesses > 0) --s.otherProcesses;
    }
    return s;
}

std::string ManagementLibrary::driverVersion() const {
    std::array<char, 96> text{};
    if (!ready_ || driver_(text.data(), static_cast<unsigned>(text.size())) != 0) return {};
    return text.data();
}

std::optional<std::uint64_t> ManagementLibrary::freeMemory(const std::string& busId) const {
    void* const device = handleOf(busId);
    Memory memory{};
    if (!device || memory_(device, &memory) != 0) return std::nullopt;
    return memory.free;
}

}  // namespace parallax::gpu
