// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/bands/constant_band_cycle.hpp"

#include <span>
#include <utility>

namespace parallax::gpu {
namespace {

std::vector<Grid> gridsOf(std::span<const HierarchyLevel> levels) {
    std::vector<Grid> grids;
    for (const HierarchyLevel& level : levels) grids.push_back(level.grid);
    return grids;
}

/// The number of first levels that are images and halved along both axes.
int halvedLevels(std::span<const HierarchyLevel> levels) {
    int halved = 0;
    for (const HierarchyLevel& level : levels) {
        if (level.grid.depth > 1 || !level.axes[0].coarsened || !level.axes[1].coarsened) break;
        ++halved;
    }
    return halved;
}

/// The way up reads right-hand sides two rows further, and row y of a level from rows y/2 - 1 to y/2 + 1 of the coarser one. The way down
/// computes row y of a level from rows 2 y - 3 to 2 y + 4 of the finer one.
constexpr CycleReach kReach{.result = 2, .own = 2, .side = 3};

}  // namespace

ConstantBandCycle::ConstantBandCycle(std::vector<HierarchyLevel> levels, const GridStencil& stencil, const Partition& rows,
                                     std::int64_t commonCells)
    : BandCycle(gridsOf(levels), halvedLevels(levels), rows, commonCells, kReach, [](int) { return std::int64_t{0}; }),
      stencil_(stencil),
      hierarchy_(std::move(levels)),
      levels_(static_cast<std::size_t>(rows.parts())) {}

std::uint64_t ConstantBandCycle::levelBytes(int member) const {
    return Multigrid::estimateBytes(commonGrid()) + (plan().common() > 0 ? Multigrid::estimateBytes(storedGrid(member)) : 0);
}

void ConstantBandCycle::allocateLevels(int member, const LevelArrays& finest, const LevelArrays& common,
                                       const std::shared_ptr<Allocator>& memory, cudaStream_t stream) {
    Levels& own = levels_[static_cast<std::size_t>(member)];
    if (plan().common() > 0) {
        std::vector<HierarchyLevel> rows;
        for (int i = 0; i <= plan().common(); ++i) {
            const PartRange range = plan().stored(member, i);
            rows.push_back(rowsOf(hierarchy_[static_cast<std::size_t>(i)], range.first, range.last));
        }
        own.divided.emplace(rows, stencil_.diagonal, finest.b, finest.z, memory, stream);
    }
    own.common.emplace(std::span(hierarchy_).subspan(static_cast<std::size_t>(plan().common())), stencil_, common.b, common.z, memory,
                       stream);
    Multigrid::preloadKernels();
}

const MultigridLevel& ConstantBandCycle::level(int member, int i) const {
    return (*levels_[static_cast<std::size_t>(member)].divided)[static_cast<std::size_t>(i)];
}

BandCycle::LevelArrays ConstantBandCycle::lastDivided(int member) const {
    const MultigridLevel& last = level(member, plan().common());
    return {last.b, last.z};
}

void ConstantBandCycle::goDown(int member, int i, const SolveArguments& a, cudaStream_t stream) const {
    launchMultigridDown(a, level(member, i), level(member, i + 1), stream);
}

void ConstantBandCycle::goUp(int member, int i, const SolveArguments& a, cudaStream_t stream) const {
    launchMultigridUp(a, level(member, i), level(member, i + 1), false, stream);
}

void ConstantBandCycle::finish(int member, const SolveArguments& a, const BandArrays& v, const CycleArrays& c, cudaStream_t stream) const {
    const std::int64_t firstRow = rows()[member].first - plan().stored(member, 0).first;
    launchCycleUp(a, v, c, level(member, 0), level(member, 1), static_cast<int>(firstRow), stream);
}

void ConstantBandCycle::applyCommon(int member, const SolveArguments& a, cudaStream_t stream) const {
    levels_[static_cast<std::size_t>(member)].common->applyWithoutSum(a, stream);
}

}  // namespace parallax::gpu
