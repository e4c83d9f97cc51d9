// SPDX-License-Identifier: GPL-3.0-or-later
// diffuse / cuda: weights of the edges, then a solve; several for perona-malik. On one device or on several.
#include "gpu/operations/diffuse/diffuse.hpp"

#include "core/operations/diffuse/plan.hpp"
#include "core/solvers/error_bounds.hpp"
#include "core/solvers/reporting.hpp"
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/operations/diffuse/weights.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"
#include "gpu/solvers/bands/band_solve.hpp"

namespace parallax::gpu {
namespace {

SolverProblem solverProblem(const Problem& problem, const DiffusePlan& plan) {
    return {.shape = problem.shape,
            .channels = static_cast<int>(plan.solved.size()),
            .stencil = plan.stencil(problem.shape),
            .hasEdges = !plan.isUniform() || problem.statistics.nonFinite() > 0,
            .options = plan.options};
}

/// Channels and guide on the device of a run or of a part of it, and results besides the image.
class DiffuseCourse : public Execution {
public:
    DiffuseCourse(const Problem& problem, DiffusePlan plan, const CudaSession& session)
        : plan_(std::move(plan)),
          shape_(problem.shape),
          largest_(problem.statistics.maxAbs()),
          hasEdges_(solverProblem(problem, plan_).hasEdges),
          channels_(session.allocator(), std::span<const int>(plan_.solved), session.stream()),
          luminance_(session.allocator(), std::span<const double>(plan_.luminance), session.stream()) {
        for (const int c : plan_.solved) names_.push_back(problem.channelNames.at(static_cast<std::size_t>(c)));
        if (hasEdges_) preloadDiffusion();
    }

    std::vector<Statistic> statistics(RunContext& context) override { return solvers::statisticsOf(history(context), names_); }
    std::vector<RunSeries> series(RunContext& context) override { return solvers::seriesOf(history(context)); }
    std::vector<std::string> warnings(RunContext& context) override { return solvers::warningsOf(history(context), plan_.options); }
    /// Known once the statistics of the run are.
    double dataTolerance() const override {
        double residual = 0;
        for (const solvers::SolveHistory& h : history_)
            if (h.end == solvers::SolveEnd::stagnated) residual += h.trueResidual;
        return residual > 0 ? solvers::errorBound(plan_.stencil(shape_), residual) * largest_ : 0;
    }

protected:
    const DiffusePlan& plan() const { return plan_; }
    bool hasEdges() const { return hasEdges_; }
    const double* luminance() const { return luminance_.data(); }
    /// The channels that are solved.
    ImagePlanes planes(const View<const float>& input, const View<float>& output) const {
        return {.in = input, .out = output, .channels = channels_.data(), .jointly = hasEdges_};
    }
    /// `rows`: of a channel.
    solvers::SolveProgress progress(RunContext& context, std::int64_t rows) const {
        return {context, rows * static_cast<std::int64_t>(plan_.solved.size()), plan_.solves};
    }

    void beginRun() { history_.clear(); }
    /// Before the next solve.
    void keepCourse() { history_.push_back(courseOfLastSolve()); }
    const std::vector<solvers::SolveHistory>& history(RunContext& context) {
        const CurrentDevice current(cudaSession(context).device());
        if (history_.size() < static_cast<std::size_t>(plan_.solves)) keepCourse();
        return history_;
    }

private:
    virtual solvers::SolveHistory courseOfLastSolve() = 0;

    DiffusePlan plan_;
    Shape shape_;
    double largest_;
    bool hasEdges_;
    std::vector<std::string> names_;
    DeviceBuffer<int> channels_;
    DeviceBuffer<double> luminance_;
    std::vector<solvers::SolveHistory> history_;
};

class DiffuseExecution final : public DiffuseCourse {
public:
    DiffuseExecution(SolverMethod method, const Problem& problem, DiffusePlan plan, const CudaSession& session)
        : DiffuseCourse(problem, std::move(plan), session), solver_(method, solverProblem(problem, this->plan()), session) {
        if (!hasEdges()) return;
        guide_ = {session.allocator(), static_cast<std::size_t>(solver_.grid().plane())};
        arrays_.guide = guide_.data();
        arrays_.samples = solver_.rightSide();
        for (int axis = 0; axis < 3; ++axis) arrays_.edges[axis] = solver_.edges(axis);
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        const cudaStream_t stream = session.stream();
        context.throwIfStopped();
        beginRun();
        copyChannels(plan().copied, inputs[0], outputs[0], stream, context);
        const ImagePlanes image = planes(inputs[0], outputs[0]);
        const DiffusionNumbers numbers = DiffusionNumbers::of(plan());
        if (hasEdges()) launchDiffusionGuide(solver_.grid(), numbers, image, luminance(), arrays_, stream);
        solvers::SolveProgress told = progress(context, inputs[0].shape.height * inputs[0].shape.depth);
        solver_.importRightSide(image);
        for (int solve = 0; solve < plan().solves; ++solve) {
            if (solve > 0) {
                keepCourse();
                solver_.useSolutionAsRightSide();
            }
            if (hasEdges()) launchDiffusionWeights(solver_.grid(), numbers, arrays_, stream);
            solver_.solve(true, context, told);
        }
        solver_.exportSolution(image);
    }

    std::vector<RunLap> laps(RunContext& context) override {
        std::vector<solvers::SolveHistory> divided = history(context);
        const CurrentDevice current(cudaSession(context).device());
        solver_.addLaps(divided);
        return solvers::lapsOf(divided);
    }

private:
    solvers::SolveHistory courseOfLastSolve() override { return solver_.history(); }

    StencilSolver solver_;
    DeviceBuffer<double> guide_;
    DiffusionArrays arrays_;
};

/// On several devices.
class DiffusePart final : public ExecutionOfPart<DiffuseCourse> {
public:
    DiffusePart(SolverMethod method, const Problem& problem, DiffusePlan plan, const CudaSession& session)
        : ExecutionOfPart(problem, std::move(plan), session), solve_(method, solverProblem(problem, this->plan()), session) {
        if (hasEdges()) guide_ = {session.allocator(), static_cast<std::size_t>(solve_.grid().plane())};
    }

    void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                 RunContext& context) override {
        CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        beginRun();
        if (!part.range.empty()) copyChannels(plan().copied, input, output, session.stream(), context);
        const Band own{planes(input, output), guide_.data(), luminance()};
        solve_.run(part, own, communicator, session, [&](GroupSolver& solver, const std::vector<Band>& bands) {
            solvers::SolveProgress told = progress(context, solve_.rowsHere(part));
            const std::vector<ImagePlanes> images = eachOf(bands, &Band::planes);
            solver.importRightSide(images);
            for (int solve = 0; solve < plan().solves; ++solve) {
                if (solve > 0) {
                    keepCourse();
                    solver.useSolutionAsRightSide();
                }
                if (hasEdges()) computeWeights(solver, bands, solve == 0);
                solver.solve(true, context, told);
            }
            solver.exportSolution(images);
        });
    }

private:
    struct Band {
        ImagePlanes planes;
        double* guide;
        const double* luminance;
    };

    solvers::SolveHistory courseOfLastSolve() override { return solve_.history(); }

    /// `first`: the guide, too.
    void computeWeights(GroupSolver& solver, const std::vector<Band>& bands, bool first) const {
        const DiffusionNumbers numbers = DiffusionNumbers::of(plan());
        solver.compute([&](int member, const BandSystem& system) {
            const Band& band = bands[static_cast<std::size_t>(member)];
            const bool hasRows = system.grid.height > 0;
            const DiffusionArrays arrays{.guide = band.guide, .edges = {system.edges[0], system.edges[1]}, .samples = system.rightSide};
            if (first && hasRows) launchDiffusionGuide(system.grid, numbers, band.planes, band.luminance, arrays, system.stream);
            const RowsBesideBand guides = solver.exchangeRows(member, band.guide);
            DiffusionRows beside{.guide = {guides.above, guides.below}};
            if (numbers.weights == DiffusionWeights::peronaMalik) {
                const RowsBesideBand samples = solver.exchangeRightSide(member);
                beside.samples[0] = samples.above;
                beside.samples[1] = samples.below;
            }
            if (hasRows) launchDiffusionWeights(system.grid, numbers, arrays, beside, system.stream);
        });
    }

    BandSolve solve_;
    DeviceBuffer<double> guide_;
};

class Diffuse final : public Implementation, public PreparesParts {
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
    Distribution distribution(const Problem& problem) const override {
        const std::string refusal = groupRefusal(method_, solverProblem(problem, planDiffuse(problem)));
        if (!refusal.empty()) return {.halo = StripSupport::no(refusal)};
        return {.halo = StripSupport::withoutHalo(), .phases = true, .sameBits = false};
    }
    Support recording(const Problem&) const override { return Support::no("The number of iterations is decided during the run"); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<DiffuseExecution>(method_, problem, planDiffuse(problem), session);
    }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<DiffusePart>(method_, problem, planDiffuse(problem), session);
    }
    std::optional<std::uint64_t> deviceBytes(const Problem& problem, int parts) const override {
        const SolverProblem system = solverProblem(problem, planDiffuse(problem));
        const Grid band = bandGrid(system, Partition(system.shape.height, parts)[0]);
        const std::uint64_t guide = system.hasEdges ? static_cast<std::uint64_t>(band.plane()) * sizeof(double) : 0;
        return estimateGroupBytes(method_, system, parts) + guide +
               static_cast<std::uint64_t>(system.channels) * (sizeof(int) + sizeof(double));
    }

private:
    SolverMethod method_;
};

}  // namespace

std::unique_ptr<Implementation> makeDiffuse(SolverMethod method) { return std::make_unique<Diffuse>(method); }

}  // namespace parallax::gpu
