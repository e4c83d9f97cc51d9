// SPDX-License-Identifier: GPL-3.0-or-later
// The session of backends that compute in host memory, and the CPU as a device.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/resource_limits.hpp"
#include "core/image/host/control_groups.hpp"
#include "core/image/host/host_memory.hpp"
#include "core/image/host/memory_use.hpp"

namespace parallax {
namespace {

class SteadyClock final : public StageClock {
public:
    void begin(Stage stage) override {
        stage_ = stage;
        start_ = std::chrono::steady_clock::now();
        if (!running_) origin_ = start_;
        running_ = true;
    }
    void end() override {
        const auto end = std::chrono::steady_clock::now();
        times_[stage_] += nanoseconds(end - start_);
        times_.extendSpan(stage_, nanoseconds(start_ - origin_), nanoseconds(end - origin_));
    }
    StageTimes finish() override {
        running_ = false;
        times_.setOrigin(nanoseconds(origin_.time_since_epoch()));
        return std::exchange(times_, StageTimes{});
    }

private:
    static std::int64_t nanoseconds(std::chrono::steady_clock::duration d) {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(d).count();
    }

    Stage stage_ = Stage::compute;
    std::chrono::steady_clock::time_point start_, origin_;
    bool running_ = false;  // between the first stage of a run and finish()
    StageTimes times_;
};

class HostSession final : public BackendSession {
public:
    MemorySpace memorySpace() const override { return MemorySpace::host; }
    Buffer allocate(const Layout& layout) override { return Buffer(layout); }
    void upload(View<const float>, View<float>) override { throw Error(ErrorCode::failed, "Host memory needs no upload"); }
    void download(View<const float>, View<float>) override { throw Error(ErrorCode::failed, "Host memory needs no download"); }
    StageClock& clock() override { return clock_; }
    void drain() override {}

private:
    SteadyClock clock_;
};

std::atomic<int> threadLimit{0};
std::atomic<std::uint64_t> deviceLimit{0};

std::string readProcessorName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) {
            const auto colon = line.find(':');
            if (colon != std::string::npos && colon + 2 < line.size()) return line.substr(colon + 2);
        }
    return "Processor";
}

}  // namespace

void setResourceLimits(const ResourceLimits& limits) {
    threadLimit = limits.threads;
    setHostMemoryLimit(limits.hostBytes);
    deviceLimit = limits.deviceBytes;
}

ResourceLimits resourceLimits() { return {.threads = threadLimit, .hostBytes = hostMemoryLimit(), .deviceBytes = deviceLimit}; }

std::unique_ptr<BackendSession> makeHostSession() { return std::make_unique<HostSession>(); }

const std::string& processorName() {
    static const std::string name = readProcessorName();
    return name;
}

DeviceInfo hostDevice() {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    DeviceInfo device;
    device.name = processorName();
    const HostMemory memory = hostMemory();
    device.memoryTotal = memory.total > 0 ? memory.total : page * static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
    device.memoryFree = freeHostMemory();
    device.details.emplace_back("hardware threads", std::to_string(effectiveThreads({})));
    return device;
}

namespace {

/// Fewer than those of the machine in a container or under taskset.
int usableThreads() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return withinProcessorQuota(CPU_COUNT(&set));
    const unsigned n = std::thread::hardware_concurrency();
    return withinProcessorQuota(n ? static_cast<int>(n) : 1);
}

}  // namespace

int effectiveThreads(const RunContext& context) {
    if (context.threads > 0) return context.threads;
    const int limit = threadLimit, usable = usableThreads();
    return limit > 0 ? std::min(limit, usable) : usable;
}

}  // namespace parallax
