// SPDX-License-Identifier: GPL-3.0-or-later
// The description of diffusion and its plan.
#include "core/operations/diffuse/diffuse.hpp"

#include <algorithm>
#include <cmath>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/operation/plan_cache.hpp"
#include "core/engine/operation/refines.hpp"
#include "core/image/error.hpp"
#include "core/operations/diffuse/edge_weights.hpp"
#include "core/operations/diffuse/formulas.hpp"
#include "core/operations/diffuse/plan.hpp"
#include "core/solvers/conjugate_gradients.hpp"
#include "core/solvers/early_end.hpp"
#include "core/solvers/error_bounds.hpp"
#include "core/solvers/judge.hpp"
#include "core/solvers/reporting.hpp"

namespace parallax {

const ParameterTable<DiffuseParameters>& diffuseParameterTable() {
    using P = DiffuseParameters;
    static const ParameterTable<P> table{
        choice(&P::weights, "weights", "Weights",
               {{"uniform", "Uniform", "Heat flow: a blur of standard deviation sqrt(2 t), up to the single implicit step"},
                {"edges", "Edges", "Weighted least squares: smooths within edges and keeps them (Farbman et al. 2008)"},
                {"perona-malik", "Perona-Malik", "Several steps of heat flow that stops at edges (Perona and Malik 1990)"}},
               "How strongly neighbours are coupled."),
        real(&P::time, "time", "Time", 1e-4, 1e6, "px^2", "Diffusion time t; mm^2 in volumes with a known spacing.")
            .shownIf("weights", {"uniform", "perona-malik"})
            .logarithmic(),
        real(&P::lambda, "lambda", "Lambda", 1e-4, 1e6, "", "Weight of smoothness against fidelity: larger values smooth more.")
            .shownIf("weights", {"edges"})
            .logarithmic(),
        real(&P::alpha, "alpha", "Alpha", 0, 4, "", "Exponent of the gradient: larger values keep edges sharper. 1.2 to 1.8 are usual.")
            .shownIf("weights", {"edges"}),
        real(&P::epsilon, "epsilon", "Epsilon", 1e-6, 1, "", "Added to the gradient's power; limits the weight in flat areas.")
            .shownIf("weights", {"edges"})
            .logarithmic(),
        choice(&P::guide, "guide", "Guide",
               {{"log", "Logarithm", "Of the luminance: equal ratios are equal edges, as the eye sees light"},
                {"linear", "Linear", "The luminance as it is, for data that are no light"}},
               "The image whose gradients are the edges. The luminance is that of R, G and B (Rec. 709), or else the mean of the channels.")
            .shownIf("weights", {"edges"}),
        real(&P::black, "black", "Black level", 1e-12, 1e6, "",
             "Added to the luminance before its logarithm is taken. Differences below this level are no edges.")
            .shownIf("guide", {"log"})
            .logarithmic(),
        choice(&P::conductivity, "conductivity", "Conductivity",
               {{"rational", "Rational", "1 / (1 + (s / K)^2): favours wide regions"},
                {"exponential", "Exponential", "exp(-(s / K)^2): favours edges of high contrast"}},
               "How the flow between neighbours falls with their difference s.")
            .shownIf("weights", {"perona-malik"}),
        real(&P::contrast, "contrast", "Contrast", 1e-9, 1e6, "",
             "Difference K of neighbours at which the flow has fallen to a half (exponential: to 37 %), per pixel, or per mm in volumes "
             "with a known spacing. Of several channels the root mean square counts.")
            .shownIf("weights", {"perona-malik"})
            .logarithmic(),
        integer(&P::steps, "steps", "Steps", 1, 100, "", "Implicit steps of time / steps each. Weights are computed again in each of them.")
            .shownIf("weights", {"perona-malik"}),
        real(&P::tolerance, "tolerance", "Tolerance", 1e-14, 0.5, "",
             "The solver stops when the norm of f - A u is below this share of the norm of f. The reference goes to 1e-12.")
            .logarithmic(),
        integer(
            &P::iterations, "iterations", "Most iterations", 1, 1000000, "",
            "The solver stops after this many iterations, with a warning if the tolerance was not reached. The reference has no limit."),
        text(&P::channels, "channels", "Channels", "'all', or names separated by commas, such as R,G. Other channels are copied."),
    };
    return table;
}

solvers::Stencil DiffusePlan::stencil(const Shape& shape) const {
    solvers::Stencil stencil{.shape = shape, .diagonal = 1, .border = solvers::Border::neumann};
    stencil.shape.channels = 1;
    for (int a = 0; a < 3; ++a) stencil.axisWeights[a] = isUniform() ? step * axisWeights[a] : axisWeights[a];
    return stencil;
}

namespace {

std::vector<double> luminanceWeights(const Problem& problem, const std::vector<int>& solved) {
    const auto indexOf = [&](char name) {
        for (std::size_t k = 0; k < solved.size(); ++k)
            if (problem.channelNames.at(static_cast<std::size_t>(solved[k])) == std::string(1, name)) return static_cast<int>(k);
        return -1;
    };
    std::vector<double> weights(solved.size(), 0);
    const int rgb[3] = {indexOf('R'), indexOf('G'), indexOf('B')};
    if (rgb[0] >= 0 && rgb[1] >= 0 && rgb[2] >= 0) {
        for (std::size_t i = 0; i < 3; ++i) weights[static_cast<std::size_t>(rgb[i])] = diffusion::kLuminance[i];
        return weights;
    }
    const auto isColour = [&](std::size_t k) { return solved.size() == 1 || solved[k] != problem.alphaChannel; };
    std::size_t colours = 0;
    for (std::size_t k = 0; k < solved.size(); ++k) colours += isColour(k) ? 1 : 0;
    for (std::size_t k = 0; k < solved.size(); ++k) weights[k] = isColour(k) ? 1 / static_cast<double>(colours) : 0;
    return weights;
}

DiffusePlan makePlan(const Problem& problem) {
    DiffusePlan plan;
    plan.parameters = problem.parameters.as<DiffuseParameters>();
    const DiffuseParameters& p = plan.parameters;
    plan.solved = namedChannels(problem, p.channels);
    plan.copied = remainingChannels(problem, plan.solved);
    plan.luminance = luminanceWeights(problem, plan.solved);
    for (std::size_t a = 0; a < 3; ++a) plan.axisWeights[a] = 1 / (problem.spacing[a] * problem.spacing[a]);
    plan.solves = p.weights == DiffusionWeights::peronaMalik ? p.steps : 1;
    plan.step = p.weights == DiffusionWeights::edges ? 0 : p.time / plan.solves;
    plan.options = {.tolerance = p.tolerance, .iterations = p.iterations};
    return plan;
}

class Diffuse final : public Operation,
                      public HasPresets,
                      public HasStatistics,
                      public HasSeries,
                      public Refines,
                      public HasLaps,
                      public EstimatesReference,
                      public JudgesResult {
public:
    std::string id() const override { return "diffuse"; }
    std::string title() const override { return "Diffusion"; }
    std::string help() const override {
        return "Smooths by solving (I + t L) u = f, where L couples neighbours: evenly, or less across edges, so that these stay sharp. No "
               "value exceeds those of the input. Volumes are smoothed in three dimensions, with their spacing. Pixels with a channel that "
               "is not finite stay as they are and influence none.";
    }
    const ParameterTableBase& parameters() const override { return diffuseParameterTable(); }
    void check(const Problem& problem) const override { (void)planDiffuse(problem); }

    // One application of the matrix in each step, and one pass over the samples. Solvers do more.
    Work work(const Problem& problem) const override {
        const auto samples = static_cast<double>(problem.shape.samples());
        const int solves = planDiffuse(problem).solves;
        return {.flops = (problem.shape.depth > 1 ? 21 : 15) * samples * solves, .bytes = 2 * sizeof(float) * samples * solves};
    }
    Tolerance tolerance(const Problem& problem) const override {
        const DiffusePlan plan = planDiffuse(problem);
        const double residual = plan.options.tolerance * solvers::SolveHistory::kSlack + kReferenceShare;
        double error = solvers::errorBound(plan.stencil(problem.shape), residual);
        std::string reason =
            "residuals up to the tolerance, and the maximum principle: no row sum of the inverse exceeds 1; results are rounded";
        if (plan.solves > 1) {
            // Weights of later steps follow the errors of earlier ones: |s g'(s)| is at most 0.5 or 2/e.
            const double slope = plan.parameters.conductivity == Conductivity::rational ? 0.5 : 0.74;
            double coupling = 0;
            for (int a = 0; a < (problem.shape.depth > 1 ? 3 : 2); ++a) coupling += 2 * plan.axisWeights[a];
            const double growth = 1 + 2 * slope * plan.step * coupling;
            double sum = 0;
            for (int i = 0; i < plan.solves; ++i) sum = sum * growth + error;
            error = sum;
            reason += "; weights of later steps follow the errors of earlier ones";
        }
        return {error * problem.statistics.maxAbs() + 0x1p-23 * largestOutput(problem), reason};
    }
    // Weights that follow the image react to its smallest differences: then steps are better judged one by one.
    double gain(const Problem& problem) const override { return planDiffuse(problem).isUniform() ? 1 : 1e9; }
    double largestOutput(const Problem& problem) const override { return problem.statistics.maxAbs(); }
    Reach reach(const Problem& problem) const override {
        return {.x = problem.shape.width - 1, .y = problem.shape.height - 1, .z = problem.shape.depth - 1};
    }

    std::vector<ParameterPreset> presets() const override {
        return {{"fine",
                 "Fine details",
                 "Removes the finest details and noise.",
                 {{"weights", "edges"}, {"lambda", "0.125"}, {"alpha", "1.2"}}},
                {"base",
                 "Base layer",
                 "Keeps edges and large shapes: the base of a base and detail decomposition.",
                 {{"weights", "edges"}, {"lambda", "1"}, {"alpha", "1.2"}}},
                {"flat", "Flat regions", "Regions become nearly flat.", {{"weights", "edges"}, {"lambda", "8"}, {"alpha", "1.8"}}},
                {"heat", "Heat flow", "Blur like a Gaussian of 2 pixels.", {{"weights", "uniform"}, {"time", "2"}}},
                {"perona-malik",
                 "Perona-Malik",
                 "The classical equation, in five steps.",
                 {{"weights", "perona-malik"}, {"time", "5"}, {"steps", "5"}, {"contrast", "0.05"}}}};
    }
    std::vector<StatisticInfo> statistics() const override {
        std::vector<StatisticInfo> all = solvers::statisticInfos();
        std::erase_if(all, [](const StatisticInfo& info) { return info.key == "removed-mean"; });
        return all;
    }
    std::vector<RunSeriesInfo> series() const override { return solvers::seriesInfos(); }
    std::optional<ParameterBlock> firstPicture(const ParameterBlock& parameters) const override {
        return solvers::endedEarly<DiffuseParameters>(parameters);
    }
    std::string residualKey() const override { return "residual"; }
    std::vector<RunLapInfo> laps() const override { return solvers::lapInfos(); }
    double referenceFlops(const Problem& problem) const override {
        const DiffusePlan plan = planDiffuse(problem);
        // The weight of an edge in a flat part.
        const double weight =
            plan.parameters.weights == DiffusionWeights::edges ? plan.parameters.lambda / plan.parameters.epsilon : plan.step;
        double largest = 1;
        for (int a = 0; a < (problem.shape.depth > 1 ? 3 : 2); ++a) largest += 4 * weight * plan.axisWeights[a];
        return plan.solves * solvers::estimatedReferenceFlops(
                                 {.largest = largest,
                                  .constantWeights = plan.parameters.weights == DiffusionWeights::uniform,
                                  .samples = static_cast<double>(problem.shape.pixels()) * static_cast<double>(plan.solved.size()),
                                  .isVolume = problem.shape.depth > 1});
    }

    /// Of one linear system: those of later steps depend on results that are not kept.
    std::vector<Judgement> verify(const Problem& problem, const View<const float>& input, const View<const float>& output) const override {
        const DiffusePlan plan = planDiffuse(problem);
        if (plan.solves > 1) return {};
        Shape shape = problem.shape;
        shape.channels = 1;
        const std::int64_t pixels = shape.pixels();
        std::vector<double> f(static_cast<std::size_t>(pixels) * plan.solved.size());
        DiffusionEdges edges(plan, shape);
        const auto forEachRow = [&](auto&& body) {
            for (std::int64_t z = 0; z < shape.depth; ++z)
                for (std::int64_t y = 0; y < shape.height; ++y) body(y, z, shape.width * (y + shape.height * z));
        };
        forEachRow([&](std::int64_t y, std::int64_t z, std::int64_t first) {
            for (std::size_t k = 0; k < plan.solved.size(); ++k)
                for (std::int64_t x = 0; x < shape.width; ++x)
                    f[k * static_cast<std::size_t>(pixels) + static_cast<std::size_t>(first + x)] =
                        static_cast<double>(input.at(x, y, z, plan.solved[k]));
            edges.beginRow(f.data(), y, z);
        });
        if (edges.needsEdges(edges.findsAllFinite()))
            forEachRow([&](std::int64_t y, std::int64_t z, std::int64_t) { edges.weighRow(f.data(), y, z); });
        std::vector<float> u(static_cast<std::size_t>(pixels));
        std::vector<Judgement> worst;
        for (std::size_t k = 0; k < plan.solved.size(); ++k) {
            forEachRow([&](std::int64_t y, std::int64_t z, std::int64_t first) {
                for (std::int64_t x = 0; x < shape.width; ++x)
                    u[static_cast<std::size_t>(first + x)] = edges.isFinite(first + x) ? output.at(x, y, z, plan.solved[k]) : 0;
            });
            const Judgement j = solvers::residualJudgement(edges.stencil(), f.data() + k * static_cast<std::size_t>(pixels), u.data(),
                                                           plan.options.tolerance);
            // The largest share of its bound; NaN counts as the largest.
            if (worst.empty() || !(j.value * worst[0].bound <= worst[0].value * j.bound)) worst = {j};
        }
        return worst;
    }

    std::vector<SampleProblem> sampleProblems() const override {
        return makeSampleProblems<DiffuseParameters>(
            {{"uniform", {.weights = DiffusionWeights::uniform, .time = 2, .tolerance = 1e-10}},
             {"edges", {.lambda = 0.2, .epsilon = 0.01, .tolerance = 1e-10, .iterations = 100000}},
             {"edges, linear",
              {.lambda = 0.1, .alpha = 1.5, .epsilon = 0.02, .guide = DiffusionGuide::linear, .tolerance = 1e-9, .iterations = 100000}},
             {"Perona-Malik", {.weights = DiffusionWeights::peronaMalik, .time = 1, .contrast = 0.5, .steps = 2, .tolerance = 1e-11}},
             {"exponential",
              {.weights = DiffusionWeights::peronaMalik,
               .time = 0.5,
               .conductivity = Conductivity::exponential,
               .contrast = 0.3,
               .steps = 2,
               .tolerance = 1e-11}}},
            diffuseParameterTable());
    }

private:
    /// The reference's residual, and that of rounding errors where it ends above its tolerance.
    static constexpr double kReferenceShare = 1e-11;
};

}  // namespace

DiffusePlan planDiffuse(const Problem& problem) {
    return planOnce<DiffusePlan>(problem, [&] { return makePlan(problem); });
}

std::unique_ptr<Operation> makeDiffuse() { return std::make_unique<Diffuse>(); }

}  // namespace parallax
