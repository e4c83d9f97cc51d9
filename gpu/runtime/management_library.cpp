// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/management_library.hpp"

#include <dlfcn.h>

#include <array>

namespace parallax::gpu::management {
namespace {

struct Memory {
    unsigned long long total, free, used;
};
struct Process {  // nvmlProcessInfo_t, version 3
    unsigned id;
    unsigned long long memory;
    unsigned gpuInstance, computeInstance;
};

/// Returns the initialised library; nullptr: missing.
void* library() {
    static void* const ready = []() -> void* {
        void* const opened = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        const auto initialise = opened ? reinterpret_cast<int (*)()>(dlsym(opened, "nvmlInit_v2")) : nullptr;
        return initialise && initialise() == 0 ? opened : nullptr;
    }();
    return ready;
}

/// A function of the library, which old libraries may lack.
template <class... Parameters>
struct Function {
    explicit Function(const char* name) : address(library() ? reinterpret_cast<int (*)(Parameters...)>(dlsym(library(), name)) : nullptr) {}
    /// Returns whether the call succeeded.
    bool operator()(Parameters... parameters) const { return address && address(parameters...) == 0; }
    int (*address)(Parameters...);
};

/// Returns nullptr if the device is unknown.
void* handleOf(const std::string& busId) {
    static const Function<const char*, void**> handle("nvmlDeviceGetHandleByPciBusId_v2");
    void* device = nullptr;
    return handle(busId.c_str(), &device) ? device : nullptr;
}

}  // namespace

unsigned powerLimit(const std::string& busId) {
    static const Function<void*, unsigned*> read("nvmlDeviceGetPowerManagementLimit");
    void* const device = handleOf(busId);
    unsigned limit = 0;
    return device && read(device, &limit) ? limit : 0;
}

DeviceState state(const std::string& busId) {
    static const Function<void*, unsigned long long*> reasons("nvmlDeviceGetCurrentClocksEventReasons"),
        oldReasons("nvmlDeviceGetCurrentClocksThrottleReasons");
    static const Function<void*, int, unsigned*> clock("nvmlDeviceGetClockInfo"), temperature("nvmlDeviceGetTemperature");
    static const Function<void*, unsigned*, Process*> runningProcesses("nvmlDeviceGetComputeRunningProcesses_v3");
    constexpr int kMultiprocessorClock = 1, kCore = 0;
    DeviceState s;
    void* const device = handleOf(busId);
    if (!device) return s;
    if (unsigned long long bits = 0; (reasons.address ? reasons : oldReasons)(device, &bits)) s.clockReasons = bits;
    if (unsigned value = 0; clock(device, kMultiprocessorClock, &value)) s.clockMHz = static_cast<int>(value);
    if (unsigned value = 0; temperature(device, kCore, &value)) s.celsius = static_cast<int>(value);
    std::array<Process, 64> processes{};
    unsigned count = static_cast<unsigned>(processes.size());
    // One of them is this process. Process ids cannot identify it, since a container has its own numbering.
    if (runningProcesses(device, &count, processes.data()) && count > 0 && count <= processes.size())
        s.otherProcesses = static_cast<int>(count) - 1;
    return s;
}

std::string driverVersion() {
    static const Function<char*, unsigned> version("nvmlSystemGetDriverVersion");
    std::array<char, 96> text{};
    return version(text.data(), static_cast<unsigned>(text.size())) ? text.data() : std::string();
}

std::optional<std::uint64_t> freeMemory(const std::string& busId) {
    static const Function<void*, Memory*> read("nvmlDeviceGetMemoryInfo");
    void* const device = handleOf(busId);
    Memory memory{};
    return device && read(device, &memory) ? std::optional<std::uint64_t>(memory.free) : std::nullopt;
}

Energy energy(const std::string& busId) {
    static const Function<void*, unsigned long long*> read("nvmlDeviceGetTotalEnergyConsumption");
    if (!library()) return {{}, "NVML (libnvidia-ml.so.1) is missing or does not start"};
    if (!read.address) return {{}, "this NVML is too old for energy"};
    void* const device = handleOf(busId);
    if (!device) return {{}, "NVML does not know the device " + busId};
    unsigned long long millijoules = 0;
    if (!read(device, &millijoules)) return {{}, "NVML does not tell the energy of this device"};
    return {static_cast<std::uint64_t>(millijoules), {}};
}

}  // namespace parallax::gpu::management
