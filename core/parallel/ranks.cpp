// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/ranks.hpp"

#include <utility>

namespace parallax {
namespace {

std::shared_ptr<Ranks>& ranksOfProcess() {
    static std::shared_ptr<Ranks> ranks;
    return ranks;
}

}  // namespace

std::shared_ptr<Ranks> processRanks() { return ranksOfProcess(); }
void setProcessRanks(std::shared_ptr<Ranks> ranks) { ranksOfProcess() = std::move(ranks); }

}  // namespace parallax
