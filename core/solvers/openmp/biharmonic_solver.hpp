// SPDX-License-Identifier: GPL-3.0-or-later
// Biharmonic interpolation on compact systems: L L u = 0 on the unknowns, with or without two solves of L x = f as preconditioner.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/image/host/host_vector.hpp"
#include "core/solvers/compact_system.hpp"
#include "core/solvers/openmp/compact_solver.hpp"
#include "core/solvers/solve.hpp"
#include "core/solvers/solve_progress.hpp"

namespace parallax::solvers {

class BiharmonicSolver {
public:
    /// The value of a known sample at x, y, z.
    using Known = std::function<double(std::int64_t x, std::int64_t y, std::int64_t z)>;

    /// `preconditioned`: by harmonic solves.
    explicit BiharmonicSolver(bool preconditioned) : preconditioned_(preconditioned) {}

    /// Solves (L L u)_i = 0 on the unknowns of `system`, from 0, where all other samples are known. L is that of all samples of the grid.
    /// `isNew`: the system is not that of the solve before. At least one sample is known. Throws Error: cancelled; failed where it
    /// diverges.
    SolveHistory solve(const CompactSystem& system, bool isNew, const Known& known, const SolveOptions& options, const RunContext& context,
                       SolveProgress& progress);
    const double* solution() const { return u_.data(); }

    /// Unknowns and their known neighbours together, at most.
    static std::int64_t mostSamples(const Shape& shape, std::int64_t unknowns);
    /// Bytes that it takes at most.
    static std::uint64_t bytes(const Shape& shape, std::int64_t unknowns, bool preconditioned);

private:
    class Iteration;
    void setSystem(const CompactSystem& system, const RunContext& context);
    void setRightSide(const CompactSystem& system, const Known& known, const RunContext& context);

    bool preconditioned_;
    CompactSolver harmonic_{true};
    bool isNewToHarmonic_ = true;
    CompactSystem wide_;              ///< the unknowns and their neighbours
    HostVector<std::int32_t> place_;  ///< of each unknown in wide_
    HostVector<double> b_, u_, r_, q_;
    HostVector<double> p_, lp_;  ///< of wide_, and one more element that is 0 and stands for all other samples
};

}  // namespace parallax::solvers
