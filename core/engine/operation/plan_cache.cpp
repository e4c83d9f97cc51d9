// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/operation/plan_cache.hpp"

#include <algorithm>

namespace parallax {

bool PlanCache::Key::matches(const Problem& problem) const {
    return parameters == problem.parameters.revision() && shape == problem.shape && alphaChannel == problem.alphaChannel &&
           statistics == problem.statistics && channelNames == problem.channelNames && spacing == problem.spacing && facts == problem.facts;
}

std::shared_ptr<const void> PlanCache::find(const Problem& problem, std::type_index type) const {
    const std::scoped_lock lock(mutex_);
    if (!key_.matches(problem)) return nullptr;
    const auto it = std::find_if(plans_.begin(), plans_.end(), [&](const auto& plan) { return plan.first == type; });
    return it == plans_.end() ? nullptr : it->second;
}

void PlanCache::store(const Problem& problem, std::type_index type, std::shared_ptr<const void> plan) {
    const std::scoped_lock lock(mutex_);
    if (!key_.matches(problem)) {
        plans_.clear();
        key_ = {problem.shape,   problem.channelNames,          problem.alphaChannel, problem.statistics,
                problem.spacing, problem.parameters.revision(), problem.facts};
    }
    plans_.emplace_back(type, std::move(plan));
}

}  // namespace parallax
