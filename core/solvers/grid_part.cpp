// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/grid_part.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace parallax::solvers {

GridPart::GridPart(const Shape& grid)
    : GridPart(grid.width, grid.depth > 1 ? grid.height : 1, Partition(grid.depth > 1 ? grid.depth : grid.height, 1), nullptr, 1) {}

GridPart::GridPart(const Shape& grid, const PartRange& own, Communicator& communicator)
    : GridPart(grid.width, grid.depth > 1 ? grid.height : 1, placesOf(communicator, static_cast<std::size_t>(own.count())), &communicator,
               1) {}

GridPart::GridPart(std::int64_t width, std::int64_t unit, Partition units, Communicator* communicator, std::int64_t reach, bool isCoarse)
    : width_(width), unit_(unit), units_(std::move(units)), communicator_(communicator) {
    const int rank = communicator ? communicator->rank() : 0;
    const auto neededBy = [&](const PartRange& r) {
        if (r.empty() && !isCoarse) return r;
        return PartRange{std::max<std::int64_t>(0, r.first - reach), std::min(units_.units(), r.last + reach)};
    };
    const PartRange own = units_[rank], kept = neededBy(own);
    own_ = {own.first * unit_, own.last * unit_};
    kept_ = {kept.first * unit_, kept.last * unit_};
    const auto add = [&](int to, int from) {
        const PartRange needed = neededBy(units_[to]);
        const std::int64_t first = std::max(needed.first, units_[from].first), last = std::min(needed.last, units_[from].last);
        if (first < last) pieces_.push_back({from == rank ? to : from, from == rank, first * unit_, (last - first) * unit_});
    };
    for (int other = 0; other < units_.parts(); ++other) {
        if (other == rank) continue;
        add(other, rank);
        add(rank, other);
    }
}

GridPart GridPart::withReach(std::int64_t reach) const { return {width_, unit_, units_, communicator_, reach}; }

GridPart GridPart::coarser(const Shape& grid, bool halved, std::int64_t reach) const {
    std::vector<std::int64_t> sizes;
    const auto coarse = [&](std::int64_t unit) { return halved ? (unit + 1) / 2 : unit; };
    for (int r = 0; r < units_.parts(); ++r) sizes.push_back(coarse(units_[r].last) - coarse(units_[r].first));
    // Volumes may have become one slice; they are divided by slices all the same.
    const Partition units = Partition::ofSizes(sizes);
    return {grid.width, grid.height * grid.depth / units.units(), units, communicator_, reach, true};
}

void GridPart::exchangeRows(float* kept, std::int64_t width) const {
    if (pieces_.empty()) return;
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    for (const Piece& p : pieces_) {
        const View<float> rows = denseView(kept + (p.first - kept_.first) * width, Shape{width, p.rows, 1, 1});
        if (p.sent) sends.push_back({p.rank, rows});
        else receives.push_back({p.rank, rows});
    }
    communicator_->startExchange(std::move(sends), std::move(receives))->finish();
}

Partition GridPart::places(std::size_t bytesOfRow) const {
    std::vector<std::int64_t> sizes;
    for (int r = 0; r < units_.parts(); ++r) sizes.push_back(units_[r].count() * unit_ * static_cast<std::int64_t>(bytesOfRow));
    return Partition::ofSizes(sizes);
}

double GridPart::sum(std::span<const double> ofRows) const {
    std::vector<double> gathered;
    if (communicator_) {
        gathered.resize(static_cast<std::size_t>(allRows()));
        communicator_->gather(std::as_bytes(ofRows), places(sizeof(double)), std::as_writable_bytes(std::span(gathered)), kEveryRank);
        ofRows = gathered;
    }
    double all = 0;
    for (const double s : ofRows) all += s;
    return all;
}

void GridPart::scatter(const double* all, double* own, int root) const {
    const auto rowsOf = [&](auto* samples, std::int64_t first, std::int64_t rows) {
        using Float = std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(samples)>>, const float, float>;
        return denseView(reinterpret_cast<Float*>(samples + first * width_), Shape{2 * width_, rows, 1, 1});
    };
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    if (communicator_->rank() == root) {
        std::copy_n(all + first() * width_, samples(), own);
        for (int r = 0; r < units_.parts(); ++r)
            if (r != root && !units_[r].empty()) sends.push_back({r, rowsOf(all, units_[r].first * unit_, units_[r].count() * unit_)});
    } else if (rows() > 0) {
        receives.push_back({root, rowsOf(own, 0, rows())});
    }
    communicator_->startExchange(std::move(sends), std::move(receives))->finish();
}

}  // namespace parallax::solvers
