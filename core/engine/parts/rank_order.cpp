// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/parts/rank_order.hpp"

#include "core/engine/parts/order_bytes.hpp"

namespace parallax {
namespace {

/// Calls each(member) in the order in which they are sent.
template <class Order, class F>
void forEachMember(Order& order, F& each) {
    each(order.kind);
    each(order.id);
    if (order.kind == RankOrder::Kind::job) {
        each(order.layer);
        each(order.job);
    }
    if (order.kind != RankOrder::Kind::prepare) return;
    each(order.build);
    each(order.target.backend);
    each(order.target.variant);
    each(order.target.device);
    each(order.target.threads);
    each(order.target.modes);
    each(order.target.parts);
    each(order.target.otherDevices);
    each(order.steps);
    each(order.implementations);
    each(order.problem.shape);
    each(order.problem.channelNames);
    each(order.problem.alphaChannel);
    each(order.problem.statistics);
    each(order.problem.spacing);
    each(order.problem.facts);
}

}  // namespace

std::vector<std::byte> RankOrder::bytes() const {
    OrderWriter writer;
    forEachMember(*this, writer);
    return writer.take();
}

RankOrder RankOrder::of(std::span<const std::byte> bytes) {
    OrderReader reader(bytes);
    RankOrder order;
    forEachMember(order, reader);
    return order;
}

}  // namespace parallax
