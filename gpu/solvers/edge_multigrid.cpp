// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/edge_multigrid.hpp"

#include <algorithm>

#include "core/solvers/reporting.hpp"
#include "gpu/solvers/edges/one_sided_cycle.hpp"

namespace parallax::gpu {
namespace {

/// Levels that are so small that one block computes them faster than the launches of more would take.
constexpr std::int64_t kTailSamples = 1024;
constexpr int kMatrixArrays = 6, kSpreads = 8;

std::vector<Grid> gridsFrom(const Grid& finest) {
    std::vector<Grid> grids{finest};
    while (grids.back().samples() > 1)
        grids.push_back(
            Grid::of({(std::int64_t{grids.back().width} + 1) / 2, (std::int64_t{grids.back().height} + 1) / 2}, finest.channels));
    return grids;
}

std::int64_t withMargins(const Grid& g, std::int64_t elements) { return elements + 2 * edgeMargin(g.pitch); }

std::int64_t floatsOf(const std::vector<Grid>& grids) {
    std::int64_t floats = 0;
    for (std::size_t i = 0; i < grids.size(); ++i) {
        const Grid& g = grids[i];
        floats += (kMatrixArrays + (i > 0 ? kSpreads : 0)) * withMargins(g, g.plane());
        floats += (i > 0 ? 3 : 1) * withMargins(g, g.elements());
    }
    return floats;
}

}  // namespace

EdgeMultigrid::EdgeMultigrid(const Grid& grid, float* b, float* result, const std::shared_ptr<Allocator>& allocator, cudaStream_t stream) {
    const std::vector<Grid> grids = gridsFrom(grid);
    const auto floats = static_cast<std::size_t>(floatsOf(grids));
    arrays_ = {allocator, floats};
    check(cudaMemsetAsync(arrays_.data(), 0, floats * sizeof(float), stream), "Device memory could not be cleared");
    firstOfTail_ = grids.size() - 1;
    while (firstOfTail_ > 0 && grids[firstOfTail_ - 1].samples() <= kTailSamples) --firstOfTail_;
    float* next = arrays_.data();
    const auto take = [&](const Grid& g, std::int64_t elements) {
        float* const array = next + edgeMargin(g.pitch);
        next += withMargins(g, elements);
        return array;
    };
    for (std::size_t i = 0; i < grids.size(); ++i) {
        const Grid& g = grids[i];
        EdgeLevel& level = levels_.emplace_back();
        level.grid = g;
        for (float** array : {&level.east, &level.south, &level.southEast, &level.southWest, &level.diagonal, &level.inverse})
            *array = take(g, g.plane());
        level.z = take(g, g.elements());
        level.b = i == 0 ? b : take(g, g.elements());
        level.result = i == 0 ? result : take(g, g.elements());
        if (i == 0) continue;
        for (int k = 0; k < 9; ++k)
            if (k != 4) levels_[i - 1].spread[k] = take(g, g.plane());
    }
    EdgeTail tail;
    tail.count = static_cast<int>(levels_.size() - firstOfTail_);
    tail.hasFinest = firstOfTail_ == 0;
    std::copy(levels_.begin() + static_cast<std::ptrdiff_t>(firstOfTail_), levels_.end(), tail.levels);
    tail_ = {allocator, std::span<const EdgeTail>(&tail, 1), stream};
    preloadEdgeMultigrid();
}

std::uint64_t EdgeMultigrid::estimateBytes(const Grid& grid) {
    return static_cast<std::uint64_t>(floatsOf(gridsFrom(grid)) + 4 * edgeMargin(grid.pitch)) * sizeof(float) + sizeof(EdgeTail);
}

void EdgeMultigrid::build(const SolveArguments& a, cudaStream_t stream) const {
    launchEdgeFinest(a, levels_[0], stream);
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) launchEdgeCoarsen(levels_[i], levels_[i + 1], stream);
}

void EdgeMultigrid::apply(const SolveArguments& a, bool oneSided, cudaStream_t stream, DeviceLaps* laps) const {
    for (std::size_t i = 0; i < firstOfTail_; ++i) {
        if (oneSided && i == 0) launchEdgeRestrict(a, levels_[0], levels_[1], stream);
        else launchEdgeDown(a, levels_[i], levels_[i + 1], stream);
        endLevelLap(laps, solvers::kLapCycle, i);
    }
    launchEdgeTail(a, tail_.data(), stream);
    endLevelLap(laps, solvers::kLapCycle, firstOfTail_);
    for (std::size_t i = firstOfTail_; i-- > 0;) {
        if (oneSided && i == 0) launchEdgeCorrect(a, levels_[0], levels_[1], stream);
        else launchEdgeUp(a, levels_[i], levels_[i + 1], stream);
        endLevelLap(laps, solvers::kLapCycle, i);
    }
}

}  // namespace parallax::gpu
