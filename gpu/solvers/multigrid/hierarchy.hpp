// SPDX-License-Identifier: GPL-3.0-or-later
// The grids of geometric multigrid for a system with constant weights, from fine to coarse, each as a product of its axes.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/solvers/grid.hpp"

namespace parallax::gpu {

/// One axis of one level. The equation of a cell is divided by the cell's volume.
struct AxisTable {
    std::vector<double> before, behind;  ///< conductances to the cells before and behind, divided by the cell's width
    std::vector<double> width;           ///< in samples
    std::vector<double> own, other;      ///< weights of the own coarse cell and of the nearest other one in the interpolation
    bool coarsened = false;              ///< by the next level
};

struct HierarchyLevel {
    Grid grid;
    AxisTable axes[3];
};

/// The last level has one cell.
std::vector<HierarchyLevel> multigridHierarchy(const Grid& grid, const GridStencil& stencil);

/// Rows [first, last) of a level. Cells behind the cut count as 0; the interpolation there has the own coarse cell alone. `first` must be
/// even if rows are coarsened.
HierarchyLevel rowsOf(const HierarchyLevel& level, std::int64_t first, std::int64_t last);

}  // namespace parallax::gpu
