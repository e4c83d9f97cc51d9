// SPDX-License-Identifier: GPL-3.0-or-later
// One V-cycle of geometric multigrid in single precision, as a preconditioner for systems with constant weights.
//
// Cells are joined by twos along each axis. A grid is the product of its axes, so that each level needs only tables along the axes: widths
// of cells and conductances between their centres, those of two halves of cells and of the border being in series. Interpolation is linear
// between centres. The smoother is one red-black Gauss-Seidel sweep, from zero before and in the opposite order after the coarser level, so
// that the cycle is symmetric.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <span>
#include <vector>

#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/solvers/device_laps.hpp"
#include "gpu/solvers/grid.hpp"
#include "gpu/solvers/multigrid/hierarchy.hpp"

namespace parallax::gpu {

/// Tables along an axis, each with kAxisPadding zeros on both sides. The equation of a cell is divided by the cell's volume.
struct MultigridAxis {
    const float* before = nullptr;  ///< conductance to the cell before, divided by the cell's width
    const float* behind = nullptr;  ///< to the cell behind
    const float* width = nullptr;   ///< in samples; 1 in the padding
    const float* own = nullptr;     ///< weight of the own coarse cell in the interpolation
    const float* other = nullptr;   ///< of the nearest other one; 0 if there is none
    bool coarsened = false;         ///< by the next level
    /// Cells [evenBegin, evenEnd) have the same entries in all tables, those at evenBegin.
    int evenBegin = 0, evenEnd = 0;
};
inline constexpr int kAxisPadding = 4;

struct MultigridLevel {
    Grid grid;
    MultigridAxis axes[3];
    float mass = 0;      ///< the constant diagonal
    float* b = nullptr;  ///< right-hand side; of the finest level the residual of conjugate gradients
    float* z = nullptr;  ///< result
};

/// Levels that one block takes together.
inline constexpr int kMaxTailLevels = 24;
struct MultigridTail {
    MultigridLevel levels[kMaxTailLevels];
    int count = 0;
};

/// Levels in device memory, with the arrays of all but the first.
class MultigridLevels {
public:
    /// `b` and `z`: arrays of the first level. `mass`: the constant diagonal.
    MultigridLevels(std::span<const HierarchyLevel> levels, double mass, float* b, float* z, const std::shared_ptr<Allocator>& allocator,
                    cudaStream_t stream);
    const MultigridLevel& operator[](std::size_t i) const { return levels_[i]; }
    std::size_t size() const { return levels_.size(); }

private:
    std::vector<MultigridLevel> levels_;
    DeviceBuffer<float> arrays_, tables_;
};

class Multigrid {
public:
    /// All levels of a hierarchy from one of them on. `b` and `z`: arrays of the first one.
    Multigrid(std::span<const HierarchyLevel> levels, const GridStencil& stencil, float* b, float* z,
              const std::shared_ptr<Allocator>& allocator, cudaStream_t stream);
    static std::uint64_t estimateBytes(const Grid& grid);
    static void preloadKernels();

    /// z = M b, and (r . z) into the state. Enqueues only. `laps`: if not null, receives the levels.
    void apply(const SolveArguments& a, cudaStream_t stream, DeviceLaps* laps = nullptr) const;
    /// z = M b alone.
    void applyWithoutSum(const SolveArguments& a, cudaStream_t stream) const { run(a, false, stream, nullptr); }

private:
    void run(const SolveArguments& a, bool sums, cudaStream_t stream, DeviceLaps* laps) const;

    MultigridLevels levels_;
    std::size_t firstOfTail_ = 0;
    DeviceBuffer<MultigridTail> tail_;
};

void launchMultigridDown(const SolveArguments& a, const MultigridLevel& fine, const MultigridLevel& coarse, cudaStream_t stream);
/// `sums`: (r . z), too, where multigridUpComputesInner().
void launchMultigridUp(const SolveArguments& a, const MultigridLevel& fine, const MultigridLevel& coarse, bool sums, cudaStream_t stream);
void launchMultigridTail(const SolveArguments& a, const MultigridTail* tail, cudaStream_t stream);
/// (r . z) of the finest level, where no other kernel computes it.
void launchMultigridInner(const SolveArguments& a, const MultigridLevel& finest, cudaStream_t stream);
/// Whether launchMultigridUp() can compute (r . z); only then does one kernel take a level.
bool multigridUpComputesInner(const MultigridLevel& finest);
/// Blocks of a kernel that goes through an image by tiles.
unsigned multigridTiles(const Grid& grid);
void preloadMultigrid();

}  // namespace parallax::gpu
