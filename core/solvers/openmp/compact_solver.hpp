// SPDX-License-Identifier: GPL-3.0-or-later
// Conjugate gradients on compact systems, with or without a V-cycle over aggregates as preconditioner.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/solvers/compact_system.hpp"
#include "core/solvers/openmp/preconditioner.hpp"
#include "core/solvers/solve.hpp"
#include "core/solvers/solve_progress.hpp"

namespace parallax::solvers {

class CompactSolver {
public:
    /// `multigrid`: with a preconditioner.
    explicit CompactSolver(bool multigrid) : multigrid_(multigrid) {}
    /// Right-hand side and result of the next solve, of `count` unknowns.
    void resize(std::int64_t count);
    double* rightSide() { return b_.data(); }
    const double* solution() const { return u_.data(); }

    /// Solves, from 0. `isNew`: the system is not that of the solve before. The matrix must be nonsingular. Throws Error: cancelled; failed
    /// where it diverges.
    SolveHistory solve(const CompactSystem& system, bool isNew, const SolveOptions& options, const RunContext& context,
                       SolveProgress& progress);
    /// Bytes that it takes for each unknown.
    static std::uint64_t bytesOfUnknown(const Shape& shape, bool multigrid);

private:
    bool multigrid_;
    std::vector<double> b_, u_, r_, p_, q_;
    std::vector<float> copy_, z_;  ///< of the preconditioner
    LapClock clock_;               ///< of the preconditioner; its laps are not reported
    std::unique_ptr<Preconditioner> preconditioner_;
};

}  // namespace parallax::solvers
