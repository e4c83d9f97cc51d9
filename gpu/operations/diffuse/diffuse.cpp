// SPDX-License-Identifier: GPL-3.0-or-later
// diffuse / cuda: weights of the edges, then a solve; several for perona-malik.
#include "gpu/operations/diffuse/diffuse.hpp"

#include "core/operations/diffuse/plan.hpp"
#include "core/solvers/error_bounds.hpp"
#include "core/solvers/reporting.hpp"
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/operations/diffuse/weights.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"

namespace parallax::gpu {
namespace {

SolverProblem solverProblem(const Problem& problem, const DiffusePlan& plan) {
    return {.shape = problem.shape,
            .channels = static_cast<int>(plan.solved.size()),
            .stencil = plan.stencil(problem.shape),
            .hasEdges = !plan.isUniform() || problem.statistics.nonFinite() > 0,
            .options = plan.options};
}

class DiffuseExecution final : public Execution {
public:
    DiffuseExecution(SolverMethod method, const Problem& problem, DiffusePlan plan, const CudaSession& session)
        : plan_(std::move(plan)),
          shape_(problem.shape),
          largest_(problem.statistics.maxAbs()),
          hasEdges_(solverProblem(problem, plan_).hasEdges),
          channels_(session.allocator(), std::span<const int>(plan_.solved), session.stream()),
          luminance_(session.allocator(), std::span<const double>(plan_.luminance), session.stream()),
          solver_(method, solverProblem(problem, plan_), session) {
        for (const int c : plan_.solved) names_.push_back(problem.channelNames.at(static_cast<std::size_t>(c)));
        if (!hasEdges_) return;
        guide_ = {session.allocator(), static_cast<std::size_t>(solver_.grid().plane())};
        arrays_.guide = guide_.data();
        arrays_.samples = solver_.rightSide();
        for (int axis = 0; axis < 3; ++axis) arrays_.edges[axis] = solver_.edges(axis);
        preloadDiffusion();
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        const cudaStream_t stream = session.stream();
        context.throwIfStopped();
        history_.clear();
        copyChannels(plan_.copied, inputs[0], outputs[0], stream, context);
        const ImagePlanes planes{.in = inputs[0], .out = outputs[0], .channels = channels_.data(), .jointly = hasEdges_};
        const DiffusionNumbers numbers = DiffusionNumbers::of(plan_);
        if (hasEdges_) launchDiffusionGuide(solver_.grid(), numbers, planes, luminance_.data(), arrays_, stream);
        solvers::SolveProgress progress(context, shape_.height * shape_.depth * static_cast<std::int64_t>(plan_.solved.size()),
                                        plan_.solves);
        solver_.importRightSide(planes);
        for (int solve = 0; solve < plan_.solves; ++solve) {
            if (solve > 0) {
                history_.push_back(solver_.history());
                solver_.useSolutionAsRightSide();
            }
            if (hasEdges_) launchDiffusionWeights(solver_.grid(), numbers, arrays_, stream);
            solver_.solve(true, context, progress);
        }
        solver_.exportSolution(planes);
    }

    std::vector<Statistic> statistics(RunContext& context) override { return solvers::statisticsOf(history(context), names_); }
    std::vector<RunSeries> series(RunContext& context) override { return solvers::seriesOf(history(context)); }
    std::vector<RunLap> laps(RunContext& context) override {
        std::vector<solvers::SolveHistory> divided = history(context);
        const CurrentDevice current(cudaSession(context).device());
        solver_.addLaps(divided);
        return solvers::lapsOf(divided);
    }
    std::vector<std::string> warnings(RunContext& context) override { return solvers::warningsOf(history(context), plan_.options); }
    /// Known once the statistics of the run are.
    double dataTolerance() const override {
        double residual = 0;
        for (const solvers::SolveHistory& h : history_)
            if (h.end == solvers::SolveEnd::stagnated) residual += h.trueResidual;
        return residual > 0 ? solvers::errorBound(plan_.stencil(shape_), residual) * largest_ : 0;
    }

private:
    const std::vector<solvers::SolveHistory>& history(RunContext& context) {
        const CurrentDevice current(cudaSession(context).device());
        if (history_.size() < static_cast<std::size_t>(plan_.solves)) history_.push_back(solver_.history());
        return history_;
    }

    DiffusePlan plan_;
    Shape shape_;
    double largest_;
    bool hasEdges_;
    std::vector<std::string> names_;
    DeviceBuffer<int> channels_;
    DeviceBuffer<double> luminance_, guide_;
    StencilSolver solver_;
    DiffusionArrays arrays_;
    std::vector<solvers::SolveHistory> history_;
};

class Diffuse final : public Implementation {
public:
    explicit Diffuse(SolverMethod method) : method_(method) {}
    std::string operation() const override { return "diffuse"; }
    std::string variant() const override { return info(method_).name; }
    std::string summary() const override { return info(method_).summary; }
    Support supports(const Problem& problem) const override {
        if (const Support fits = axesFit(problem.shape); !fits) return fits;
        const std::string refusal = solverRefusal(method_, solverProblem(problem, planDiffuse(problem)));
        return refusal.empty() ? Support{} : Support::no(refusal);
    }
    bool errsLocally(const Problem&) const override { return false; }
    MemoryEstimate estimate(const Problem& problem) const override {
        const SolverProblem system = solverProblem(problem, planDiffuse(problem));
        const Grid grid = Grid::of(system.shape, system.channels);
        const std::uint64_t guide = system.hasEdges ? static_cast<std::uint64_t>(grid.plane()) * sizeof(double) : 0;
        return {.host = stagingBytes() + estimateSolverHostBytes(system),
                .device = estimateSolverBytes(method_, system) + guide +
                          static_cast<std::uint64_t>(system.channels) * (sizeof(int) + sizeof(double))};
    }
    Support recording(const Problem&) const override { return Support::no("The number of iterations is decided during the run"); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<DiffuseExecution>(method_, problem, planDiffuse(problem), session);
    }

private:
    SolverMethod method_;
};

}  // namespace

std::unique_ptr<Implementation> makeDiffuse(SolverMethod method) { return std::make_unique<Diffuse>(method); }

}  // namespace parallax::gpu
