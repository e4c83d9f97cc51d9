// SPDX-License-Identifier: GPL-3.0-or-later
// poisson / cuda: one solve from image to image, on one device or on several.
#include "gpu/operations/poisson/poisson.hpp"

#include "core/operations/poisson/plan.hpp"
#include "core/solvers/error_bounds.hpp"
#include "core/solvers/reporting.hpp"
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"
#include "gpu/solvers/bands/band_solve.hpp"

namespace parallax::gpu {
namespace {

SolverProblem solverProblem(const Problem& problem, const PoissonPlan& plan) {
    return {.shape = problem.shape, .channels = static_cast<int>(plan.solved.size()), .stencil = plan.stencil, .options = plan.options};
}

/// Results of a run besides the image.
class PoissonCourse : public Execution {
public:
    PoissonCourse(const Problem& problem, PoissonPlan plan) : plan_(std::move(plan)), largest_(problem.statistics.maxAbs()) {
        for (const int c : plan_.solved) names_.push_back(problem.channelNames.at(static_cast<std::size_t>(c)));
    }

    std::vector<Statistic> statistics(RunContext& context) override { return solvers::statisticsOf(history(context), names_); }
    std::vector<RunSeries> series(RunContext& context) override { return solvers::seriesOf(history(context)); }
    std::vector<std::string> warnings(RunContext& context) override { return solvers::warningsOf(history(context), plan_.options); }
    /// Known once the statistics of the run are.
    double dataTolerance() const override {
        if (history_.empty() || history_[0].trueResidual <= plan_.options.tolerance) return 0;
        const bool byRounding = history_[0].end == solvers::SolveEnd::stagnated || history_[0].end == solvers::SolveEnd::direct;
        return byRounding ? solvers::errorBound(plan_.stencil, history_[0].trueResidual) * largest_ : 0;
    }

protected:
    const PoissonPlan& plan() const { return plan_; }
    void beginRun() { history_.clear(); }
    const std::vector<solvers::SolveHistory>& history(RunContext& context) {
        const CurrentDevice current(cudaSession(context).device());
        if (history_.empty()) history_ = {courseOfLastSolve()};
        return history_;
    }

private:
    virtual solvers::SolveHistory courseOfLastSolve() = 0;

    PoissonPlan plan_;
    double largest_;
    std::vector<std::string> names_;
    std::vector<solvers::SolveHistory> history_;
};

class PoissonExecution final : public PoissonCourse {
public:
    PoissonExecution(SolverMethod method, const Problem& problem, PoissonPlan plan, const CudaSession& session)
        : PoissonCourse(problem, std::move(plan)),
          channels_(session.allocator(), std::span<const int>(this->plan().solved), session.stream()),
          solver_(method, solverProblem(problem, this->plan()), session) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        context.throwIfStopped();
        beginRun();
        copyChannels(plan().copied, inputs[0], outputs[0], session.stream(), context);
        const ImagePlanes planes{.in = inputs[0], .out = outputs[0], .channels = channels_.data()};
        const Shape& shape = inputs[0].shape;
        solvers::SolveProgress progress(context, shape.height * shape.depth * static_cast<std::int64_t>(plan().solved.size()));
        solver_.importRightSide(planes);
        solver_.solve(false, context, progress);
        solver_.exportSolution(planes);
    }

    std::vector<RunLap> laps(RunContext& context) override {
        std::vector<solvers::SolveHistory> divided = history(context);
        const CurrentDevice current(cudaSession(context).device());
        solver_.addLaps(divided);
        return solvers::lapsOf(divided);
    }

private:
    solvers::SolveHistory courseOfLastSolve() override { return solver_.history(); }

    DeviceBuffer<int> channels_;
    StencilSolver solver_;
};

/// On several devices.
class PoissonPart final : public ExecutionOfPart<PoissonCourse> {
public:
    PoissonPart(SolverMethod method, const Problem& problem, PoissonPlan plan, const CudaSession& session)
        : ExecutionOfPart(problem, std::move(plan)),
          channels_(session.allocator(), std::span<const int>(this->plan().solved), session.stream()),
          solve_(method, solverProblem(problem, this->plan()), session) {}

    void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                 RunContext& context) override {
        CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        beginRun();
        if (!part.range.empty()) copyChannels(plan().copied, input, output, session.stream(), context);
        const ImagePlanes own{.in = input, .out = output, .channels = channels_.data()};
        solve_.run(part, own, communicator, session, [&](GroupSolver& solver, const std::vector<ImagePlanes>& bands) {
            solvers::SolveProgress progress(context, solve_.rowsHere(part) * static_cast<std::int64_t>(plan().solved.size()));
            solver.importRightSide(bands);
            solver.solve(false, context, progress);
            solver.exportSolution(bands);
        });
    }

private:
    solvers::SolveHistory courseOfLastSolve() override { return solve_.history(); }

    DeviceBuffer<int> channels_;
    BandSolve solve_;
};

class Poisson final : public Implementation, public PreparesParts {
public:
    explicit Poisson(SolverMethod method) : method_(method) {}
    std::string operation() const override { return "poisson"; }
    std::string variant() const override { return info(method_).name; }
    std::string summary() const override { return info(method_).summary; }
    Support supports(const Problem& problem) const override {
        if (const Support fits = axesFit(problem.shape); !fits) return fits;
        const std::string refusal = solverRefusal(method_, solverProblem(problem, planPoisson(problem)));
        return refusal.empty() ? Support{} : Support::no(refusal);
    }
    bool errsLocally(const Problem&) const override { return false; }
    MemoryEstimate estimate(const Problem& problem) const override {
        const SolverProblem system = solverProblem(problem, planPoisson(problem));
        return {.host = stagingBytes() + estimateSolverHostBytes(system),
                .device = estimateSolverBytes(method_, system) + static_cast<std::uint64_t>(system.channels) * sizeof(int)};
    }
    Distribution distribution(const Problem& problem) const override {
        const std::string refusal = groupRefusal(method_, solverProblem(problem, planPoisson(problem)));
        if (!refusal.empty()) return {.halo = StripSupport::no(refusal)};
        return {.halo = StripSupport::withoutHalo(), .phases = true, .sameBits = false};
    }
    Support recording(const Problem&) const override { return Support::no("The number of iterations is decided during the run"); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<PoissonExecution>(method_, problem, planPoisson(problem), session);
    }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<PoissonPart>(method_, problem, planPoisson(problem), session);
    }
    std::optional<std::uint64_t> deviceBytes(const Problem& problem, int parts) const override {
        const SolverProblem system = solverProblem(problem, planPoisson(problem));
        return estimateGroupBytes(method_, system, parts) + static_cast<std::uint64_t>(system.channels) * sizeof(int);
    }

private:
    SolverMethod method_;
};

}  // namespace

std::unique_ptr<Implementation> makePoisson(SolverMethod method) { return std::make_unique<Poisson>(method); }

}  // namespace parallax::gpu
