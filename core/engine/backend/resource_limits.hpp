// SPDX-License-Identifier: GPL-3.0-or-later
// Limits of this process below the resources of the machine, as chosen in the window's settings.
#pragma once

#include <cstdint>

namespace parallax {

/// 0: no limit.
struct ResourceLimits {
    int threads = 0;                ///< of runs that do not name a number themselves
    std::uint64_t hostBytes = 0;    ///< memory of the process, see setHostMemoryLimit(); larger images are in scratch files
    std::uint64_t deviceBytes = 0;  ///< memory of a device that a run may use; runs that need more are divided into strips
    friend bool operator==(const ResourceLimits&, const ResourceLimits&) = default;
};

/// Thread-safe; applies to runs that are prepared later.
void setResourceLimits(const ResourceLimits& limits);
ResourceLimits resourceLimits();

}  // namespace parallax
