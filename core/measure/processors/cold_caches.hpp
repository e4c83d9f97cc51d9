// SPDX-License-Identifier: GPL-3.0-or-later
// Empties the caches of the CPU, so that a timing sample begins with its data in memory alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/measure/ceilings/ceiling_team.hpp"

namespace parallax {

/// Bytes to read and write so that nothing else is left in the caches of these processors: twice all their last-level caches, by each
/// thread at least twice its own L2. 64 MiB if the system does not tell the sizes. `root`: of sys/.
std::size_t bytesToEmptyCaches(const std::vector<int>& processors, const std::string& root = "/");

class HostCaches {
public:
    /// Allocates the memory to read and write. Throws Error(memory).
    HostCaches();
    /// Reads and writes it with one bound thread on each processor of this process, whose private caches are emptied, too. Also code and
    /// page tables are evicted. Throws Error(memory) if the system refuses threads.
    void empty();
    std::size_t bytes() const { return bytes_; }

private:
    std::vector<int> processors_;
    std::size_t bytes_;
    HugePages memory_;
};

}  // namespace parallax
