// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/bands/band_cycle.hpp"

#include <span>
#include <utility>

#include "gpu/runtime/memory/zeroed_array.hpp"

namespace parallax::gpu {
namespace {

std::vector<PartRange> ownRows(const CyclePlan& plan, int members, int level) {
    std::vector<PartRange> rows;
    for (int m = 0; m < members; ++m) rows.push_back(plan.own(m, level));
    return rows;
}
std::vector<PartRange> residualRows(const CyclePlan& plan, int members) {
    std::vector<PartRange> rows;
    for (int m = 0; m < members; ++m) rows.push_back(plan.stored(m, 0));
    return rows;
}

}  // namespace

struct BandCycle::Member {
    DeviceBuffer<float> residual, result;    ///< of the finest level, rows that are stored
    std::optional<MultigridLevels> divided;  ///< up to the common level, of which it has the rows that are stored
    DeviceBuffer<float> side, commonResult;  ///< of the common level, unless it is the finest one
    std::optional<Multigrid> common;
    RowCopies toDivided;  ///< of the result of the common level
};

BandCycle::BandCycle(const Grid& whole, const GridStencil& stencil, const Partition& rows, std::int64_t commonCells)
    : stencil_(stencil),
      levels_(multigridHierarchy(whole, stencil)),
      rows_(rows),
      plan_(levels_, rows, commonCells),
      fine_(ownRows(plan_, rows.parts(), 0), residualRows(plan_, rows.parts()), whole.pitch, whole.channels),
      common_(ownRows(plan_, rows.parts(), plan_.common()),
              std::vector<PartRange>(static_cast<std::size_t>(rows.parts()),
                                     {0, levels_[static_cast<std::size_t>(plan_.common())].grid.height}),
              levels_[static_cast<std::size_t>(plan_.common())].grid.pitch, whole.channels),
      members_(static_cast<std::size_t>(rows.parts())) {}

BandCycle::~BandCycle() = default;

Grid BandCycle::storedGrid(int member) const {
    Grid grid = levels_.front().grid;
    grid.height = static_cast<int>(plan_.stored(member, 0).count());
    return grid;
}

std::uint64_t BandCycle::estimateBytes(int member) const {
    const Grid stored = storedGrid(member);
    const Grid& common = levels_[static_cast<std::size_t>(plan_.common())].grid;
    std::uint64_t bytes = 2 * static_cast<std::uint64_t>(stored.elements()) * sizeof(float) + fine_.mailboxBytes(member);
    bytes += Multigrid::estimateBytes(common);
    if (plan_.common() == 0) return bytes;
    bytes += Multigrid::estimateBytes(stored);
    return bytes + 2 * static_cast<std::uint64_t>(common.elements()) * sizeof(float) + common_.mailboxBytes(member);
}

void BandCycle::allocate(int member, DeviceGroup& group) {
    fine_.allocate(member, group);
    if (plan_.common() > 0) common_.allocate(member, group);
    if (!group.isHere(member)) return;
    auto m = std::make_unique<Member>();
    const std::shared_ptr<Allocator>& memory = group.memory(member);
    const cudaStream_t stream = group.stream(member)->get();
    // Elements behind the ends of rows must be 0.
    const auto zeroed = [&](const Grid& grid) { return zeroedArray<float>(memory, grid.elements(), stream); };
    const Grid stored = storedGrid(member);
    m->residual = zeroed(stored);
    m->result = zeroed(stored);
    const auto first = static_cast<std::size_t>(plan_.common());
    const std::span<const HierarchyLevel> common = std::span(levels_).subspan(first);
    if (first == 0) {
        m->common.emplace(common, stencil_, m->residual.data(), m->result.data(), memory, stream);
    } else {
        std::vector<HierarchyLevel> rows;
        for (int i = 0; i <= plan_.common(); ++i) {
            const PartRange range = plan_.stored(member, i);
            rows.push_back(rowsOf(levels_[static_cast<std::size_t>(i)], range.first, range.last));
        }
        m->divided.emplace(rows, stencil_.diagonal, m->residual.data(), m->result.data(), memory, stream);
        m->side = zeroed(common.front().grid);
        m->commonResult = zeroed(common.front().grid);
        m->common.emplace(common, stencil_, m->side.data(), m->commonResult.data(), memory, stream);
    }
    Multigrid::preloadKernels();
    preloadCycleIteration();
    preloadRowExchange();
    members_[static_cast<std::size_t>(member)] = std::move(m);
}

void BandCycle::connect(int member) {
    Member& m = *members_[static_cast<std::size_t>(member)];
    const RowsInMemory residual{m.residual.data(), plan_.stored(member, 0)};
    fine_.connect(member, residual, residual);
    if (!m.divided) return;
    const int level = plan_.common();
    const PartRange whole{0, levels_[static_cast<std::size_t>(level)].grid.height}, stored = plan_.stored(member, level);
    const MultigridLevel& last = (*m.divided)[static_cast<std::size_t>(level)];
    common_.connect(member, {last.b, stored}, {m.side.data(), whole});
    m.toDivided.pitch = last.grid.pitch;
    m.toDivided.add({m.commonResult.data(), whole}, {last.z, stored}, stored);
}

CycleArrays BandCycle::arrays(int member) const {
    Member& m = *members_[static_cast<std::size_t>(member)];
    const Grid stored = storedGrid(member);
    const std::int64_t offset = (rows_[member].first - plan_.stored(member, 0).first) * stored.pitch;
    return {.b = m.residual.data() + offset, .z = m.result.data() + offset, .plane = stored.plane()};
}

void BandCycle::apply(int member, const SolveArguments& a, const BandArrays& v, const CycleArrays& c, cudaStream_t stream) const {
    const Member& m = *members_[static_cast<std::size_t>(member)];
    const auto level = [&](int i) -> const MultigridLevel& { return (*m.divided)[static_cast<std::size_t>(i)]; };
    fine_.launch(member, a, v.sums, stream);
    if (!m.divided) {
        m.common->applyWithoutSum(a, stream);
        launchCycleInner(a, v, c, stream);
        return;
    }
    for (int i = 0; i < plan_.common(); ++i) launchMultigridDown(a, level(i), level(i + 1), stream);
    common_.launch(member, a, v.sums, stream);
    m.common->applyWithoutSum(a, stream);
    launchRowCopies(a, m.toDivided, stream);
    for (int i = plan_.common(); i-- > 1;) launchMultigridUp(a, level(i), level(i + 1), false, stream);
    launchCycleUp(a, v, c, level(0), level(1), static_cast<int>(rows_[member].first - plan_.stored(member, 0).first), stream);
}

}  // namespace parallax::gpu
