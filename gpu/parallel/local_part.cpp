// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/parallel/local_part.hpp"

#include <algorithm>
#include <utility>

namespace parallax::gpu {

LocalPart::LocalPart(const ImagePart& part, std::int64_t reach, std::vector<int> channels, CudaSession& session)
    : part_(part), reach_(reach), channels_(std::move(channels)), interior_(part.range), edges_(edgesOf(part.range)) {
    for (Edge& edge : edges_) {
        edge.input = session.allocate(Shape{part.image.width, edge.needed.count(), 1, static_cast<std::int64_t>(channels_.size())});
        if (edge.rows.first == interior_.first) interior_.first = edge.rows.last;
        else interior_.last = edge.rows.first;
    }
}

/// The first and the last rows, or all of a small part. Those at the border of the image need no other part.
std::vector<LocalPart::Edge> LocalPart::edgesOf(const PartRange& part) const {
    const std::int64_t height = part_.image.height;
    const auto edge = [&](std::int64_t first, std::int64_t last) {
        return Edge{{first, last}, {std::max<std::int64_t>(0, first - reach_), std::min(height, last + reach_)}};
    };
    const std::int64_t above = part.first > 0 ? reach_ : 0, below = part.last < height ? reach_ : 0;
    std::vector<Edge> edges;
    if (part.empty() || above + below == 0) return edges;
    if (part.count() <= above + below) {
        edges.push_back(edge(part.first, part.last));
        return edges;
    }
    if (above > 0) edges.push_back(edge(part.first, part.first + above));
    if (below > 0) edges.push_back(edge(part.last - below, part.last));
    return edges;
}

std::unique_ptr<HaloExchange> LocalPart::startExchange(const View<const float>& in, Communicator& communicator) {
    const Partition parts = placesOf(communicator, static_cast<std::size_t>(part_.range.count()));
    const int rank = communicator.rank();
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    // In the same order on all parts; each is sent its own rows, too.
    for (int to = 0; to < parts.parts(); ++to) {
        const std::vector<Edge> edges = edgesOf(parts[to]);
        for (std::size_t e = 0; e < edges.size(); ++e)
            for (int from = 0; from < parts.parts(); ++from) {
                const PartRange& needed = edges[e].needed;
                const std::int64_t first = std::max(needed.first, parts[from].first), last = std::min(needed.last, parts[from].last);
                if (first >= last) continue;
                const Shape rows{part_.image.width, last - first, 1, 1};
                for (std::size_t c = 0; c < channels_.size(); ++c) {
                    if (from == rank) sends.push_back({to, denseView(in.row(first - part_.range.first, 0, channels_[c]), rows)});
                    if (to == rank)
                        receives.push_back(
                            {from,
                             denseView(edges_[e].input.view<float>().row(first - needed.first, 0, static_cast<std::int64_t>(c)), rows)});
                }
            }
    }
    return communicator.startExchange(std::move(sends), std::move(receives));
}

}  // namespace parallax::gpu
