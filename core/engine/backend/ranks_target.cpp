// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/backend/ranks_target.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

#include "core/engine/backend/catalog.hpp"

namespace parallax {

namespace {

constexpr std::string_view kDeviceBackend = "cuda";

}  // namespace

int defaultRanks() {
    static const int cores = [] {
        cpu_set_t usable;
        CPU_ZERO(&usable);
        if (sched_getaffinity(0, sizeof usable, &usable) != 0) return 1;
        std::set<std::string> siblings;
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (!CPU_ISSET(cpu, &usable)) continue;
            std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
            std::string threads;
            siblings.insert(std::getline(file, threads) ? threads : std::to_string(cpu));
        }
        return std::clamp(static_cast<int>(siblings.size()), 1, kMaxParts);
    }();
    return cores;
}

int defaultRanks(std::string_view variant) {
    if (variant.substr(0, variant.find('.')) != kDeviceBackend) return defaultRanks();
    const Backend& devices = processCatalog().backend(kDeviceBackend);
    return std::clamp(static_cast<int>(devices.devices().size()), 1, kMaxParts);
}

}  // namespace parallax
