// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of the finest level of a V-cycle (edge_multigrid.hpp) that smooths after the coarser level only.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/solvers/edge_multigrid.hpp"

namespace parallax::gpu {

/// Right-hand side of the coarser level: that of the finest one, restricted.
void launchEdgeRestrict(const SolveArguments& a, const EdgeLevel& fine, const EdgeLevel& coarse, cudaStream_t stream);
/// Result of the finest level from the coarser one, and (r . result).
void launchEdgeCorrect(const SolveArguments& a, const EdgeLevel& fine, const EdgeLevel& coarse, cudaStream_t stream);
/// Blocks of launchEdgeCorrect() for each group of channels.
unsigned oneSidedBlocks(const Grid& grid);
void preloadOneSidedCycle();

}  // namespace parallax::gpu
