// SPDX-License-Identifier: GPL-3.0-or-later
// The V-cycle of multigrid on several devices, each of which has a band of rows: exchange and order of the levels, whatever their systems.
#pragma once

#include <memory>
#include <vector>

#include "gpu/solvers/bands/cycle_iteration.hpp"
#include "gpu/solvers/bands/cycle_plan.hpp"
#include "gpu/solvers/bands/row_exchange.hpp"

namespace parallax::gpu {

class BandCycle {
public:
    virtual ~BandCycle();
    BandCycle(const BandCycle&) = delete;
    BandCycle& operator=(const BandCycle&) = delete;
    /// Bytes of device memory that a member needs.
    std::uint64_t estimateBytes(int member) const;
    /// For each member: in DeviceGroup::run(), or before it for those of other processes.
    void allocate(int member, DeviceGroup& group);
    /// Then, once for each member of this process: tells where the others receive rows.
    virtual void connect(int member);
    /// Arrays of a member; without directions.
    CycleArrays arrays(int member) const;
    /// Doubles that SolveArguments::partials must have.
    virtual std::int64_t partials(int member) const = 0;
    /// Before a solve: makes what depends on the weights of edges. Enqueues only; all members must do so.
    virtual void build(int member, const SolveArguments& a, const BandArrays& v, cudaStream_t stream) const = 0;
    /// z = M b, and (r . z) into the state. Enqueues only; all members must do so.
    void apply(int member, const SolveArguments& a, const BandArrays& v, const CycleArrays& c, cudaStream_t stream) const;

protected:
    /// Arguments of CyclePlan. `margin`: elements before and behind the arrays of a level with this pitch, which are 0.
    BandCycle(std::vector<Grid> grids, int halved, const Partition& rows, std::int64_t commonCells, const CycleReach& reach,
              std::int64_t (*margin)(int pitch));

    /// Right-hand side and result of a level.
    struct LevelArrays {
        float *b = nullptr, *z = nullptr;
    };
    const Partition& rows() const { return rows_; }
    const CyclePlan& plan() const { return plan_; }
    const Grid& commonGrid() const { return grids_[static_cast<std::size_t>(plan_.common())]; }
    /// The rows of a level that a member stores, and of the first one.
    Grid storedGrid(int member, int level) const;
    Grid storedGrid(int member) const { return storedGrid(member, 0); }
    /// Rows of a level that each member answers for, rows of the finest level that it stores, and all rows of the common level.
    std::vector<PartRange> ownRows(int level) const;
    std::vector<PartRange> storedRows() const;
    std::vector<PartRange> commonRows() const;

private:
    virtual std::uint64_t levelBytes(int member) const = 0;
    /// Memory that other members write into. Also for those of other processes.
    virtual void allocateExchange(int member, DeviceGroup& group) = 0;
    /// `finest`: the rows that the member stores, of which up to the common level as well. `common`: all rows of that; the same arrays if
    /// it is the finest level.
    virtual void allocateLevels(int member, const LevelArrays& finest, const LevelArrays& common, const std::shared_ptr<Allocator>& memory,
                                cudaStream_t stream) = 0;
    /// The rows of the common level that the member stores, unless it is the finest one.
    virtual LevelArrays lastDivided(int member) const = 0;
    /// To the next level, and up from it.
    virtual void goDown(int member, int level, const SolveArguments& a, cudaStream_t stream) const = 0;
    virtual void goUp(int member, int level, const SolveArguments& a, cudaStream_t stream) const = 0;
    /// Up to the finest level, with (r . z) and the exchange of rows of z.
    virtual void finish(int member, const SolveArguments& a, const BandArrays& v, const CycleArrays& c, cudaStream_t stream) const = 0;
    /// The common level and all coarser ones.
    virtual void applyCommon(int member, const SolveArguments& a, cudaStream_t stream) const = 0;

    struct Member {
        DeviceBuffer<float> residual, result;    ///< of the finest level, rows that are stored
        DeviceBuffer<float> side, commonResult;  ///< of the common level, unless it is the finest one
        RowCopies toDivided;                     ///< of the result of the common level
    };
    DeviceBuffer<float> arrayOf(const Grid& grid, const std::shared_ptr<Allocator>& memory, cudaStream_t stream) const;
    float* inside(DeviceBuffer<float>& array, int level) const {
        return array.data() + margin_(grids_[static_cast<std::size_t>(level)].pitch);
    }
    LevelArrays finestOf(int member) const;
    LevelArrays commonOf(int member) const;

    std::vector<Grid> grids_;
    std::int64_t (*margin_)(int pitch);
    Partition rows_;
    CyclePlan plan_;
    RowExchange fine_, common_;                     ///< of the residual, and of the right-hand side of the common level
    std::vector<std::unique_ptr<Member>> members_;  ///< of this process
};

/// `edges`: whether edges have weights of their own.
std::unique_ptr<BandCycle> makeBandCycle(const Grid& whole, const GridStencil& stencil, bool edges, const Partition& rows,
                                         std::int64_t commonCells);

}  // namespace parallax::gpu
