// SPDX-License-Identifier: GPL-3.0-or-later
// The V-cycle of multigrid (multigrid/multigrid.hpp) on several devices, each of which has a band of rows.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gpu/solvers/bands/cycle_iteration.hpp"
#include "gpu/solvers/bands/cycle_plan.hpp"
#include "gpu/solvers/bands/row_exchange.hpp"
#include "gpu/solvers/multigrid/multigrid.hpp"

namespace parallax::gpu {

class BandCycle {
public:
    /// `whole`: the grid of the image.
    BandCycle(const Grid& whole, const GridStencil& stencil, const Partition& rows, std::int64_t commonCells);
    ~BandCycle();
    BandCycle(const BandCycle&) = delete;
    BandCycle& operator=(const BandCycle&) = delete;
    /// Bytes of device memory that a member needs.
    std::uint64_t estimateBytes(int member) const;
    /// For each member: in DeviceGroup::run(), or before it for those of other processes.
    void allocate(int member, DeviceGroup& group);
    /// Then, once for each member of this process: tells where the others receive rows.
    void connect(int member);
    /// Arrays of a member; without directions.
    CycleArrays arrays(int member) const;
    /// Doubles that SolveArguments::partials must have.
    std::int64_t partials(int member) const { return 2 * std::int64_t{multigridTiles(storedGrid(member))} * levels_.front().grid.channels; }
    /// z = M b, and (r . z) into the state. Enqueues only; all members must do so.
    void apply(int member, const SolveArguments& a, const BandArrays& v, const CycleArrays& c, cudaStream_t stream) const;

private:
    struct Member;
    Grid storedGrid(int member) const;

    GridStencil stencil_;
    std::vector<HierarchyLevel> levels_;
    Partition rows_;
    CyclePlan plan_;
    RowExchange fine_, common_;  ///< of the residual, and of the right-hand side of the common level
    std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace parallax::gpu
