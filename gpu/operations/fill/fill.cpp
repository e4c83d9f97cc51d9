// SPDX-License-Identifier: GPL-3.0-or-later
// fill / cuda: one solve for each channel with missing samples, over the whole grid; on one device or on several.
#include "gpu/operations/fill/fill.hpp"

#include <optional>

#include "core/operations/fill/outcome.hpp"
#include "core/operations/fill/plan.hpp"
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/operations/fill/system.hpp"
#include "gpu/parallel/local_part.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"
#include "gpu/solvers/bands/band_solve.hpp"

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

FillChannel channelOf(const FillPlan& plan, const View<const float>& in, const View<float>& out, int c) {
    return {
        .in = in.channel(c), .alpha = plan.alphaChannel >= 0 ? in.channel(plan.alphaChannel) : View<const float>{}, .out = out.channel(c)};
}

/// Enqueues the download of the counts.
void download(const FillCounts* counts, FillCounts& to, cudaStream_t stream) {
    check(cudaMemcpyAsync(&to, counts, sizeof to, cudaMemcpyDeviceToHost, stream), "The number of missing samples could not be downloaded");
}

/// Results of a run besides the image.
class FillCourse : public Execution {
public:
    FillCourse(const Problem& problem, FillPlan plan) : plan_(std::move(plan)), outcome_(problem, plan_) { preloadFill(); }

    std::vector<Statistic> statistics(RunContext&) override { return outcome_.statistics(); }
    std::vector<RunSeries> series(RunContext&) override { return outcome_.series(); }
    std::vector<std::string> warnings(RunContext&) override { return outcome_.warnings(); }
    double dataTolerance() const override { return outcome_.dataTolerance(); }

protected:
    const FillPlan& plan() const { return plan_; }
    filling::Outcome& outcome() { return outcome_; }
    /// Whether the missing samples of a channel are interpolated: there are some, and others are known.
    bool isSolved(const FillCounts& counts) const {
        const unsigned long long unknowns = counts.missing + counts.unusable;
        return counts.missing > 0 && unknowns < static_cast<unsigned long long>(plan_.stencil.shape.pixels());
    }
    solvers::SolveProgress progress(RunContext& context, int channel, std::int64_t rows) const {
        return {context, rows, 1, outcome_.nameOf(channel)};
    }
    void addSolved(int channel, const FillCounts& counts, solvers::SolveHistory history) {
        const auto missing = static_cast<std::int64_t>(counts.missing);
        outcome_.addSolved(channel, missing, missing + static_cast<std::int64_t>(counts.unusable), std::move(history));
    }

private:
    FillPlan plan_;
    filling::Outcome outcome_;
};

class FillExecution final : public FillCourse {
public:
    FillExecution(SolverMethod method, const Problem& problem, FillPlan plan, const CudaSession& session)
        : FillCourse(problem, std::move(plan)),
          solver_(method, solverProblem(this->plan()), session),
          kinds_(session.allocator(), static_cast<std::size_t>(solver_.grid().plane())),
          counts_(session.allocator(), 1) {
        arrays_ = {.kinds = kinds_.data(),
                   .edges = {solver_.edges(0), solver_.edges(1), solver_.edges(2)},
                   .diagonals = solver_.diagonals(),
                   .rightSide = solver_.rightSide(),
                   .solution = solver_.solution(),
                   .counts = counts_.data()};
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        outcome().clear();
        context.throwIfStopped();
        copyChannels(plan().copied, inputs[0], outputs[0], session.stream(), context);
        for (const int c : plan().solved) {
            context.throwIfStopped();
            const FillChannel channel = channelOf(plan(), inputs[0], outputs[0], c);
            launchFillKinds(solver_.grid(), plan().criterion, channel, arrays_, session.stream());
            FillCounts counts;
            download(counts_.data(), counts, session.stream());
            check(cudaStreamSynchronize(session.stream()), "The missing samples could not be found");
            if (isSolved(counts)) {
                addSolved(c, counts, solve(channel, c, session.stream(), context));
            } else {
                copyChannels({c}, inputs[0], outputs[0], session.stream(), context);
                outcome().addUnsolved(c, static_cast<std::int64_t>(counts.missing));
            }
        }
    }

private:
    solvers::SolveHistory solve(const FillChannel& channel, int c, cudaStream_t stream, RunContext& context) {
        launchFillSystem(solver_.grid(), plan().stencil.axisWeights, channel, {}, arrays_, stream);
        solver_.begin();
        const Shape& shape = plan().stencil.shape;
        solvers::SolveProgress told = progress(context, c, shape.height * shape.depth);
        solver_.solve(false, context, told);
        launchFillResult(solver_.grid(), channel, arrays_, stream);
        return solver_.history();
    }

    StencilSolver solver_;
    DeviceBuffer<std::uint8_t> kinds_;
    DeviceBuffer<FillCounts> counts_;
    FillArrays arrays_;
};

/// On several devices.
class FillPart final : public ExecutionOfPart<FillCourse> {
public:
    FillPart(SolverMethod method, const Problem& problem, FillPlan plan, const CudaSession& session)
        : ExecutionOfPart(problem, std::move(plan)),
          solve_(method, solverProblem(this->plan()), session),
          kinds_(session.allocator(), static_cast<std::size_t>(solve_.grid().plane())),
          counts_(session.allocator(), 1) {}

    void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                 RunContext& context) override {
        CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        outcome().clear();
        if (!part.range.empty()) copyChannels(plan().copied, input, output, session.stream(), context);
        Band own{.in = input, .out = output, .kinds = kinds_.data(), .counts = counts_.data(), .rows = part.range, .interior = part.range};
        if (plan().criterion.missing == MissingSamples::fireflies) exchangeWindows(part, own, communicator, session);
        solve_.run(part, own, communicator, session, [&](GroupSolver& solver, const std::vector<Band>& bands) {
            for (std::size_t i = 0; i < plan().solved.size(); ++i) fillChannel(i, solver, bands, solve_.rowsHere(part), context);
        });
    }

private:
    /// Rows near another part, and those that their windows reach.
    struct Edge {
        PartRange rows, seen;
        View<const float> in;  ///< channels in the order of FillPlan::solved
    };
    struct Band {
        View<const float> in;
        View<float> out;
        std::uint8_t* kinds;
        FillCounts* counts;
        PartRange rows, interior;  ///< the interior needs no other part
        int edgeCount = 0;
        Edge edges[2] = {};

        FillArrays arrays(const BandSystem& system) const {
            return {.kinds = kinds,
                    .edges = {system.edges[0], system.edges[1]},
                    .diagonals = system.diagonals,
                    .rightSide = system.rightSide,
                    .solution = system.solution,
                    .counts = counts};
        }
        std::vector<FillBand::Window> windows(int channel, std::size_t indexOfSolved) const {
            std::vector<FillBand::Window> all;
            const auto add = [&](const PartRange& of, std::int64_t firstSeen, const View<const float>& seen) {
                if (!of.empty()) all.push_back({static_cast<int>(of.first), static_cast<int>(of.last), static_cast<int>(firstSeen), seen});
            };
            add(interior, rows.first, in.channel(channel));
            for (int e = 0; e < edgeCount; ++e)
                add(edges[e].rows, edges[e].seen.first, edges[e].in.channel(static_cast<std::int64_t>(indexOfSolved)));
            return all;
        }
    };

    void exchangeWindows(const ImagePart& part, Band& own, Communicator& communicator, CudaSession& session) {
        if (!around_) around_.emplace(part, plan().criterion.radius, plan().solved, session);
        around_->startExchange(own.in, communicator)->finish();
        own.interior = around_->interior();
        for (const LocalPart::Edge& edge : around_->edges())
            own.edges[own.edgeCount++] = {edge.rows, edge.needed, edge.input.view<float>()};
    }

    /// `rows`: those of progress.
    void fillChannel(std::size_t index, GroupSolver& solver, const std::vector<Band>& bands, std::int64_t rows, RunContext& context) {
        context.throwIfStopped();
        const int c = plan().solved[index];
        const FillCounts counts = findMissing(index, solver, bands);
        if (!isSolved(counts)) {
            solver.compute([&](int member, const BandSystem& system) {
                const Band& band = bands[static_cast<std::size_t>(member)];
                if (!band.rows.empty()) copyChannels({c}, band.in, band.out, system.stream, context);
            });
            return outcome().addUnsolved(c, static_cast<std::int64_t>(counts.missing));
        }
        solver.begin();
        solver.compute([&](int member, const BandSystem& system) {
            const Band& band = bands[static_cast<std::size_t>(member)];
            const RowsBesideBand beside = solver.exchangeRows(member, system.rightSide);
            if (!band.rows.empty())
                launchFillSystem(system.grid, plan().stencil.axisWeights, channelOf(plan(), band.in, band.out, c),
                                 {beside.above, beside.below}, band.arrays(system), system.stream);
        });
        solvers::SolveProgress told = progress(context, c, rows);
        solver.solve(false, context, told);
        solver.compute([&](int member, const BandSystem& system) {
            const Band& band = bands[static_cast<std::size_t>(member)];
            if (!band.rows.empty())
                launchFillResult(system.grid, channelOf(plan(), band.in, band.out, c), band.arrays(system), system.stream);
        });
        addSolved(c, counts, solver.history());
    }

    /// Finds the kinds of a channel's samples and returns their counts in the whole image.
    FillCounts findMissing(std::size_t index, GroupSolver& solver, const std::vector<Band>& bands) const {
        const int c = plan().solved[index];
        std::vector<FillCounts> ofBands(bands.size());
        solver.compute([&](int member, const BandSystem& system) {
            const Band& band = bands[static_cast<std::size_t>(member)];
            if (band.rows.empty()) return;
            const std::vector<FillBand::Window> windows = band.windows(c, index);
            const FillBand place{static_cast<int>(band.rows.first), static_cast<int>(plan().stencil.shape.height), windows};
            launchFillKinds(system.grid, plan().criterion, channelOf(plan(), band.in, band.out, c), place, band.arrays(system),
                            system.stream);
            download(band.counts, ofBands[static_cast<std::size_t>(member)], system.stream);
        });
        solver.share(ofBands);
        FillCounts all;
        for (const FillCounts& counts : ofBands) {
            all.missing += counts.missing;
            all.unusable += counts.unusable;
        }
        return all;
    }

    BandSolve solve_;
    DeviceBuffer<std::uint8_t> kinds_;
    DeviceBuffer<FillCounts> counts_;
    std::optional<LocalPart> around_;  // of fireflies
};

class Fill final : public Implementation, public PreparesParts {
public:
    explicit Fill(SolverMethod method) : method_(method) {}
    std::string operation() const override { return "fill"; }
    std::string variant() const override { return info(method_).name; }
    std::string summary() const override { return info(method_).summary; }
    Support supports(const Problem& problem) const override {
        if (planFill(problem).isBiharmonic()) return Support::no("It has harmonic interpolation only; 'openmp' has the biharmonic one");
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
    Distribution distribution(const Problem& problem) const override {
        const std::string refusal = groupRefusal(method_, solverProblem(planFill(problem)));
        if (!refusal.empty()) return {.halo = StripSupport::no(refusal)};
        return {.halo = StripSupport::withoutHalo(), .phases = true, .sameBits = false};
    }
    Support recording(const Problem&) const override { return Support::no("The number of iterations is decided during the run"); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<FillExecution>(method_, problem, planFill(problem), session);
    }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<FillPart>(method_, problem, planFill(problem), session);
    }
    std::optional<std::uint64_t> deviceBytes(const Problem& problem, int parts) const override {
        const FillPlan plan = planFill(problem);
        const SolverProblem system = solverProblem(plan);
        const std::int64_t rows = Partition(system.shape.height, parts)[0].count();
        const auto kinds = static_cast<std::uint64_t>(bandGrid(system, {0, rows}).plane());
        std::uint64_t windows = 0;
        if (plan.criterion.missing == MissingSamples::fireflies) {
            // Both edges, each with rows of both sides.
            const std::int64_t seen = std::min<std::int64_t>(rows + 2 * plan.criterion.radius, 6 * std::int64_t{plan.criterion.radius});
            windows = static_cast<std::uint64_t>(seen * system.shape.width) * plan.solved.size() * sizeof(float);
        }
        return estimateGroupBytes(method_, system, parts) + kinds + sizeof(FillCounts) + windows;
    }

private:
    SolverMethod method_;
};

}  // namespace

std::unique_ptr<Implementation> makeFill(SolverMethod method) { return std::make_unique<Fill>(method); }

}  // namespace parallax::gpu
