// SPDX-License-Identifier: GPL-3.0-or-later
// Conjugate gradients on several devices, alone or with multigrid as preconditioner: each device has a band of the rows of an image.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/parallel/partition.hpp"
#include "gpu/parallel/device_group.hpp"
#include "gpu/solvers/bands/band_cycle.hpp"
#include "gpu/solvers/bands/band_iteration.hpp"
#include "gpu/solvers/solver.hpp"

namespace parallax::gpu {

/// Arrays of one member, in the layout of its grid, for kernels that compute the system before a solve or read its result.
struct BandSystem {
    Grid grid;                         ///< of the band; without rows if the image has fewer than there are members
    double* edges[2]{};                ///< along x and along y, one channel; null without hasEdges
    double* diagonals = nullptr;       ///< one channel; null without hasDiagonals
    double* rightSide = nullptr;       ///< all channels
    const double* solution = nullptr;  ///< likewise
    cudaStream_t stream = nullptr;
};

/// Rows above and below a band, [channel][pitch]; null at the border of the image.
struct RowsBesideBand {
    const double *above = nullptr, *below = nullptr;
};

/// The grid of a band.
Grid bandGrid(const SolverProblem& problem, const PartRange& rows);

/// Why several devices cannot solve a problem together by a method; empty if they can.
std::string groupRefusal(SolverMethod method, const SolverProblem& problem);

/// Returns the bytes of device memory that a member needs at most.
std::uint64_t estimateGroupBytes(SolverMethod method, const SolverProblem& problem, int members);

/// Bits of the result depend on the number of members, since each sums its own band; they are the same each time.
class GroupSolver {
public:
    /// Where the rows at the edges of bands go. `nowhere` is for benchmarks of the exchange: each band is solved alone.
    enum class EdgeRows { neighbours, nowhere };
    struct Options {
        EdgeRows edgeRows = EdgeRows::neighbours;            ///< of `cg`
        std::int64_t commonCells = CyclePlan::kCommonCells;  ///< of `multigrid`; smaller for tests
    };
    /// The group must exist as long as the solver. On ranks, each makes a solver and calls the same functions, with tasks and bands of its
    /// own member: those of others are not used.
    GroupSolver(SolverMethod method, const SolverProblem& problem, DeviceGroup& group, const Options& options);
    GroupSolver(SolverMethod method, const SolverProblem& problem, DeviceGroup& group) : GroupSolver(method, problem, group, Options{}) {}
    ~GroupSolver();
    GroupSolver(const GroupSolver&) = delete;
    GroupSolver& operator=(const GroupSolver&) = delete;

    /// Rows of the image that a member has; planes below are views of these rows in the member's memory.
    PartRange rows(int member) const { return Partition(rows_, group_.size())[member]; }

    /// Begins a solve whose right-hand side other kernels write.
    void begin();
    /// Begins a solve. Samples that are not finite count as 0. One element for each member.
    void importRightSide(std::span<const ImagePlanes> bands);
    /// Calls task(member, system) for all members, in their threads, and waits for the work that it has enqueued. With hasEdges, weights
    /// along y begin one row before edges[1], with those to the row above the band.
    void compute(const std::function<void(int member, const BandSystem&)>& task);
    /// In compute(), of all members: enqueues the exchange of the first and the last row of an array of one channel. The rows that arrive
    /// stay until the next exchange or solve.
    RowsBesideBand exchangeRows(int member, const double* array);
    /// The same for all channels of the right-hand side, whose rows have a place of their own.
    RowsBesideBand exchangeRightSide(int member);
    /// Completes values of all members: see DeviceGroup::share().
    template <class T>
    void share(std::vector<T>& ofMembers) {
        group_.share(std::span<T>(ofMembers));
    }
    /// Solves; the initial guess is 0, or the right-hand side. Returns when all devices have ended. Throws Error(cancelled), or
    /// Error(failed) if the solve diverges or a device fails.
    void solve(bool guess, const RunContext& context, solvers::SolveProgress& progress);
    /// Writes the solution. Samples that are not finite in the image are copied.
    void exportSolution(std::span<const ImagePlanes> bands);
    /// Makes the last result the right-hand side of the next solve.
    void useSolutionAsRightSide();
    /// The course of the last solve, as the first member of this process logged it: all have the same sums. On ranks, each may ask.
    solvers::SolveHistory history();

private:
    struct Member;

    void connect(EdgeRows edgeRows);
    void solveBand(int member, bool guess, const RunContext& context, solvers::SolveProgress* progress);
    void iterateUntilTheEnd(Member& m, const RunContext& context, solvers::SolveProgress* progress);

    DeviceGroup& group_;
    solvers::SolveOptions options_;
    std::int64_t rows_;
    double samples_;
    GroupSums sums_;
    std::unique_ptr<BandCycle> cycle_;  ///< of multigrid
    std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace parallax::gpu
