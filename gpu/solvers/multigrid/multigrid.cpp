// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/multigrid/multigrid.hpp"

#include <array>
#include <cstddef>

#include "core/solvers/reporting.hpp"

namespace parallax::gpu {
namespace {

/// Collects tables with their padding.
class Tables {
public:
    std::size_t add(const std::vector<double>& values, float padding) {
        const std::size_t at = floats_.size() + kAxisPadding;
        floats_.insert(floats_.end(), kAxisPadding, padding);
        for (const double v : values) floats_.push_back(static_cast<float>(v));
        floats_.insert(floats_.end(), kAxisPadding, padding);
        return at;
    }
    const std::vector<float>& floats() const { return floats_; }

private:
    std::vector<float> floats_;
};

/// Levels that are so small that one block computes them faster than the launches of more would take.
constexpr std::int64_t kTailCells = 1024;

/// Cells around the middle that have the entries of the middle one.
void findEvenCells(const AxisTable& t, MultigridAxis& axis) {
    const std::size_t cells = t.width.size(), m = cells / 2;
    const auto isLikeMiddle = [&](std::size_t i) {
        return t.before[i] == t.before[m] && t.behind[i] == t.before[m] && t.width[i] == t.width[m] && t.own[i] == t.own[m] &&
               t.other[i] == t.other[m];
    };
    std::size_t begin = m, end = m;
    while (begin > 0 && isLikeMiddle(begin - 1)) --begin;
    while (end < cells && isLikeMiddle(end)) ++end;
    axis.evenBegin = static_cast<int>(begin);
    axis.evenEnd = static_cast<int>(end);
}

}  // namespace

MultigridLevels::MultigridLevels(std::span<const HierarchyLevel> levels, double mass, float* b, float* z,
                                 const std::shared_ptr<Allocator>& allocator, cudaStream_t stream) {
    Tables tables;
    std::vector<std::array<std::array<std::size_t, 5>, 3>> places;
    std::size_t floats = 0;
    for (const HierarchyLevel& of : levels) {
        MultigridLevel& level = levels_.emplace_back(MultigridLevel{.grid = of.grid, .axes = {}, .mass = static_cast<float>(mass)});
        auto& place = places.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
            const AxisTable& t = of.axes[k];
            place[k] = {tables.add(t.before, 0), tables.add(t.behind, 0), tables.add(t.width, 1), tables.add(t.own, 0),
                        tables.add(t.other, 0)};
            level.axes[k].coarsened = t.coarsened;
            findEvenCells(t, level.axes[k]);
        }
        if (levels_.size() > 1) floats += 2 * static_cast<std::size_t>(of.grid.elements());
    }
    tables_ = {allocator, std::span<const float>(tables.floats()), stream};
    arrays_ = {allocator, floats};
    if (floats > 0) check(cudaMemsetAsync(arrays_.data(), 0, floats * sizeof(float), stream), "Device memory could not be cleared");
    float* next = arrays_.data();
    for (std::size_t i = 0; i < levels_.size(); ++i) {
        MultigridLevel& level = levels_[i];
        for (std::size_t k = 0; k < 3; ++k) {
            const auto& [before, behind, width, own, other] = places[i][k];
            const float* const t = tables_.data();
            MultigridAxis& axis = level.axes[k];
            axis = {t + before, t + behind, t + width, t + own, t + other, axis.coarsened, axis.evenBegin, axis.evenEnd};
        }
        level.b = i == 0 ? b : next;
        level.z = i == 0 ? z : next + level.grid.elements();
        if (i > 0) next += 2 * level.grid.elements();
    }
}

Multigrid::Multigrid(std::span<const HierarchyLevel> levels, const GridStencil& stencil, float* b, float* z,
                     const std::shared_ptr<Allocator>& allocator, cudaStream_t stream)
    : levels_(levels, stencil.diagonal, b, z, allocator, stream) {
    firstOfTail_ = levels_.size() - 1;
    while (firstOfTail_ > 0 && levels_[firstOfTail_ - 1].grid.samples() <= kTailCells &&
           levels_.size() - firstOfTail_ < static_cast<std::size_t>(kMaxTailLevels))
        --firstOfTail_;
    MultigridTail tail;
    for (std::size_t i = firstOfTail_; i < levels_.size(); ++i) tail.levels[tail.count++] = levels_[i];
    tail_ = {allocator, std::span<const MultigridTail>(&tail, 1), stream};
}

std::uint64_t Multigrid::estimateBytes(const Grid& grid) {
    // b and z of all coarser levels take at most as much as half of the finest ones; rows are padded, and thin grids shrink along one axis.
    const std::uint64_t tables = 5 * 2 *
                                 (static_cast<std::uint64_t>(grid.width) + static_cast<std::uint64_t>(grid.height) +
                                  static_cast<std::uint64_t>(grid.depth) + 3 * 24 * 2 * kAxisPadding);
    return (2 * static_cast<std::uint64_t>(grid.elements()) + tables) * sizeof(float) + sizeof(MultigridTail) + (1U << 16);
}

void Multigrid::preloadKernels() { preloadMultigrid(); }

void Multigrid::run(const SolveArguments& a, bool sums, cudaStream_t stream, DeviceLaps* laps) const {
    for (std::size_t i = 0; i < firstOfTail_; ++i) {
        launchMultigridDown(a, levels_[i], levels_[i + 1], stream);
        endLevelLap(laps, solvers::kLapCycle, i);
    }
    launchMultigridTail(a, tail_.data(), stream);
    endLevelLap(laps, solvers::kLapCycle, firstOfTail_);
    for (std::size_t i = firstOfTail_; i-- > 0;) {
        launchMultigridUp(a, levels_[i], levels_[i + 1], sums && i == 0, stream);
        endLevelLap(laps, solvers::kLapCycle, i);
    }
}

void Multigrid::apply(const SolveArguments& a, cudaStream_t stream, DeviceLaps* laps) const {
    run(a, true, stream, laps);
    if (firstOfTail_ > 0 && multigridUpComputesInner(levels_[0])) return;
    launchMultigridInner(a, levels_[0], stream);
    endLap(laps, solvers::kLapProduct);
}

}  // namespace parallax::gpu
