// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/host/control_groups.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>

namespace parallax {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

bool lists(const std::string& commaSeparated, const std::string& name) {
    return ("," + commaSeparated + ",").find("," + name + ",") != std::string::npos;
}

/// The number in a file; `fallback` for "max" or if there is none.
std::uint64_t numberIn(const std::string& path, std::uint64_t fallback) {
    std::uint64_t value = 0;
    return std::ifstream(path) >> value ? value : fallback;
}

std::uint64_t difference(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

/// Sum of two entries of memory.stat.
std::uint64_t fileCache(const std::string& path, const std::string& prefix) {
    std::ifstream stat(path);
    std::uint64_t sum = 0, value = 0;
    for (std::string key; stat >> key >> value;)
        if (key == prefix + "inactive_file" || key == prefix + "active_file") sum += value;
    return sum;
}

void reduce(HostMemory& memory, std::uint64_t limit, std::uint64_t used) {
    const std::uint64_t available = difference(limit, used);
    memory.available = memory.total > 0 ? std::min(memory.available, available) : available;
    memory.total = memory.total > 0 ? std::min(memory.total, limit) : limit;
}

void applyVersion2(HostMemory& memory, const std::string& group) {
    if (const std::uint64_t limit = numberIn(group + "memory.max", kUnlimited); limit != kUnlimited)
        reduce(memory, limit, difference(numberIn(group + "memory.current", 0), fileCache(group + "memory.stat", "")));
    if (const std::uint64_t limit = numberIn(group + "memory.swap.max", kUnlimited); limit != kUnlimited)
        memory.swapFree = std::min(memory.swapFree, difference(limit, numberIn(group + "memory.swap.current", 0)));
}

void applyVersion1(HostMemory& memory, const std::string& group) {
    // "No limit" is a number beyond the memory of any machine.
    const std::uint64_t limit = numberIn(group + "memory.limit_in_bytes", kUnlimited);
    // Memory and swap together.
    const std::uint64_t both = numberIn(group + "memory.memsw.limit_in_bytes", kUnlimited);
    if (memory.total > 0 && std::min(limit, both) >= memory.total) return;
    const std::uint64_t cache = fileCache(group + "memory.stat", "total_");
    if (limit != kUnlimited) reduce(memory, limit, difference(numberIn(group + "memory.usage_in_bytes", 0), cache));
    if (both != kUnlimited) {
        const std::uint64_t free = difference(both, difference(numberIn(group + "memory.memsw.usage_in_bytes", 0), cache));
        memory.available = std::min(memory.available, free);
        memory.swapFree = std::min(memory.swapFree, free - memory.available);
    }
}

}  // namespace

ControlGroups::ControlGroups(std::string root) : root_(std::move(root)) {
    // Fields: id, parent, device, mounted folder of the file system, mount point, options, optional fields, "-", type, source, options.
    std::ifstream mounts(root_ + "/proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);) {
        const std::size_t separator = line.find(" - ");
        if (separator == std::string::npos) continue;
        std::istringstream place(line.substr(0, separator)), system(line.substr(separator + 3));
        std::string skipped, group, folder, type, options;
        place >> skipped >> skipped >> skipped >> group >> folder;
        system >> type >> skipped >> options;
        if (type == "cgroup2") mounts_.push_back({"", group, folder});
        for (const char* const controller : {"memory", "cpu"})
            if (type == "cgroup" && lists(options, controller)) mounts_.push_back({controller, group, folder});
    }
}

std::vector<std::string> ControlGroups::levels(const std::string& controller) const {
    const auto mount =
        std::find_if(mounts_.begin(), mounts_.end(), [&](const Mount& candidate) { return candidate.controller == controller; });
    if (mount == mounts_.end()) return {};
    // "hierarchy:controllers:path"; no controllers in version 2.
    std::ifstream groups(root_ + "/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (controller.empty() ? !controllers.empty() : !lists(controllers, controller)) continue;
        // Containers may mount only their own group, or show the path as that of the machine, which is not mounted.
        std::string path = line.substr(second + 1);
        const std::string above = mount->group == "/" ? "" : mount->group;
        path = (path + "/").starts_with(above + "/") && path.find("/..") == std::string::npos ? path.substr(above.size()) : "";
        std::vector<std::string> folders;
        for (; path.size() > 1; path.resize(path.rfind('/'))) folders.push_back(root_ + mount->folder + path + "/");
        folders.push_back(root_ + mount->folder + "/");
        return folders;
    }
    return {};
}

HostMemory ControlGroups::limited(HostMemory machine) const {
    for (const std::string& group : levels("")) applyVersion2(machine, group);
    for (const std::string& group : levels("memory")) applyVersion1(machine, group);
    return machine;
}

double ControlGroups::processors() const {
    double fewest = 0;
    const auto apply = [&](double quota, double period) {
        if (quota > 0 && period > 0) fewest = fewest > 0 ? std::min(fewest, quota / period) : quota / period;
    };
    for (const std::string& group : levels("")) {
        double quota = 0, period = 0;
        // "max 100000" without a quota.
        if (std::ifstream(group + "cpu.max") >> quota >> period) apply(quota, period);
    }
    for (const std::string& group : levels("cpu")) {
        double quota = 0, period = 0;
        // -1 without a quota.
        if (std::ifstream(group + "cpu.cfs_quota_us") >> quota && std::ifstream(group + "cpu.cfs_period_us") >> period)
            apply(quota, period);
    }
    return fewest;
}

int withinProcessorQuota(int processors) {
    static const double quota = ControlGroups().processors();
    return quota > 0 && quota < processors ? static_cast<int>(std::ceil(quota)) : processors;
}

}  // namespace parallax
