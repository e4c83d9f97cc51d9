// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/parts/rank_order.hpp"

#include "core/engine/backend/target_bytes.hpp"
#include "core/engine/operation/fact_bytes.hpp"

namespace parallax {

template <Is<RankOrder> T, class F>
void forEachMember(T& order, F& each) {
    each(order.kind), each(order.id);
    if (order.kind == RankOrder::Kind::job) each(order.layer), each(order.job);
    if (order.kind != RankOrder::Kind::prepare) return;
    each(order.build), each(order.target), each(order.steps), each(order.implementations);
    auto& problem = order.problem;
    each(problem.shape), each(problem.channelNames), each(problem.alphaChannel), each(problem.statistics), each(problem.spacing),
        each(problem.facts);
}

std::vector<std::byte> RankOrder::bytes() const { return bytesOf(*this); }

RankOrder RankOrder::of(std::span<const std::byte> bytes) { return messageOf<RankOrder>(bytes); }

}  // namespace parallax
