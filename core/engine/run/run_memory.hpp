// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace parallax {

/// Bytes of one run besides its input: workspace, results and buffers between steps.
struct RunMemory {
    std::uint64_t estimatedHost = 0, estimatedDevice = 0;  ///< planned before the run
    std::uint64_t host = 0;     ///< the most that arrays and buffers took in memory, with those that other work took meanwhile
    std::uint64_t scratch = 0;  ///< likewise in scratch files
    std::uint64_t device = 0;   ///< the most that the run took on its device; 0: unknown, or no device
};

}  // namespace parallax
