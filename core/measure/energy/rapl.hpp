// SPDX-License-Identifier: GPL-3.0-or-later
// Energy of the processors of this machine, from the counters of RAPL that Linux shows in a folder ("powercap" of the kernel's
// documentation). Processors of Intel and AMD have them, virtual machines mostly not; reading them usually needs rights of root.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/engine/backend/backend.hpp"

namespace parallax {

/// /sys/class/powercap, or the folder that PARALLAX_POWERCAP names, for tests.
std::string powercapFolder();

/// Sum of all packages and their memory ("dram"). Counters wrap around after minutes to hours, so it must be read more often than that.
class Rapl {
public:
    explicit Rapl(const std::string& folder = powercapFolder());
    /// Joules since the construction, or why there are none. Counters move about every millisecond.
    EnergyReading read();

private:
    struct Counter {
        std::string file;
        std::uint64_t range = 0;  // micro-joules at which it wraps around
        std::uint64_t last = 0;
    };
    std::string reason_;
    std::string source_;
    std::vector<Counter> counters_;
    double joules_ = 0;
};

}  // namespace parallax
