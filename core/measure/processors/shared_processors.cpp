// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/processors/shared_processors.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "core/image/host/processors.hpp"
#include "core/measure/ceilings/ceiling_team.hpp"

namespace parallax {

SharedProcessors::SharedProcessors() : all_(usableProcessors()), ordered_(measuringProcessors()), team_(all_), caller_(all_) {}

void SharedProcessors::use(int threads) {
    std::vector<int> wanted = all_;
    if (threads > 0 && static_cast<std::size_t>(threads) < ordered_.size()) {
        wanted.assign(ordered_.begin(), ordered_.begin() + threads);
        std::sort(wanted.begin(), wanted.end());
    }
    if (wanted == caller_) return;
    std::vector<int> team = threads == 1 ? all_ : wanted;
    const pid_t process = getpid(), except = gettid() == process ? 0 : process;
    // Threads that the caller started have its processors.
    for (const auto* from : {&team_, &caller_})
        if (*from != team) rebindThreads(process, *from, team, except);
    bindTo(wanted);
    team_ = std::move(team);
    caller_ = std::move(wanted);
}

}  // namespace parallax
