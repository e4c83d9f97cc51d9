// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/host/host_memory.hpp"

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "core/image/host/control_groups.hpp"

namespace parallax {

HostMemory hostMemory() {
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

}  // namespace parallax
