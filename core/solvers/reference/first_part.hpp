// SPDX-License-Identifier: GPL-3.0-or-later
// Solves on parts by methods that are serial: the first part gets the whole system and solves it.
#pragma once

#include <functional>

#include "core/solvers/grid_part.hpp"
#include "core/solvers/solve.hpp"
#include "core/solvers/solve_progress.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax::solvers {

/// Arguments and result are those of HostMethod::solve(). Calls solve() with the whole system: at once if there is one part, else on rank
/// 0, with the rows of all ranks; the others wait. Every rank gets its rows of u, and the history.
SolveHistory solveOnFirstPart(const Stencil& stencil, const GridPart& part, std::int64_t channels, const double* f, double* u,
                              SolveProgress& progress,
                              const std::function<SolveHistory(const Stencil& stencil, const double* f, double* u)>& solve);

/// Gives all ranks the history that rank 0 has, without its laps.
void broadcastHistory(SolveHistory& history, Communicator& communicator);

}  // namespace parallax::solvers
