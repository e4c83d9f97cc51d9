// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/bands/band_cycle.hpp"

#include <utility>

#include "gpu/runtime/memory/zeroed_array.hpp"
#include "gpu/solvers/bands/constant_band_cycle.hpp"
#include "gpu/solvers/bands/edge_band_cycle.hpp"

namespace parallax::gpu {

BandCycle::BandCycle(std::vector<Grid> grids, int halved, const Partition& rows, std::int64_t commonCells, const CycleReach& reach,
                     std::int64_t (*margin)(int pitch))
    : grids_(std::move(grids)),
      margin_(margin),
      rows_(rows),
      plan_(grids_, halved, rows, commonCells, reach),
      fine_(ownRows(0), storedRows(), grids_.front().pitch, grids_.front().channels),
      common_(ownRows(plan_.common()), commonRows(), commonGrid().pitch, commonGrid().channels),
      members_(static_cast<std::size_t>(rows.parts())) {}

BandCycle::~BandCycle() = default;

Grid BandCycle::storedGrid(int member, int level) const {
    Grid grid = grids_[static_cast<std::size_t>(level)];
    grid.height = static_cast<int>(plan_.stored(member, level).count());
    return grid;
}

std::vector<PartRange> BandCycle::ownRows(int level) const {
    std::vector<PartRange> own;
    for (int m = 0; m < rows_.parts(); ++m) own.push_back(plan_.own(m, level));
    return own;
}
std::vector<PartRange> BandCycle::storedRows() const {
    std::vector<PartRange> stored;
    for (int m = 0; m < rows_.parts(); ++m) stored.push_back(plan_.stored(m, 0));
    return stored;
}
std::vector<PartRange> BandCycle::commonRows() const {
    return std::vector<PartRange>(static_cast<std::size_t>(rows_.parts()), {0, commonGrid().height});
}

std::uint64_t BandCycle::estimateBytes(int member) const {
    const auto arrays = [&](const Grid& g) { return 2 * static_cast<std::uint64_t>(g.elements() + 2 * margin_(g.pitch)) * sizeof(float); };
    std::uint64_t bytes = arrays(storedGrid(member)) + fine_.mailboxBytes(member) + levelBytes(member);
    if (plan_.common() > 0) bytes += arrays(commonGrid()) + common_.mailboxBytes(member);
    return bytes;
}

/// Elements behind the ends of rows must be 0.
DeviceBuffer<float> BandCycle::arrayOf(const Grid& grid, const std::shared_ptr<Allocator>& memory, cudaStream_t stream) const {
    return zeroedArray<float>(memory, grid.elements() + 2 * margin_(grid.pitch), stream);
}

BandCycle::LevelArrays BandCycle::finestOf(int member) const {
    Member& m = *members_[static_cast<std::size_t>(member)];
    return {inside(m.residual, 0), inside(m.result, 0)};
}

BandCycle::LevelArrays BandCycle::commonOf(int member) const {
    Member& m = *members_[static_cast<std::size_t>(member)];
    if (plan_.common() == 0) return finestOf(member);
    return {inside(m.side, plan_.common()), inside(m.commonResult, plan_.common())};
}

void BandCycle::allocate(int member, DeviceGroup& group) {
    fine_.allocate(member, group);
    if (plan_.common() > 0) common_.allocate(member, group);
    allocateExchange(member, group);
    if (!group.isHere(member)) return;
    members_[static_cast<std::size_t>(member)] = std::make_unique<Member>();
    Member& m = *members_[static_cast<std::size_t>(member)];
    const std::shared_ptr<Allocator>& memory = group.memory(member);
    const cudaStream_t stream = group.stream(member)->get();
    m.residual = arrayOf(storedGrid(member), memory, stream);
    m.result = arrayOf(storedGrid(member), memory, stream);
    if (plan_.common() > 0) {
        m.side = arrayOf(commonGrid(), memory, stream);
        m.commonResult = arrayOf(commonGrid(), memory, stream);
    }
    allocateLevels(member, finestOf(member), commonOf(member), memory, stream);
    preloadCycleIteration();
    preloadRowExchange();
}

void BandCycle::connect(int member) {
    const RowsInMemory residual{finestOf(member).b, plan_.stored(member, 0)};
    fine_.connect(member, residual, residual);
    const int level = plan_.common();
    if (level == 0) return;
    const PartRange whole{0, commonGrid().height}, stored = plan_.stored(member, level);
    const LevelArrays common = commonOf(member), last = lastDivided(member);
    common_.connect(member, {last.b, stored}, {common.b, whole});
    RowCopies& copies = members_[static_cast<std::size_t>(member)]->toDivided;
    copies.pitch = commonGrid().pitch;
    copies.add({common.z, whole}, {last.z, stored}, stored);
}

CycleArrays BandCycle::arrays(int member) const {
    const Grid stored = storedGrid(member);
    const std::int64_t offset = (rows_[member].first - plan_.stored(member, 0).first) * stored.pitch;
    const LevelArrays finest = finestOf(member);
    return {.b = finest.b + offset, .z = finest.z + offset, .plane = stored.plane()};
}

void BandCycle::apply(int member, const SolveArguments& a, const BandArrays& v, const CycleArrays& c, cudaStream_t stream) const {
    fine_.launch(member, a, v.sums, stream);
    if (plan_.common() == 0) {
        applyCommon(member, a, stream);
        launchCycleInner(a, v, c, stream);
        return;
    }
    for (int i = 0; i < plan_.common(); ++i) goDown(member, i, a, stream);
    common_.launch(member, a, v.sums, stream);
    applyCommon(member, a, stream);
    launchRowCopies(a, members_[static_cast<std::size_t>(member)]->toDivided, stream);
    for (int i = plan_.common(); i-- > 1;) goUp(member, i, a, stream);
    finish(member, a, v, c, stream);
}

std::unique_ptr<BandCycle> makeBandCycle(const Grid& whole, const GridStencil& stencil, bool edges, const Partition& rows,
                                         std::int64_t commonCells) {
    if (edges) return std::make_unique<EdgeBandCycle>(whole, rows, commonCells);
    return std::make_unique<ConstantBandCycle>(whole, stencil, rows, commonCells);
}

}  // namespace parallax::gpu
