// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "core/engine/backend/resource_limits.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/management_library.hpp"
#include "gpu/runtime/memory/memory_pool.hpp"

namespace parallax::gpu {
namespace {

std::string cudaVersion(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

/// Independent of the locale.
std::string fixed(double value, int digits) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits).ptr};
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

/// "1, 2", the other devices whose memory this one can access, or "none"; empty if there is no other device.
std::string peersOf(int device) {
    std::string peers;
    for (int peer = 0; peer < deviceCount(); ++peer) {
        int can = 0;
        if (peer == device || !checkNoThrow(cudaDeviceCanAccessPeer(&can, device, peer)) || can == 0) continue;
        peers += (peers.empty() ? "device " : ", ") + std::to_string(peer);
    }
    return peers.empty() && deviceCount() > 1 ? "none" : peers;
}

const std::vector<FixedFacts>& fixedFacts() {
    static const std::vector<FixedFacts> facts = [] {
        std::vector<FixedFacts> all;
        int driver = 0;
        checkNoThrow(cudaDriverGetVersion(&driver));
        for (int d = 0; d < deviceCount(); ++d) {
            cudaDeviceProp p{};
            check(cudaGetDeviceProperties(&p, d), "The properties of a CUDA device could not be read");
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
            if (const std::string version = management::driverVersion(); !version.empty()) details.emplace_back("driver", version);
            if (const unsigned limit = management::powerLimit(f.busId); limit > 0)
                details.emplace_back("power limit", std::to_string(limit / 1000) + " W");
            if (const std::string peers = peersOf(d); !peers.empty()) details.emplace_back("reaches by peer access", peers);
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
    // Returns 0 without an error if no driver is installed; other calls would report an old driver.
    if (const cudaError_t e = cudaDriverGetVersion(&driver); e != cudaSuccess) {
        (void)cudaGetLastError();
        return {false, std::string("The NVIDIA driver does not answer: ") + cudaGetErrorString(e), "Check the driver with nvidia-smi"};
    }
    if (driver == 0) return {false, "No NVIDIA driver is installed", "Install the driver of your NVIDIA GPU, or use another backend"};
    if (driver / 1000 < CUDART_VERSION / 1000)
        return {false,
                "The NVIDIA driver is too old: it supports CUDA " + cudaVersion(driver) + ", but " + cudaVersion(CUDART_VERSION) +
                    " is required",
                "Update the NVIDIA driver"};
    int count = 0;
    if (const cudaError_t e = cudaGetDeviceCount(&count); e != cudaSuccess) {
        (void)cudaGetLastError();
        if (e == cudaErrorNoDevice) return {false, "No CUDA device was found", "Check nvidia-smi and the variable CUDA_VISIBLE_DEVICES"};
        return {false, std::string("CUDA could not be initialised: ") + cudaGetErrorString(e), "Check the driver with nvidia-smi"};
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

namespace {

constexpr const char* kMemoryLimitName = "PARALLAX_CUDA_MEMORY_LIMIT";

/// Returns the limit in bytes of kMemoryLimitName (MiB); empty if that is not a number.
std::optional<std::uint64_t> memoryLimit() {
    const char* text = std::getenv(kMemoryLimitName);
    if (!text || *text == '\0') return ~std::uint64_t{0};
    const std::string_view digits = text;
    std::uint64_t mebibytes = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), mebibytes);
    if (error != std::errc() || end != digits.data() + digits.size() || mebibytes == 0 || mebibytes >> 40 != 0) return std::nullopt;
    return mebibytes << 20;
}

}  // namespace

std::vector<DeviceInfo> listDevices() {
    std::vector<DeviceInfo> devices;
    for (const FixedFacts& f : fixedFacts()) {
        DeviceInfo info = f.info;
        info.clockStepNs = 500;  // resolution of CUDA events, see cudaEventElapsedTime
        if (const auto free = management::freeMemory(f.busId)) {
            info.memoryFree = *free;
        } else {
            const CurrentDevice current(info.index, std::nothrow);
            std::size_t free2 = 0, total = 0;
            info.memoryFree = checkNoThrow(cudaMemGetInfo(&free2, &total)) ? free2 : 0;
        }
        info.memoryFree += MemoryPool::idleBytes(info.index);
        info.memoryFree = std::min({info.memoryFree, info.memoryTotal, memoryLimit().value_or(~std::uint64_t{0})});
        devices.push_back(std::move(info));
    }
    return devices;
}

std::uint64_t freeDeviceMemory(int device) {
    const std::uint64_t limit = resourceLimits().deviceBytes;
    for (const DeviceInfo& d : listDevices())
        if (d.index == device) return limit > 0 ? std::min(d.memoryFree, limit) : d.memoryFree;
    return 0;
}

void checkMemoryLimit() {
    if (memoryLimit()) return;
    throw Error(ErrorCode::usage, std::string(kMemoryLimitName) + " is '" + std::getenv(kMemoryLimitName) + "'",
                "it must be a whole number of MiB without a unit", "Set it to a number such as 24, or unset it");
}

DeviceState deviceState(int device) {
    if (device < 0 || device >= deviceCount()) return {};
    return management::state(fixedFacts().at(static_cast<std::size_t>(device)).busId);
}

EnergyReading energyOf(int device) {
    if (device < 0 || device >= deviceCount()) return {{}, {}, "there is no such device"};
    const management::Energy energy = management::energy(fixedFacts().at(static_cast<std::size_t>(device)).busId);
    if (!energy.millijoules) return {{}, {}, energy.reason};
    return {static_cast<double>(*energy.millijoules) * 1e-3, "NVML", {}};
}

std::vector<Condition> conditionsOf(const DeviceState& s) {
    // Bits of nvmlClocksEventReasons.
    constexpr std::uint64_t kPowerCap = 0x4, kHardware = 0x8, kSoftThermal = 0x20, kHardThermal = 0x40, kPowerBrake = 0x80;
    const std::string now = " (now " + std::to_string(s.clockMHz) + " MHz, " + std::to_string(s.celsius) + " degrees Celsius)";
    std::vector<Condition> all;
    if (s.clockReasons & (kSoftThermal | kHardThermal))
        all.push_back({"gpu-throttled", "The GPU has lowered its clocks because of its temperature" + now,
                       "Let it cool down or improve its cooling"});
    if (s.clockReasons & kPowerCap)
        all.push_back({"gpu-power-cap", "The GPU has lowered its clocks to stay within its power limit" + now,
                       "Lock the clocks at a lower rate with 'nvidia-smi --lock-gpu-clocks'"});
    if (s.clockReasons & kPowerBrake || (s.clockReasons & kHardware && !(s.clockReasons & kHardThermal)))
        all.push_back(
            {"gpu-slowdown", "The hardware has lowered the clocks of the GPU" + now, "Check its power supply and 'nvidia-smi -q'"});
    if (s.otherProcesses > 0)
        all.push_back(
            {"gpu-shared", std::to_string(s.otherProcesses) + " other process(es) use this GPU", "End them or choose another device"});
    return all;
}

const DeviceLimits& deviceLimits(int device) { return fixedFacts().at(static_cast<std::size_t>(device)).limits; }

}  // namespace parallax::gpu
