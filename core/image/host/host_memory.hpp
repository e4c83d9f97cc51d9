// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that this process may use, as the system states it.
#pragma once

#include <cstdint>

namespace parallax {

/// Bytes; all 0 where the system does not state them.
struct HostMemory {
    std::uint64_t total = 0;
    std::uint64_t available = 0;  ///< without swapping; includes the page cache, which the system can release
    std::uint64_t swapFree = 0;
};

/// The memory of the machine (/proc/meminfo) within the limits of the control groups of this process (ControlGroups). Does not throw.
HostMemory hostMemory();

}  // namespace parallax
