// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include "core/parallel/thread_team.hpp"
#include "tests/support/rank_kinds.hpp"

namespace parallax {

std::vector<std::string> rankKinds() { return {"threads"}; }
void useRanks(const std::string&) {}
bool hasRanks(int) { return true; }

void runOnRanks(int size, const std::function<void(Communicator&)>& work, const std::stop_token& stop) {
    static std::map<int, ThreadTeam> teams;
    teams.try_emplace(size, size).first->second.run(work, stop);
}

}  // namespace parallax
