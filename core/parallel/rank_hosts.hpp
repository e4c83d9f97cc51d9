// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

namespace parallax {

/// A machine of the ranks of a run.
struct RankHost {
    std::string name;       ///< empty in redacted records
    std::string processor;  ///< name of its CPU
    int ranks = 0;
    int threads = 0;  ///< that these ranks may use together
};

/// Returns the machines in the order of their first rank. One element of each argument for each rank.
std::vector<RankHost> hostsOfRanks(std::span<const std::string> hosts, std::span<const std::string> processors,
                                   std::span<const int> threads);

class Ranks;
/// Returns those of the first `count` ranks.
std::vector<RankHost> hostsOfRanks(const Ranks& ranks, int count);

}  // namespace parallax
