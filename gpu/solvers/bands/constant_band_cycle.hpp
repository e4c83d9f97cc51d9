// SPDX-License-Identifier: GPL-3.0-or-later
// The V-cycle for constant weights (multigrid/multigrid.hpp) on several devices.
#pragma once

#include <optional>

#include "gpu/solvers/bands/band_cycle.hpp"
#include "gpu/solvers/multigrid/multigrid.hpp"

namespace parallax::gpu {

class ConstantBandCycle final : public BandCycle {
public:
    /// `whole`: the grid of the image.
    ConstantBandCycle(const Grid& whole, const GridStencil& stencil, const Partition& rows, std::int64_t commonCells)
        : ConstantBandCycle(multigridHierarchy(whole, stencil), stencil, rows, commonCells) {}
    std::int64_t partials(int member) const override {
        return 2 * std::int64_t{multigridTiles(storedGrid(member))} * storedGrid(member).channels;
    }
    void build(int, const SolveArguments&, const BandArrays&, cudaStream_t) const override {}

private:
    struct Levels {
        std::optional<MultigridLevels> divided;  ///< up to the common level, of which it has the rows that are stored
        std::optional<Multigrid> common;
    };
    ConstantBandCycle(std::vector<HierarchyLevel> levels, const GridStencil& stencil, const Partition& rows, std::int64_t commonCells);

    std::uint64_t levelBytes(int member) const override;
    void allocateExchange(int, DeviceGroup&) override {}
    void allocateLevels(int member, const LevelArrays& finest, const LevelArrays& common, const std::shared_ptr<Allocator>& memory,
                        cudaStream_t stream) override;
    LevelArrays lastDivided(int member) const override;
    void goDown(int member, int level, const SolveArguments& a, cudaStream_t stream) const override;
    void goUp(int member, int level, const SolveArguments& a, cudaStream_t stream) const override;
    void finish(int member, const SolveArguments& a, const BandArrays& v, const CycleArrays& c, cudaStream_t stream) const override;
    void applyCommon(int member, const SolveArguments& a, cudaStream_t stream) const override;
    const MultigridLevel& level(int member, int i) const;

    GridStencil stencil_;
    std::vector<HierarchyLevel> hierarchy_;
    std::vector<Levels> levels_;  ///< of each member
};

}  // namespace parallax::gpu
