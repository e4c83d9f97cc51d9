// SPDX-License-Identifier: GPL-3.0-or-later
// The V-cycle for edges with weights of their own (edge_multigrid.hpp) on several devices. Before a solve, members exchange rows of the
// finest matrix and compute the coarser ones that they store, each from two rows above and below; that of the common level is gathered.
#pragma once

#include <optional>

#include "gpu/solvers/bands/band_cycle.hpp"
#include "gpu/solvers/edge_multigrid.hpp"

namespace parallax::gpu {

class EdgeBandCycle final : public BandCycle {
public:
    /// `whole`: the grid of the image.
    EdgeBandCycle(const Grid& whole, const Partition& rows, std::int64_t commonCells);
    void connect(int member) override;
    /// Sums are those of launchCycleInner().
    std::int64_t partials(int) const override { return 0; }
    void build(int member, const SolveArguments& a, const BandArrays& v, cudaStream_t stream) const override;

private:
    struct Levels {
        std::optional<EdgeLevels> divided;  ///< up to the common level, of which it has the rows that are stored
        std::optional<EdgeMultigrid> common;
    };
    std::uint64_t levelBytes(int member) const override;
    void allocateExchange(int member, DeviceGroup& group) override;
    void allocateLevels(int member, const LevelArrays& finest, const LevelArrays& common, const std::shared_ptr<Allocator>& memory,
                        cudaStream_t stream) override;
    LevelArrays lastDivided(int member) const override;
    void goDown(int member, int level, const SolveArguments& a, cudaStream_t stream) const override;
    void goUp(int member, int level, const SolveArguments& a, cudaStream_t stream) const override;
    void finish(int member, const SolveArguments& a, const BandArrays& v, const CycleArrays& c, cudaStream_t stream) const override;
    void applyCommon(int member, const SolveArguments& a, cudaStream_t stream) const override;
    std::vector<Grid> dividedGrids(int member) const;
    const EdgeMultigrid& gathered(int member) const { return *levels_[static_cast<std::size_t>(member)].common; }
    const EdgeLevel& level(int member, int i) const;
    /// The finest level: its rows that the member stores.
    const EdgeLevel& finest(int member) const { return plan().common() > 0 ? level(member, 0) : gathered(member).first(); }

    std::vector<RowExchange> fineMatrix_, commonMatrix_;  ///< of each array of the matrix: these have one channel
    std::vector<Levels> levels_;                          ///< of each member
};

}  // namespace parallax::gpu
