// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/grid_part.hpp"

#include <algorithm>
#include <vector>

namespace parallax::solvers {
namespace {

/// Rows of doubles, as the floats that a communicator takes.
View<float> asFloats(double* samples, std::int64_t width, std::int64_t rows) {
    return denseView(reinterpret_cast<float*>(samples), Shape{2 * width, rows, 1, 1});
}

}  // namespace

GridPart::GridPart(const Shape& grid) : width_(grid.width), unit_(1), own_{0, grid.height * grid.depth}, kept_(own_) {}

GridPart::GridPart(const Shape& grid, const PartRange& own, Communicator& communicator)
    : width_(grid.width),
      unit_(grid.depth > 1 ? grid.height : 1),
      own_{own.first * unit_, own.last * unit_},
      kept_(own_),
      communicator_(&communicator),
      parts_(placesOf(communicator, static_cast<std::size_t>(own_.count()))) {
    if (own_.empty()) return;
    kept_ = {std::max<std::int64_t>(0, own_.first - unit_), std::min(grid.height * grid.depth, own_.last + unit_)};
}

void GridPart::exchange(double* kept) const {
    if (!communicator_) return;
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    const auto row = [&](std::int64_t line) { return kept + (line - kept_.first) * width_; };
    const std::int64_t all = parts_.units();
    // The rows before a rank's own, and those after them, belong to one other rank each. In the same order on all ranks.
    for (int to = 0; to < parts_.parts(); ++to) {
        const PartRange theirs = parts_[to];
        if (theirs.empty()) continue;
        for (const std::int64_t first : {theirs.first - unit_, theirs.last}) {
            if (first < 0 || first >= all) continue;
            const int from = parts_.ownerOf(first);
            if (from == communicator_->rank()) sends.push_back({to, asFloats(row(first), width_, unit_)});
            if (to == communicator_->rank()) receives.push_back({from, asFloats(row(first), width_, unit_)});
        }
    }
    if (!sends.empty() || !receives.empty()) communicator_->startExchange(std::move(sends), std::move(receives))->finish();
}

double GridPart::sum(std::span<const double> ofRows) const {
    double all = 0;
    if (communicator_)
        for (const double s : gatherBlocks<double>(*communicator_, ofRows)) all += s;
    else
        for (const double s : ofRows) all += s;
    return all;
}

}  // namespace parallax::solvers
