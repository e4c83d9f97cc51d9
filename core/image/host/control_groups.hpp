// SPDX-License-Identifier: GPL-3.0-or-later
// Limits of the control groups (cgroups) of this process. Containers, batch systems and systemd set them; /proc/meminfo and the processor
// affinity ignore them, but the system kills or throttles a process that exceeds them.
#pragma once

#include <string>
#include <vector>

#include "core/image/host/host_memory.hpp"

namespace parallax {

/// Control groups of version 1 and 2 (Documentation/admin-guide/cgroup-v1 and cgroup-v2.rst of Linux). A group is limited by its own limits
/// and by those of all groups that contain it. Missing or unreadable files count as no limit; nothing throws.
class ControlGroups {
public:
    /// Finds where the groups are mounted. `root` is the folder that stands for "/" (for tests; no slash at the end).
    explicit ControlGroups(std::string root = {});

    /// `machine`, reduced to the smallest limit of the groups. Like MemAvailable of the system, the available memory counts the file cache
    /// of a group as free, since the system releases it first.
    HostMemory limited(HostMemory machine) const;

    /// Processors that the groups grant, as in `docker run --cpus 1.5`; 0: no quota.
    double processors() const;

private:
    struct Mount {
        std::string controller;  // empty: version 2
        std::string group;       // the group that is mounted
        std::string folder;
    };
    /// The folders of the group of this process and of those that contain it; none if the controller is not mounted.
    std::vector<std::string> levels(const std::string& controller) const;

    std::string root_;
    std::vector<Mount> mounts_;
};

/// `processors`, at most the quota of the control groups rounded up to whole processors. The quota is read once, at the first call.
int withinProcessorQuota(int processors);

}  // namespace parallax
