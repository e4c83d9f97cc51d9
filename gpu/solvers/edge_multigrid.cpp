// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/edge_multigrid.hpp"

#include "core/solvers/reporting.hpp"
#include "gpu/runtime/memory/zeroed_array.hpp"
#include "gpu/solvers/edges/one_sided_cycle.hpp"

namespace parallax::gpu {
namespace {

/// Levels that are so small that one block computes them faster than the launches of more would take.
constexpr std::int64_t kTailSamples = 1024;
constexpr int kMatrixArrays = 6, kSpreads = 8;

std::int64_t withMargins(const Grid& g, std::int64_t elements) { return elements + 2 * edgeMargin(g.pitch); }

std::int64_t floatsOf(std::span<const Grid> grids) {
    std::int64_t floats = 0;
    for (std::size_t i = 0; i < grids.size(); ++i) {
        const Grid& g = grids[i];
        floats += (kMatrixArrays + (i > 0 ? kSpreads : 0)) * withMargins(g, g.plane());
        floats += (i > 0 ? 3 : 1) * withMargins(g, g.elements());
    }
    return floats;
}

}  // namespace

std::vector<Grid> edgeGrids(const Grid& finest) {
    std::vector<Grid> grids{finest};
    while (grids.back().samples() > 1)
        grids.push_back(
            Grid::of({(std::int64_t{grids.back().width} + 1) / 2, (std::int64_t{grids.back().height} + 1) / 2}, finest.channels));
    return grids;
}

EdgeLevels::EdgeLevels(std::span<const Grid> grids, bool fivePoint, float* b, float* result, const std::shared_ptr<Allocator>& allocator,
                       cudaStream_t stream)
    : arrays_(zeroedArray<float>(allocator, floatsOf(grids), stream)) {
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
        level.fivePoint = fivePoint && i == 0;
        for (float** array : {&level.east, &level.south, &level.southEast, &level.southWest, &level.diagonal, &level.inverse})
            *array = take(g, g.plane());
        level.z = take(g, g.elements());
        level.b = i == 0 ? b : take(g, g.elements());
        level.result = i == 0 ? result : take(g, g.elements());
        if (i == 0) continue;
        for (int k = 0; k < 9; ++k)
            if (k != 4) levels_[i - 1].spread[k] = take(g, g.plane());
    }
}

std::uint64_t EdgeLevels::bytes(std::span<const Grid> grids) { return static_cast<std::uint64_t>(floatsOf(grids)) * sizeof(float); }

EdgeMultigrid::EdgeMultigrid(const Grid& grid, bool fivePoint, float* b, float* result, const std::shared_ptr<Allocator>& allocator,
                             cudaStream_t stream)
    : levels_(edgeGrids(grid), fivePoint, b, result, allocator, stream) {
    firstOfTail_ = levels_.size() - 1;
    while (firstOfTail_ > 0 && levels_[firstOfTail_ - 1].grid.samples() <= kTailSamples) --firstOfTail_;
    EdgeTail tail;
    for (std::size_t i = firstOfTail_; i < levels_.size(); ++i) tail.levels[tail.count++] = levels_[i];
    tail_ = {allocator, std::span<const EdgeTail>(&tail, 1), stream};
    preloadEdgeMultigrid();
}

std::uint64_t EdgeMultigrid::estimateBytes(const Grid& grid) {
    return EdgeLevels::bytes(edgeGrids(grid)) + static_cast<std::uint64_t>(4 * edgeMargin(grid.pitch)) * sizeof(float) + sizeof(EdgeTail);
}

void EdgeMultigrid::coarsenAll(cudaStream_t stream) const {
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) launchEdgeCoarsen(levels_[i], levels_[i + 1], stream);
}

void EdgeMultigrid::build(const SolveArguments& a, cudaStream_t stream) const {
    launchEdgeFinest(a, levels_[0], {false, false}, stream);
    coarsenAll(stream);
}

void EdgeMultigrid::buildFromFirst(cudaStream_t stream) const {
    launchEdgeInverse(levels_[0], stream);
    coarsenAll(stream);
}

void EdgeMultigrid::apply(const SolveArguments& a, bool oneSided, cudaStream_t stream, DeviceLaps* laps) const {
    run(a, {.oneSided = oneSided, .sums = true}, stream, laps);
}

void EdgeMultigrid::run(const SolveArguments& a, Kind kind, cudaStream_t stream, DeviceLaps* laps) const {
    for (std::size_t i = 0; i < firstOfTail_; ++i) {
        if (kind.oneSided && i == 0) launchEdgeRestrict(a, levels_[0], levels_[1], stream);
        else launchEdgeDown(a, levels_[i], levels_[i + 1], stream);
        endLevelLap(laps, solvers::kLapCycle, i);
    }
    launchEdgeTail(a, tail_.data(), kind.sums && firstOfTail_ == 0, stream);
    endLevelLap(laps, solvers::kLapCycle, firstOfTail_);
    for (std::size_t i = firstOfTail_; i-- > 0;) {
        if (kind.oneSided && i == 0) launchEdgeCorrect(a, levels_[0], levels_[1], stream);
        else launchEdgeUp(a, levels_[i], levels_[i + 1], kind.sums && i == 0, stream);
        endLevelLap(laps, solvers::kLapCycle, i);
    }
}

}  // namespace parallax::gpu
