// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/host/host_memory.hpp"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/image/host/control_groups.hpp"

namespace parallax {

namespace {

HostMemory readHostMemory() {
    HostMemory memory;
    const std::pair<const char*, std::uint64_t*> fields[] = {
        {"MemTotal:", &memory.total}, {"MemAvailable:", &memory.available}, {"SwapFree:", &memory.swapFree}};
    std::ifstream meminfo("/proc/meminfo");
    for (std::string key, line; meminfo >> key && std::getline(meminfo, line);)
        for (const auto& [name, value] : fields)
            if (key == name) *value = std::strtoull(line.c_str(), nullptr, 10) * 1024;
    static const ControlGroups groups;
    return groups.limited(memory);
}

}  // namespace

HostMemory hostMemory() {
    // A dozen files are read, as long as a small run takes; in this time not much memory can be taken.
    constexpr std::chrono::milliseconds kCurrent(10);
    static std::mutex mutex;
    static HostMemory memory;
    static std::optional<std::chrono::steady_clock::time_point> when;
    const std::lock_guard lock(mutex);
    if (const auto now = std::chrono::steady_clock::now(); !when || now - *when > kCurrent) {
        memory = readHostMemory();
        when = now;
    }
    return memory;
}

}  // namespace parallax
