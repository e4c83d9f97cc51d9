// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/rank_hosts.hpp"

#include <algorithm>

#include "core/parallel/ranks.hpp"

namespace parallax {

std::vector<RankHost> hostsOfRanks(std::span<const std::string> hosts, std::span<const std::string> processors,
                                   std::span<const int> threads) {
    std::vector<RankHost> all;
    for (std::size_t r = 0; r < hosts.size(); ++r) {
        auto known = std::find_if(all.begin(), all.end(), [&](const RankHost& h) { return h.name == hosts[r]; });
        if (known == all.end()) known = all.insert(all.end(), {.name = hosts[r], .processor = processors[r]});
        ++known->ranks;
        known->threads += threads[r];
    }
    return all;
}

std::vector<RankHost> hostsOfRanks(const Ranks& ranks, int count) {
    std::vector<std::string> hosts, processors;
    std::vector<int> threads;
    for (int r = 0; r < count; ++r) {
        hosts.push_back(ranks.host(r));
        processors.push_back(ranks.processor(r));
        threads.push_back(ranks.threads(r));
    }
    return hostsOfRanks(hosts, processors, threads);
}

}  // namespace parallax
