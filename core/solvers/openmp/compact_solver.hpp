// SPDX-License-Identifier: GPL-3.0-or-later
// Conjugate gradients on compact systems, with or without a V-cycle over aggregates as preconditioner.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/image/host/host_vector.hpp"
#include "core/solvers/compact_system.hpp"
#include "core/solvers/openmp/ghost_rows.hpp"
#include "core/solvers/openmp/preconditioner.hpp"
#include "core/solvers/solve.hpp"
#include "core/solvers/solve_progress.hpp"

namespace parallax::solvers {

/// The sums of blocks of unknowns, added in order: the same for any number of threads and parts. A block has unknowns of one row only.
class CompactSums {
public:
    /// All ranks make theirs at the same time; `communicator` is null for one part.
    CompactSums(const CompactSystem& system, Communicator* communicator);

    /// Calls body(i) for all own unknowns, by threads, and keeps the sum of its results for each block.
    template <class F>
    void addUp(const RunContext& context, const F& body);
    /// Returns the sum over the blocks of all parts.
    double result() const;

private:
    std::vector<std::int64_t> begins_;  // of the blocks, and the end of the last one
    std::vector<std::size_t> tasks_;    // the first block of each task of a thread, and the number of blocks
    std::vector<double> sums_;          // of the blocks
    Communicator* communicator_;
    Partition places_;  // of the bytes of the sums of all parts
};

class CompactSolver {
public:
    /// `multigrid`: with a preconditioner.
    explicit CompactSolver(bool multigrid) : multigrid_(multigrid) {}
    /// Right-hand side and result of the next solve, of `count` unknowns, ghosts included.
    void resize(std::int64_t count);
    double* rightSide() { return b_.data(); }
    const double* solution() const { return u_.data(); }

    /// Solves, from 0. `isNew`: the system is not that of the solve before, on any part; a part whose run has ended is another one. The
    /// matrix must be nonsingular. `communicator`: null for one part, else all ranks call it; every part solves a system of few unknowns
    /// whole. Throws Error: cancelled; failed where it diverges.
    SolveHistory solve(const CompactSystem& system, bool isNew, Communicator* communicator, const SolveOptions& options,
                       const RunContext& context, SolveProgress& progress);
    /// Bytes that it takes for each unknown.
    static std::uint64_t bytesOfUnknown(const Shape& shape, bool multigrid);

private:
    /// A system of few unknowns, whole.
    struct Gathered;
    void setUp(const CompactSystem& system, Communicator* communicator, const RunContext& context);
    SolveHistory solveGathered(bool isNew, Communicator& communicator, const SolveOptions& options, const RunContext& context,
                               SolveProgress& progress);

    bool multigrid_;
    HostVector<double> b_, u_, r_, p_, q_;
    HostVector<float> copy_, z_;  ///< of the preconditioner
    LapClock clock_;              ///< of the preconditioner; its laps are not reported
    std::unique_ptr<GhostRows> unknowns_;
    std::unique_ptr<CompactSums> sums_;
    std::unique_ptr<Preconditioner> preconditioner_;
    std::shared_ptr<Gathered> gathered_;  ///< null: parts solve together
};

}  // namespace parallax::solvers
