// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <typeindex>
#include <utility>
#include <vector>

#include "core/engine/operation/operation.hpp"

namespace parallax {

/// Plans made for a problem, one of each type. They are dropped when they are requested for another problem.
class PlanCache {
public:
    std::shared_ptr<const void> find(const Problem& problem, std::type_index type) const;
    void store(const Problem& problem, std::type_index type, std::shared_ptr<const void> plan);

private:
    struct Key {
        Shape shape;
        std::vector<std::string> channelNames;
        int alphaChannel = -1;
        SampleStatistics statistics;
        std::array<double, 3> spacing{};
        std::uint64_t parameters = 0;  ///< ParameterBlock::revision()
        std::vector<Fact> facts;
        bool matches(const Problem& problem) const;
    };
    mutable std::mutex mutex_;
    Key key_;
    std::vector<std::pair<std::type_index, std::shared_ptr<const void>>> plans_;
};

/// make(), or the Plan that was made for the same problem before: an operation and its implementations are asked many questions about one
/// problem, all of which follow from its plan.
template <class Plan, class Make>
Plan planOnce(const Problem& problem, Make&& make) {
    if (!problem.plans) return make();
    std::shared_ptr<const void> known = problem.plans->find(problem, typeid(Plan));
    if (!known) {
        known = std::make_shared<const Plan>(make());
        problem.plans->store(problem, typeid(Plan), known);
    }
    return *static_cast<const Plan*>(known.get());
}

}  // namespace parallax
