// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/all_to_all.hpp"

#include <algorithm>
#include <utility>

namespace parallax {

void allToAll(Communicator& communicator, const std::vector<View<const float>>& to, const std::vector<View<float>>& from) {
    const auto ranks = static_cast<std::size_t>(communicator.size()), own = static_cast<std::size_t>(communicator.rank());
    if (to.size() != ranks || from.size() != ranks || to[own].shape != from[own].shape)
        throw Error(ErrorCode::failed, "Two parts disagree on the samples that they exchange");
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    for (std::size_t r = 0; r < ranks; ++r) {
        if (r == own) continue;
        if (!to[r].shape.empty()) sends.push_back({static_cast<int>(r), to[r]});
        if (!from[r].shape.empty()) receives.push_back({static_cast<int>(r), from[r]});
    }
    const std::unique_ptr<HaloExchange> exchange = communicator.startExchange(std::move(sends), std::move(receives));
    const Shape& shape = to[own].shape;
    for (std::int64_t c = 0; c < shape.channels; ++c)
        for (std::int64_t z = 0; z < shape.depth; ++z)
            for (std::int64_t y = 0; y < shape.height; ++y)
                if (shape.width > 0) std::copy_n(to[own].row(y, z, c), shape.width, from[own].row(y, z, c));
    exchange->finish();
}

}  // namespace parallax
