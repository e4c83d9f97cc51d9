// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/bands/edge_band_cycle.hpp"

#include <cstddef>
namespace parallax::gpu {
namespace {

/// Smoothing reaches a row further in each step, and Jacobi's inverse needs the couplings with the row above. Interpolation to a row, and
/// the residual, take one more; rows of coarser matrices need less than their right-hand sides.
constexpr CycleReach kReach{.result = kSmoothingSteps, .own = 2 * kSmoothingSteps, .side = kSmoothingSteps + 2};

using MatrixArray = float* EdgeLevel::*;
constexpr MatrixArray kFineMatrix[] = {&EdgeLevel::east, &EdgeLevel::south, &EdgeLevel::diagonal};
constexpr MatrixArray kMatrix[] = {&EdgeLevel::east, &EdgeLevel::south, &EdgeLevel::diagonal, &EdgeLevel::southEast, &EdgeLevel::southWest};

}  // namespace

EdgeBandCycle::EdgeBandCycle(const Grid& whole, const Partition& rows, std::int64_t commonCells)
    : BandCycle(edgeGrids(whole), kMaxEdgeLevels, rows, commonCells, kReach, &edgeMargin), levels_(static_cast<std::size_t>(rows.parts())) {
    for (std::size_t k = 0; k < std::size(kFineMatrix); ++k) fineMatrix_.emplace_back(ownRows(0), storedRows(), whole.pitch, 1);
    for (std::size_t k = 0; k < std::size(kMatrix) && plan().common() > 0; ++k)
        commonMatrix_.emplace_back(ownRows(plan().common()), commonRows(), commonGrid().pitch, 1);
}

std::vector<Grid> EdgeBandCycle::dividedGrids(int member) const {
    std::vector<Grid> grids;
    for (int i = 0; i <= plan().common(); ++i) grids.push_back(storedGrid(member, i));
    return grids;
}

std::uint64_t EdgeBandCycle::levelBytes(int member) const {
    std::uint64_t bytes = EdgeMultigrid::estimateBytes(commonGrid());
    if (plan().common() > 0) bytes += EdgeLevels::bytes(dividedGrids(member));
    for (const auto* exchanges : {&fineMatrix_, &commonMatrix_})
        for (const RowExchange& exchange : *exchanges) bytes += exchange.mailboxBytes(member);
    return bytes;
}

void EdgeBandCycle::allocateExchange(int member, DeviceGroup& group) {
    for (auto* exchanges : {&fineMatrix_, &commonMatrix_})
        for (RowExchange& exchange : *exchanges) exchange.allocate(member, group);
}

void EdgeBandCycle::allocateLevels(int member, const LevelArrays& finest, const LevelArrays& common,
                                   const std::shared_ptr<Allocator>& memory, cudaStream_t stream) {
    Levels& own = levels_[static_cast<std::size_t>(member)];
    const bool isDivided = plan().common() > 0;
    if (isDivided) own.divided.emplace(dividedGrids(member), true, finest.b, finest.z, memory, stream);
    own.common.emplace(commonGrid(), !isDivided, common.b, common.z, memory, stream);
}

const EdgeLevel& EdgeBandCycle::level(int member, int i) const {
    return (*levels_[static_cast<std::size_t>(member)].divided)[static_cast<std::size_t>(i)];
}

BandCycle::LevelArrays EdgeBandCycle::lastDivided(int member) const {
    const EdgeLevel& last = level(member, plan().common());
    return {last.b, last.result};
}

void EdgeBandCycle::connect(int member) {
    BandCycle::connect(member);
    for (std::size_t k = 0; k < fineMatrix_.size(); ++k) {
        const RowsInMemory rows{finest(member).*kFineMatrix[k], plan().stored(member, 0)};
        fineMatrix_[k].connect(member, rows, rows);
    }
    for (std::size_t k = 0; k < commonMatrix_.size(); ++k)
        commonMatrix_[k].connect(member, {level(member, plan().common()).*kMatrix[k], plan().stored(member, plan().common())},
                                 {gathered(member).first().*kMatrix[k], {0, commonGrid().height}});
}

void EdgeBandCycle::build(int member, const SolveArguments& a, const BandArrays& v, cudaStream_t stream) const {
    EdgeLevel band = finest(member);
    band.grid = a.grid;
    const std::int64_t offset = (rows()[member].first - plan().stored(member, 0).first) * a.grid.pitch;
    for (float** array : {&band.east, &band.south, &band.diagonal, &band.inverse}) *array += offset;
    if (a.grid.height > 0) launchEdgeFinest(a, band, v.hasNeighbour, stream);
    SolveArguments one = a;
    one.grid.channels = 1;
    for (const RowExchange& exchange : fineMatrix_) exchange.launch(member, one, v.sums, stream);
    for (int i = 0; i < plan().common(); ++i) launchEdgeCoarsen(level(member, i), level(member, i + 1), stream);
    for (const RowExchange& exchange : commonMatrix_) exchange.launch(member, one, v.sums, stream);
    gathered(member).buildFromFirst(stream);
}

void EdgeBandCycle::goDown(int member, int i, const SolveArguments& a, cudaStream_t stream) const {
    launchEdgeDown(a, level(member, i), level(member, i + 1), stream);
}

void EdgeBandCycle::goUp(int member, int i, const SolveArguments& a, cudaStream_t stream) const {
    launchEdgeUp(a, level(member, i), level(member, i + 1), false, stream);
}

void EdgeBandCycle::finish(int member, const SolveArguments& a, const BandArrays& v, const CycleArrays& c, cudaStream_t stream) const {
    goUp(member, 0, a, stream);
    launchCycleInner(a, v, c, stream);
}

void EdgeBandCycle::applyCommon(int member, const SolveArguments& a, cudaStream_t stream) const {
    gathered(member).applyWithoutSum(a, stream);
}

}  // namespace parallax::gpu
