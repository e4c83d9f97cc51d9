// SPDX-License-Identifier: GPL-3.0-or-later
// Solves A u = f on the device, A being a 5-point or 7-point stencil, in double.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/solvers/solve.hpp"
#include "core/solvers/solve_progress.hpp"
#include "core/solvers/stencil.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/runtime/recorded_work.hpp"
#include "gpu/session.hpp"
#include "gpu/solvers/compressed_rows.hpp"
#include "gpu/solvers/conjugate_gradients.hpp"
#include "gpu/solvers/device_laps.hpp"
#include "gpu/solvers/edge_multigrid.hpp"
#include "gpu/solvers/edges/iteration.hpp"
#include "gpu/solvers/multigrid/multigrid.hpp"
#include "gpu/solvers/transforms.hpp"

namespace parallax::gpu {

enum class SolverMethod { multigrid, cg, textbook, csr, dct };

struct SolverMethodInfo {
    const char* name;
    const char* summary;  ///< one sentence
};
const SolverMethodInfo& info(SolverMethod method);

/// The size and the kind of a system, as far as it is known before the data are.
struct SolverProblem {
    Shape shape;
    int channels = 1;
    solvers::Stencil stencil;   ///< without arrays
    bool hasEdges = false;      ///< weights of edges are set before each solve
    bool hasDiagonals = false;  ///< so is the diagonal, which makes the system nonsingular; only with edges
    solvers::SolveOptions options;
};

/// Why a method cannot solve a problem; empty if it can.
std::string solverRefusal(SolverMethod method, const SolverProblem& problem);
std::uint64_t estimateSolverBytes(SolverMethod method, const SolverProblem& problem);
std::uint64_t estimateSolverHostBytes(const SolverProblem& problem);

/// Bytes of the log of a solve.
std::size_t solveLogBytes(std::int64_t iterations);
/// The course of a solve that iterates, from its log and the states of its channels. `samples`: of one channel.
solvers::SolveHistory iterativeHistory(const SolveLog& log, const std::vector<ChannelState>& channels, const solvers::SolveOptions& options,
                                       bool singular, double samples);

class StencilSolver {
public:
    StencilSolver(SolverMethod method, const SolverProblem& problem, const CudaSession& session);
    ~StencilSolver();
    StencilSolver(const StencilSolver&) = delete;
    StencilSolver& operator=(const StencilSolver&) = delete;

    const Grid& grid() const { return arguments_.grid; }
    /// Weights of the edges along an axis, in the layout of the grid, one channel; to be written before a solve. Null without hasEdges.
    double* edges(int axis) { return edges_[axis].data(); }
    /// The diagonal without the weights of edges, likewise. Null without hasDiagonals.
    double* diagonals() { return diagonals_.data(); }
    /// The right-hand side, in the layout of the grid: set by importRightSide() or by other kernels.
    double* rightSide() { return b_.data(); }
    double* solution() { return x_.data(); }
    const SolveArguments& arguments() const { return arguments_; }

    /// Begins a solve whose right-hand side other kernels write.
    void begin();
    /// Begins a solve. Reads the right-hand side from an image, where samples that are not finite count as 0.
    void importRightSide(const ImagePlanes& image);
    /// Solves; the initial guess is 0, or the right-hand side. Returns when the device has ended its iterations. Throws Error(cancelled),
    /// or Error(failed) if the solve diverges.
    void solve(bool guess, const RunContext& context, solvers::SolveProgress& progress);
    /// Writes the solution. Samples that are not finite in the image are copied.
    void exportSolution(const ImagePlanes& image);
    /// Makes the last result the right-hand side of the next solve.
    void useSolutionAsRightSide();
    /// The course of the last solve, with the times of its beginning and its end as laps. Waits for the device.
    solvers::SolveHistory history();
    /// Divides the times of the iterations of solves of this run among the parts of an iteration. The first call measures the shares of the
    /// parts in iterations of its own, which replace the solution; so the course of the last solve must have been asked for before.
    void addLaps(std::vector<solvers::SolveHistory>& histories);

private:
    class PageLocked;

    void iterateUntilTheEnd(const RunContext& context, solvers::SolveProgress& progress);
    void restart(const SolveArguments& a);
    void iterateTwice(const SolveArguments& a, DeviceLaps* laps = nullptr);
    void iterate(const SolveArguments& a, IterationOfPair which, DeviceLaps* laps);
    /// Whether conjugate gradients are those of edges/iteration.hpp.
    bool isSingle() const { return edgeMultigrid_ && options_.tolerance >= kSingleTolerance; }
    std::vector<solvers::SolveHistory::Lap> measureParts(std::int64_t pairs);

    SolverMethod method_;
    solvers::SolveOptions options_;
    std::shared_ptr<Stream> stream_;
    std::shared_ptr<Allocator> allocator_;
    SolveArguments arguments_;
    DeviceBuffer<double> b_, x_, r_, p_, q_, partials_, edges_[3], diagonals_;
    DeviceBuffer<float> scaledMemory_, zMemory_;
    DeviceBuffer<float> direction_, nextDirection_;  ///< p and q of multigrid
    float *scaled_ = nullptr, *z_ = nullptr;         ///< what the preconditioner reads and writes
    DeviceBuffer<ChannelState> channels_;
    DeviceBuffer<SolveState> state_;
    std::unique_ptr<PageLocked> log_;
    std::optional<Multigrid> multigrid_;
    std::optional<EdgeMultigrid> edgeMultigrid_;
    std::optional<TransformSolver> transforms_;
    std::optional<PeerIteration> peer_;
    RecordedWork recorded_;                          ///< two iterations, of methods of our own
    std::vector<solvers::SolveHistory::Lap> parts_;  ///< as measured; empty: not yet
};

}  // namespace parallax::gpu
