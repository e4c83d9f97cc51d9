// SPDX-License-Identifier: GPL-3.0-or-later
// fill / cuda: one solve for each channel with missing samples, over the whole grid.
#include "gpu/operations/fill/fill.hpp"

#include "core/operations/fill/outcome.hpp"
#include "core/operations/fill/plan.hpp"
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/operations/fill/system.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"

namespace parallax::gpu {
namespace {

SolverProblem solverProblem(const FillPlan& plan) {
    return {.shape = plan.stencil.shape,
            .channels = 1,
            .stencil = plan.stencil,
            .hasEdges = true,
            .hasDiagonals = true,
            .options = plan.options};
}

class FillExecution final : public Execution {
public:
    FillExecution(SolverMethod method, const Problem& problem, FillPlan plan, const CudaSession& session)
        : plan_(std::move(plan)),
          outcome_(problem, plan_),
          solver_(method, solverProblem(plan_), session),
          kinds_(session.allocator(), static_cast<std::size_t>(solver_.grid().plane())),
          counts_(session.allocator(), 1) {
        arrays_ = {.kinds = kinds_.data(),
                   .edges = {solver_.edges(0), solver_.edges(1), solver_.edges(2)},
                   .diagonals = solver_.diagonals(),
                   .rightSide = solver_.rightSide(),
                   .solution = solver_.solution(),
                   .counts = counts_.data()};
        preloadFill();
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        outcome_.clear();
        context.throwIfStopped();
        copyChannels(plan_.copied, inputs[0], outputs[0], session.stream(), context);
        for (const int c : plan_.solved) {
            context.throwIfStopped();
            const FillChannel channel{.in = inputs[0].channel(c),
                                      .alpha = plan_.alphaChannel >= 0 ? inputs[0].channel(plan_.alphaChannel) : View<const float>{},
                                      .out = outputs[0].channel(c)};
            launchFillKinds(solver_.grid(), plan_.criterion, channel, arrays_, session.stream());
            const FillCounts counts = downloadCounts(session.stream());
            const auto missing = static_cast<std::int64_t>(counts.missing), unknowns = missing + static_cast<std::int64_t>(counts.unusable);
            if (missing == 0 || unknowns == solver_.grid().samples()) {
                copyChannels({c}, inputs[0], outputs[0], session.stream(), context);
                outcome_.addUnsolved(c, missing);
            } else {
                outcome_.addSolved(c, missing, unknowns, solve(channel, c, session.stream(), context));
            }
        }
    }

    std::vector<Statistic> statistics(RunContext&) override { return outcome_.statistics(); }
    std::vector<RunSeries> series(RunContext&) override { return outcome_.series(); }
    std::vector<std::string> warnings(RunContext&) override { return outcome_.warnings(); }
    double dataTolerance() const override { return outcome_.dataTolerance(); }

private:
    FillCounts downloadCounts(cudaStream_t stream) const {
        constexpr const char* what = "The number of missing samples could not be downloaded";
        FillCounts counts;
        check(cudaMemcpyAsync(&counts, counts_.data(), sizeof counts, cudaMemcpyDeviceToHost, stream), what);
        check(cudaStreamSynchronize(stream), what);
        return counts;
    }

    solvers::SolveHistory solve(const FillChannel& channel, int c, cudaStream_t stream, RunContext& context) {
        launchFillSystem(solver_.grid(), plan_.stencil.axisWeights, channel, arrays_, stream);
        solver_.begin();
        solvers::SolveProgress progress(context, channel.in.shape.height * channel.in.shape.depth, 1, outcome_.nameOf(c));
        solver_.solve(false, context, progress);
        launchFillResult(solver_.grid(), channel, arrays_, stream);
        return solver_.history();
    }

    FillPlan plan_;
    filling::Outcome outcome_;
    StencilSolver solver_;
    DeviceBuffer<std::uint8_t> kinds_;
    DeviceBuffer<FillCounts> counts_;
    FillArrays arrays_;
};

class Fill final : public Implementation {
public:
    explicit Fill(SolverMethod method) : method_(method) {}
    std::string operation() const override { return "fill"; }
    std::string variant() const override { return info(method_).name; }
    std::string summary() const override { return info(method_).summary; }
    Support supports(const Problem& problem) const override {
        if (const Support fits = axesFit(problem.shape); !fits) return fits;
        const std::string refusal = solverRefusal(method_, solverProblem(planFill(problem)));
        return refusal.empty() ? Support{} : Support::no(refusal);
    }
    bool errsLocally(const Problem&) const override { return false; }
    MemoryEstimate estimate(const Problem& problem) const override {
        const SolverProblem system = solverProblem(planFill(problem));
        const auto kinds = static_cast<std::uint64_t>(Grid::of(system.shape, 1).plane());
        return {.host = stagingBytes() + estimateSolverHostBytes(system),
                .device = estimateSolverBytes(method_, system) + kinds + sizeof(FillCounts)};
    }
    Support recording(const Problem&) const override { return Support::no("The number of iterations is decided during the run"); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<FillExecution>(method_, problem, planFill(problem), session);
    }

private:
    SolverMethod method_;
};

}  // namespace

std::unique_ptr<Implementation> makeFill(SolverMethod method) { return std::make_unique<Fill>(method); }

}  // namespace parallax::gpu
