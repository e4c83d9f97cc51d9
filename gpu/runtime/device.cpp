// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/gpu/runtime/device.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdio>
#include <optional>

#include "parallax/gpu/runtime/cuda_check.hpp"
#include "parallax/gpu/runtime/memory_pool.hpp"

namespace parallax::gpu {
namespace {

std::string cudaVersion(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

std::string fixed(double value, int digits) {
    // Digits of a number, independent of the locale: built from integers.
    long long scale = 1;
    for (int i = 0; i < digits; ++i) scale *= 10;
    const long long n = static_cast<long long>(value * static_cast<double>(scale) + 0.5);
    std::string text = std::to_string(n / scale);
    if (digits > 0) {
        std::string fraction = std::to_string(n % scale);
        text += "." + std::string(static_cast<std::size_t>(digits) - fraction.size(), '0') + fraction;
    }
    return text;
}

/// The management library, if installed: it knows memory and driver version without a context on each device (which would
/// take hundreds of megabytes and as many milliseconds). Loaded by hand, since it comes with the driver.
class ManagementLibrary {
public:
    ManagementLibrary() {
        library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library_) return;
        const auto init = symbol<int (*)()>("nvmlInit_v2");
        handle_ = symbol<int (*)(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
        memory_ = symbol<int (*)(void*, Memory*)>("nvmlDeviceGetMemoryInfo");
        driver_ = symbol<int (*)(char*, unsigned)>("nvmlSystemGetDriverVersion");
        ready_ = init && handle_ && memory_ && driver_ && init() == 0;
    }
    std::string driverVersion() const {
        std::array<char, 96> text{};
        if (!ready_ || driver_(text.data(), static_cast<unsigned>(text.size())) != 0) return {};
        return text.data();
    }
    std::optional<std::uint64_t> freeMemory(const std::string& busId) const {
        void* device = nullptr;
        Memory memory{};
        if (!ready_ || handle_(busId.c_str(), &device) != 0 || memory_(device, &memory) != 0) return std::nullopt;
        return memory.free;
    }

private:
    struct Memory {
        unsigned long long total, free, used;
    };
    template <class F>
    F symbol(const char* name) const {
        return reinterpret_cast<F>(dlsym(library_, name));
    }
    void* library_ = nullptr;
    bool ready_ = false;
    int (*handle_)(const char*, void**) = nullptr;
    int (*memory_)(void*, Memory*) = nullptr;
    int (*driver_)(char*, unsigned) = nullptr;
};

const ManagementLibrary& management() {
    static const ManagementLibrary library;
    return library;
}

struct FixedFacts {
    DeviceInfo info;
    DeviceLimits limits;
    std::string busId;
};

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    checkNoThrow(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

const std::vector<FixedFacts>& fixedFacts() {
    static const std::vector<FixedFacts> facts = [] {
        std::vector<FixedFacts> all;
        int driver = 0;
        checkNoThrow(cudaDriverGetVersion(&driver));
        for (int d = 0; d < deviceCount(); ++d) {
            cudaDeviceProp p{};
            check(cudaGetDeviceProperties(&p, d), "A CUDA device could not be asked for its properties");
            FixedFacts f;
            f.info.index = d;
            f.info.name = p.name;
            f.info.memoryTotal = p.totalGlobalMem;
            f.limits.cacheBytes = static_cast<std::uint64_t>(p.l2CacheSize);
            f.limits.multiprocessors = p.multiProcessorCount;
            std::array<char, 32> bus{};
            if (checkNoThrow(cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), d))) f.busId = bus.data();
            auto& details = f.info.details;
            details.emplace_back("compute capability", std::to_string(p.major) + "." + std::to_string(p.minor));
            details.emplace_back("multiprocessors", std::to_string(p.multiProcessorCount));
            details.emplace_back("clock", std::to_string(attribute(cudaDevAttrClockRate, d) / 1000) + " MHz");
            const double memoryClock = attribute(cudaDevAttrMemoryClockRate, d);  // kHz, two transfers a cycle
            details.emplace_back("memory bus", std::to_string(p.memoryBusWidth) + " bit, " + fixed(memoryClock / 1000, 0) + " MHz");
            details.emplace_back("memory bandwidth (theoretical)", fixed(2e-6 * memoryClock * p.memoryBusWidth / 8, 0) + " GB/s");
            details.emplace_back("L2 cache", fixed(static_cast<double>(p.l2CacheSize) / (1 << 20), 1) + " MiB");
            details.emplace_back("shared memory per multiprocessor", std::to_string(p.sharedMemPerMultiprocessor / 1024) + " KiB");
            details.emplace_back("ECC", p.ECCEnabled ? "on" : "off");
            details.emplace_back("PCI", f.busId);
            if (const std::string version = management().driverVersion(); !version.empty()) details.emplace_back("driver", version);
            details.emplace_back("driver supports CUDA", cudaVersion(driver));
            details.emplace_back("CUDA runtime", cudaVersion(CUDART_VERSION));
            all.push_back(std::move(f));
        }
        return all;
    }();
    return facts;
}

Availability findAvailability() {
    int driver = 0;
    // 0 without an error when no driver is installed; every other call would call that an old driver.
    if (const cudaError_t e = cudaDriverGetVersion(&driver); e != cudaSuccess) {
        (void)cudaGetLastError();
        return {false, std::string("The NVIDIA driver does not answer: ") + cudaGetErrorString(e), "Check the driver with nvidia-smi"};
    }
    if (driver == 0) return {false, "No NVIDIA driver is installed", "Install the driver of your NVIDIA GPU, or use another backend"};
    if (driver / 1000 < CUDART_VERSION / 1000)
        return {false,
                "The NVIDIA driver is too old: it supports CUDA " + cudaVersion(driver) + ", this needs " + cudaVersion(CUDART_VERSION),
                "Update the NVIDIA driver"};
    int count = 0;
    if (const cudaError_t e = cudaGetDeviceCount(&count); e != cudaSuccess) {
        (void)cudaGetLastError();
        if (e == cudaErrorNoDevice) return {false, "No CUDA device was found", "Check nvidia-smi and the variable CUDA_VISIBLE_DEVICES"};
        return {false, std::string("CUDA does not start: ") + cudaGetErrorString(e), "Check the driver with nvidia-smi"};
    }
    if (count == 0) return {false, "No CUDA device was found", "Check nvidia-smi and the variable CUDA_VISIBLE_DEVICES"};
    return {};
}

}  // namespace

const Availability& cudaAvailability() {
    static const Availability availability = findAvailability();
    return availability;
}

int deviceCount() {
    static const int count = [] {
        int n = 0;
        if (!cudaAvailability().yes || !checkNoThrow(cudaGetDeviceCount(&n))) return 0;
        return n;
    }();
    return count;
}

std::vector<DeviceInfo> listDevices() {
    std::vector<DeviceInfo> devices;
    for (const FixedFacts& f : fixedFacts()) {
        DeviceInfo info = f.info;
        if (const auto free = management().freeMemory(f.busId)) {
            info.memoryFree = *free;
        } else {
            const CurrentDevice current(info.index, std::nothrow);
            std::size_t free2 = 0, total = 0;
            info.memoryFree = checkNoThrow(cudaMemGetInfo(&free2, &total)) ? free2 : 0;
        }
        info.memoryFree += MemoryPool::idleBytes(info.index);
        if (info.memoryFree > info.memoryTotal) info.memoryFree = info.memoryTotal;
        devices.push_back(std::move(info));
    }
    return devices;
}

const DeviceLimits& deviceLimits(int device) { return fixedFacts().at(static_cast<std::size_t>(device)).limits; }

}  // namespace parallax::gpu
