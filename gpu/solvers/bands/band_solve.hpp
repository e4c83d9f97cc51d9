// SPDX-License-Identifier: GPL-3.0-or-later
// A solve in a run on several devices (core/engine/parts): every part has its rows of the image, and the first part of each process solves
// for all parts of it, by kernels that exchange without the host.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/engine/parts/part_execution.hpp"
#include "gpu/parallel/session_group.hpp"
#include "gpu/session.hpp"
#include "gpu/solvers/bands/group_solver.hpp"

namespace parallax::gpu {

class BandSolve {
public:
    /// In the preparation of each part. Throws Error(memory); on ranks also Error(unavailable), unless they are on one machine.
    BandSolve(SolverMethod method, const SolverProblem& problem, const CudaSession& session)
        : grid_(bandGrid(problem, Partition(problem.shape.height, session.group()->size())[session.rank()])),
          onRanks_(session.group()->isOnRanks()) {
        if (session.rank() == 0 || onRanks_) solver_.emplace(method, problem, session.group()->deviceGroup());
    }

    /// The grid of this part.
    const Grid& grid() const { return grid_; }
    /// Rows of a channel whose progress is told here: those of all parts of this process.
    std::int64_t rowsHere(const ImagePart& part) const { return onRanks_ ? part.range.count() : part.image.height; }

    /// Called by each part with what kernels need of it: views and pointers to its device's memory, which work ordered so far in the
    /// session has written. The first part of each process calls solve(solver, bands) with those of all parts. Returns when all have
    /// returned.
    template <class Band, class Solve>
    void run(const ImagePart& part, const Band& own, Communicator& communicator, CudaSession& session, Solve&& solve) {
        if (part.range.count() != grid_.height) throw Error(ErrorCode::failed, "The parts of a solve are not those of the run");
        // The solver has streams of its own.
        session.drain();
        const std::vector<Band> bands = gatherBlocks<Band>(communicator, {&own, 1});
        if (solver_) solve(*solver_, bands);
        communicator.barrier();
    }

    /// The course of the last solve; of the first part of a process.
    solvers::SolveHistory history() { return solver_.value().history(); }

private:
    Grid grid_;
    bool onRanks_;
    std::optional<GroupSolver> solver_;  // of the first part of a process
};

/// An execution that runs on parts only. `Base`: an Execution, whose constructors it has.
template <class Base>
class ExecutionOfPart : public Base, public PartExecution {
public:
    using Base::Base;
    /// Its kernels exchange without the communicator.
    bool countsTraffic() const override { return false; }
    void run(std::span<const View<const float>>, std::span<const View<float>>, RunContext&) override {
        throw Error(ErrorCode::failed, "This execution is a part of a run on several devices");
    }
};

/// Returns a member of the bands of all parts.
template <class Band, class T>
std::vector<T> eachOf(const std::vector<Band>& bands, T Band::*member) {
    std::vector<T> all;
    for (const Band& band : bands) all.push_back(band.*member);
    return all;
}

}  // namespace parallax::gpu
