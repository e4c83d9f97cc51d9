// SPDX-License-Identifier: GPL-3.0-or-later
// The description of the Poisson equation and its plan.
#include "core/operations/poisson/poisson.hpp"

#include <algorithm>
#include <cmath>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/operation/kernel_values.hpp"
#include "core/engine/operation/plan_cache.hpp"
#include "core/engine/operation/refines.hpp"
#include "core/operations/poisson/plan.hpp"
#include "core/solvers/conjugate_gradients.hpp"
#include "core/solvers/early_end.hpp"
#include "core/solvers/error_bounds.hpp"
#include "core/solvers/judge.hpp"
#include "core/solvers/reporting.hpp"

namespace parallax {

const ParameterTable<PoissonParameters>& poissonParameterTable() {
    using P = PoissonParameters;
    static const ParameterTable<P> table{
        choice(&P::border, "border", "Border",
               {{"neumann", "Neumann", "No flow through the border. Without screening the input must have the mean 0; the result has it"},
                {"dirichlet", "Dirichlet", "The solution is 0 just outside of the image"}},
               "What holds at the border of the image."),
        real(&P::screening, "screening", "Screening", 0, 1e6, "",
             "Factor c >= 0 of the term c u: limits the distance at which samples influence each other to about 1 / sqrt(c) pixels, or mm "
             "in volumes with a known spacing. 0: the Poisson equation."),
        real(&P::tolerance, "tolerance", "Tolerance", 1e-14, 0.5, "",
             "The solver stops when the norm of f - L u is below this share of the norm of f. The reference goes to 1e-12.")
            .logarithmic(),
        integer(
            &P::iterations, "iterations", "Most iterations", 1, 1000000, "",
            "The solver stops after this many iterations, with a warning if the tolerance was not reached. The reference has no limit."),
        text(&P::channels, "channels", "Channels", "'all', or names separated by commas, such as R,G. Other channels are copied."),
    };
    return table;
}

namespace {

PoissonPlan makePlan(const Problem& problem) {
    PoissonPlan plan;
    plan.parameters = problem.parameters.as<PoissonParameters>();
    plan.solved = namedChannels(problem, plan.parameters.channels);
    plan.copied = remainingChannels(problem, plan.solved);
    plan.stencil.shape = problem.shape;
    plan.stencil.shape.channels = 1;
    for (std::size_t a = 0; a < 3; ++a) plan.stencil.axisWeights[a] = 1 / (problem.spacing[a] * problem.spacing[a]);
    plan.stencil.diagonal = plan.parameters.screening;
    plan.stencil.border = plan.parameters.border;
    plan.options = {.tolerance = plan.parameters.tolerance, .iterations = plan.parameters.iterations};
    return plan;
}

class Poisson final : public Operation,
                      public HasPresets,
                      public HasStatistics,
                      public HasSeries,
                      public Refines,
                      public HasLaps,
                      public HasNotes,
                      public EstimatesReference,
                      public ChangesQuantity,
                      public GivesKernelValues,
                      public JudgesResult {
public:
    std::string id() const override { return "poisson"; }
    std::string title() const override { return "Poisson equation"; }
    std::string help() const override {
        return "Solves L u = f for the image f, where L is the negative Laplacian (each sample minus its neighbours): the inverse of a "
               "second derivative. Volumes are solved in three dimensions, with their spacing. Samples that are not finite count as 0 and "
               "are copied.";
    }
    const ParameterTableBase& parameters() const override { return poissonParameterTable(); }
    void check(const Problem& problem) const override { (void)planPoisson(problem); }
    std::vector<KernelValue> kernelValues(const Problem& problem) const override {
        return {channelFlags("solved", "For each channel 1 if its equation is solved, or 0 if it is copied", problem.shape.channels,
                             planPoisson(problem).solved)};
    }

    // One application of L, and one pass over the samples: what a direct solver cannot do without. Iterative ones do more.
    Work work(const Problem& problem) const override {
        const auto samples = static_cast<double>(problem.shape.samples());
        return {.flops = (problem.shape.depth > 1 ? 14 : 10) * samples, .bytes = 2 * sizeof(float) * samples};
    }
    Tolerance tolerance(const Problem& problem) const override {
        const PoissonPlan plan = planPoisson(problem);
        const double residual = plan.options.tolerance * solvers::SolveHistory::kSlack + kReferenceShare;
        return {solvers::errorBound(plan.stencil, residual) * problem.statistics.maxAbs() + 0x1p-23 * largestOutput(problem),
                "residuals up to the tolerance, times the largest row sum of the inverse of L; float32 results are rounded"};
    }
    double gain(const Problem& problem) const override { return solvers::inverseBound(planPoisson(problem).stencil); }
    Reach reach(const Problem& problem) const override {
        return {.x = problem.shape.width - 1, .y = problem.shape.height - 1, .z = problem.shape.depth - 1};
    }

    std::vector<ParameterPreset> presets() const override {
        return {{"preview", "Preview", "Few iterations: an error of some percent.", {{"tolerance", "0.01"}}},
                {"precise", "Precise", "As close as double precision allows for most sizes.", {{"tolerance", "1e-11"}}},
                {"local", "Local", "Screened: samples influence each other over about 10 pixels.", {{"screening", "0.01"}}}};
    }
    std::vector<StatisticInfo> statistics() const override { return solvers::statisticInfos(); }
    std::vector<RunSeriesInfo> series() const override { return solvers::seriesInfos(); }
    std::optional<ParameterBlock> firstPicture(const ParameterBlock& parameters) const override {
        return solvers::endedEarly<PoissonParameters>(parameters);
    }
    std::string residualKey() const override { return "residual"; }
    std::vector<RunLapInfo> laps() const override { return solvers::lapInfos(); }
    double referenceFlops(const Problem& problem) const override {
        const PoissonPlan plan = planPoisson(problem);
        double largest = plan.stencil.diagonal;
        for (int a = 0; a < (problem.shape.depth > 1 ? 3 : 2); ++a) largest += 4 * plan.stencil.axisWeights[a];
        return solvers::estimatedReferenceFlops(
            {.smallest = solvers::smallestEigenvalue(plan.stencil),
             .largest = largest,
             .samples = static_cast<double>(problem.shape.pixels()) * static_cast<double>(plan.solved.size()),
             .isVolume = problem.shape.depth > 1});
    }
    bool changesQuantity(const ParameterBlock&) const override { return true; }
    std::vector<std::string> notes(const Problem& problem) const override {
        if (!solvers::isSingular(planPoisson(problem).stencil)) return {};
        return {
            "With Neumann borders and no screening, the equation has a solution only for a mean of 0: the mean of each channel is "
            "subtracted first, and the solution with mean 0 is returned"};
    }

    std::vector<Judgement> verify(const Problem& problem, const View<const float>& input, const View<const float>& output) const override {
        const PoissonPlan plan = planPoisson(problem);
        const Shape& shape = plan.stencil.shape;
        Judgement worst{.criterion = {}, .value = 0, .bound = 0, .reason = {}};
        double share = -1;
        std::vector<double> f(static_cast<std::size_t>(shape.pixels()));
        std::vector<float> u(f.size());
        for (const int c : plan.solved) {
            std::size_t i = 0;
            bool finite = true;
            for (std::int64_t z = 0; z < shape.depth; ++z)
                for (std::int64_t y = 0; y < shape.height; ++y)
                    for (std::int64_t x = 0; x < shape.width; ++x, ++i) {
                        const float sample = input.at(x, y, z, c);
                        // Their result is a copy: the solution there is unknown, and with it the residual of the neighbours.
                        finite = finite && std::isfinite(sample);
                        f[i] = static_cast<double>(sample);
                        u[i] = output.at(x, y, z, c);
                    }
            if (!finite) continue;
            const Judgement j = solvers::residualJudgement(plan.stencil, f.data(), u.data(), plan.options.tolerance);
            const double part = j.bound > 0 ? j.value / j.bound : 0;
            if (!(part <= share)) {
                share = part;
                worst = j;
            }
        }
        if (share < 0) return {};
        return {worst};
    }

    std::vector<SampleProblem> sampleProblems() const override {
        // Screened first: large images take the reference few iterations.
        return makeSampleProblems<PoissonParameters>(
            {{"screened", {.screening = 0.5, .tolerance = 1e-10}},
             {"dirichlet", {}},
             {"neumann", {.border = solvers::Border::neumann}},
             {"screened Neumann", {.border = solvers::Border::neumann, .screening = 0.001, .tolerance = 1e-6}}},
            poissonParameterTable());
    }

private:
    /// The reference's residual, and that of rounding errors where it ends above its tolerance.
    static constexpr double kReferenceShare = 1e-10;
};

}  // namespace

PoissonPlan planPoisson(const Problem& problem) {
    return planOnce<PoissonPlan>(problem, [&] { return makePlan(problem); });
}

std::unique_ptr<Operation> makePoisson() { return std::make_unique<Poisson>(); }

}  // namespace parallax
