// SPDX-License-Identifier: GPL-3.0-or-later
// The description of filling and its plan.
#include "core/operations/fill/fill.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/operation/plan_cache.hpp"
#include "core/engine/operation/refines.hpp"
#include "core/image/error.hpp"
#include "core/operations/fill/mask.hpp"
#include "core/operations/fill/outcome.hpp"
#include "core/operations/fill/plan.hpp"
#include "core/solvers/conjugate_gradients.hpp"
#include "core/solvers/early_end.hpp"
#include "core/solvers/error_bounds.hpp"
#include "core/solvers/judge.hpp"
#include "core/solvers/reference/biharmonic.hpp"
#include "core/solvers/reporting.hpp"

namespace parallax {

const ParameterTable<FillParameters>& fillParameterTable() {
    using P = FillParameters;
    static const ParameterTable<P> table{
        choice(&P::missing, "missing", "Missing samples",
               {{"nan", "NaN", "Infinite samples keep their values and influence none"},
                {"non-finite", "NaN and infinite", "Every sample that is not a finite number"},
                {"above", "At or above a threshold", "Clipped highlights; NaN too"},
                {"below", "At or below a threshold", "Clipped shadows and values that mean 'no data'; NaN too"},
                {"transparent", "Transparent pixels", "All chosen channels of pixels with an alpha of 0, alpha among them; NaN too"},
                {"fireflies", "Fireflies", "Samples far above the median of their surroundings; NaN and infinite ones too"}},
               "The samples that are replaced. Each channel has its own, except for transparent pixels."),
        real(&P::threshold, "threshold", "Threshold", -1e6, 1e6, "", "Samples with this value are missing too.")
            .shownIf("missing", {"above", "below"}),
        real(&P::factor, "factor", "Factor", 1, 1e6, "",
             "A sample is a firefly if it exceeds this factor times the sum of the median of its window and the black level.")
            .shownIf("missing", {"fireflies"})
            .logarithmic(),
        real(&P::black, "black", "Black level", 1e-12, 1e6, "",
             "Added to the median, so that noise in dark areas is not taken for fireflies.")
            .shownIf("missing", {"fireflies"})
            .logarithmic(),
        choice(&P::window, "window", "Window",
               {{"small", "3 x 3", "For single pixels"}, {"large", "5 x 5", "For groups of up to about ten pixels"}},
               "Pixels of which the median is taken, in the same slice and channel.")
            .shownIf("missing", {"fireflies"}),
        choice(&P::interpolation, "interpolation", "Interpolation",
               {{"harmonic", "Harmonic", "Like a membrane: no value beyond those around the hole, kinks at its edge"},
                {"biharmonic", "Biharmonic", "Like a thin plate: continues gradients into the hole, and may exceed the values around it"}},
               "How missing samples follow from the known ones around them."),
        real(
            &P::tolerance, "tolerance", "Tolerance", 1e-14, 0.5, "",
            "The solver stops when the norm of the residual is below this share of what known neighbours contribute. The reference goes to "
            "1e-12.")
            .logarithmic(),
        integer(
            &P::iterations, "iterations", "Most iterations", 1, 1000000, "",
            "The solver stops after this many iterations, with a warning if the tolerance was not reached. The reference has no limit."),
        text(&P::channels, "channels", "Channels", "'all', or names separated by commas, such as R,G. Other channels are copied."),
    };
    return table;
}

namespace {

/// Upper bound of the unknown samples of a channel. Statistics of later steps of a pipeline are guesses, with min = -max.
std::int64_t mostUnknowns(const Problem& problem, const FillParameters& p) {
    const std::int64_t pixels = problem.shape.pixels();
    const SampleStatistics& s = problem.statistics;
    const bool isGuess = s.min == -s.max;
    const auto nonFinite = static_cast<double>(s.nonFinite());
    double most = static_cast<double>(pixels);
    if (p.missing == MissingSamples::nan || p.missing == MissingSamples::nonFinite) {
        if (!isGuess || nonFinite == 0) most = nonFinite;
    } else if (!isGuess && p.missing != MissingSamples::transparent) {
        // Markov's inequality: of values of at least 0, at most the share mean / t reaches t.
        const double finite = static_cast<double>(problem.shape.samples()) - nonFinite;
        const bool below = p.missing == MissingSamples::below;
        const double threshold = p.missing == MissingSamples::fireflies ? p.factor * p.black : p.threshold;
        const double mean = below ? s.max - s.mean : s.mean - s.min, reach = below ? s.max - threshold : threshold - s.min;
        const double range = s.max - s.min;
        if (reach > range) most = nonFinite;
        else if (reach > 0) most = nonFinite + std::ceil(finite * (mean + 1e-6 * range) / reach);
    }
    return static_cast<std::int64_t>(std::min(most, static_cast<double>(pixels)));
}

FillPlan makePlan(const Problem& problem) {
    FillPlan plan;
    const FillParameters& p = plan.parameters = problem.parameters.as<FillParameters>();
    plan.solved = namedChannels(problem, p.channels);
    plan.copied = remainingChannels(problem, plan.solved);
    if (p.missing == MissingSamples::transparent) {
        if (problem.alphaChannel < 0)
            throw Error(ErrorCode::usage, "There are no transparent pixels to fill", "the image has no alpha channel",
                        "Choose another value of 'missing'");
        plan.alphaChannel = problem.alphaChannel;
    }
    plan.criterion = {.missing = p.missing,
                      .threshold = p.threshold,
                      .factor = p.factor,
                      .black = p.black,
                      .radius = p.window == FireflyWindow::three ? 1 : 2};
    plan.stencil.shape = problem.shape;
    plan.stencil.shape.channels = 1;
    for (std::size_t a = 0; a < 3; ++a) plan.stencil.axisWeights[a] = 1 / (problem.spacing[a] * problem.spacing[a]);
    plan.options = {.tolerance = p.tolerance, .iterations = p.iterations};
    plan.unknowns = mostUnknowns(problem, p);
    return plan;
}

/// The residual of one channel; nothing for channels that cannot be judged: without known samples, or with unusable ones, whose
/// interpolated values are not in the result.
std::optional<Judgement> judgementOf(const FillPlan& plan, const View<const float>& input, const View<const float>& output, int c) {
    const Shape& shape = plan.stencil.shape;
    const auto pixels = static_cast<std::size_t>(shape.pixels());
    std::vector<double> f(pixels, 0);
    std::vector<float> u(pixels);
    std::vector<std::uint8_t> fixed(pixels);
    std::vector<filling::Kind> kinds(static_cast<std::size_t>(shape.width));
    filling::RowCounts all;
    bool keepsKnown = true;
    std::size_t i = 0;
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height; ++y) {
            std::fill(kinds.begin(), kinds.end(), filling::Kind::known);
            const filling::RowCounts counts = filling::classifyRow(plan, input, y, z, c, kinds.data());
            all.missing += counts.missing;
            all.unusable += counts.unusable;
            for (std::int64_t x = 0; x < shape.width; ++x, ++i) {
                fixed[i] = kinds[static_cast<std::size_t>(x)] == filling::Kind::known ? 1 : 0;
                u[i] = fixed[i] ? input.at(x, y, z, c) : output.at(x, y, z, c);
                if (fixed[i])
                    keepsKnown = keepsKnown && std::bit_cast<std::uint32_t>(u[i]) == std::bit_cast<std::uint32_t>(output.at(x, y, z, c));
            }
        }
    if (all.unusable > 0 || all.unknown() == shape.pixels()) return std::nullopt;
    solvers::Stencil stencil = plan.stencil;
    stencil.fixed = fixed.data();
    Judgement j = plan.isBiharmonic() ? solvers::biharmonicJudgement(stencil, u.data(), plan.options.tolerance)
                                      : solvers::residualJudgement(stencil, f.data(), u.data(), plan.options.tolerance);
    if (!keepsKnown) j.value = std::numeric_limits<double>::infinity();
    return j;
}

class Fill final : public Operation,
                   public HasPresets,
                   public HasStatistics,
                   public HasSeries,
                   public Refines,
                   public EstimatesReference,
                   public JudgesResult {
public:
    std::string id() const override { return "fill"; }
    std::string title() const override { return "Fill missing samples"; }
    std::string help() const override {
        return "Replaces missing samples - NaN, infinite or clipped ones, transparent pixels, fireflies - by a smooth interpolation of "
               "their surroundings: the solution of the Laplace equation, which takes no value beyond those around the hole, or of the "
               "biharmonic equation, which continues gradients into it. Volumes are filled in three dimensions, with their spacing. NaN is "
               "always missing; infinite samples that are not to be filled keep their values and influence none. A channel without a known "
               "sample stays as it is, with a warning.";
    }
    const ParameterTableBase& parameters() const override { return fillParameterTable(); }
    void check(const Problem& problem) const override { (void)planFill(problem); }

    // A comparison of each sample and one pass over them: all that an image without missing samples needs. How much comes on top depends on
    // the samples.
    Work work(const Problem& problem) const override {
        const auto samples = static_cast<double>(problem.shape.samples());
        return {.flops = samples, .bytes = 2 * sizeof(float) * samples};
    }
    Tolerance tolerance(const Problem& problem) const override {
        const FillPlan plan = planFill(problem);
        const double residual = plan.options.tolerance * solvers::SolveHistory::kSlack + kReferenceShareOfFill,
                     ofRounding = 0x1p-23 * problem.statistics.maxAbs();
        if (plan.isBiharmonic())
            return {
                ofRounding,
                "residuals up to the tolerance, times the inverse of the equation on the holes at hand, which runs add; float32 results "
                "are rounded"};
        return {solvers::maskedErrorBound(plan.stencil, plan.unknowns, residual) * problem.statistics.maxAbs() + ofRounding,
                "residuals up to the tolerance, times the resistance between missing and known samples; float32 results are rounded"};
    }
    // A sample that crosses a threshold changes by more than its error: then steps are better judged one by one.
    double gain(const Problem& problem) const override {
        const FillPlan plan = planFill(problem);
        const MissingSamples missing = plan.parameters.missing;
        return missing == MissingSamples::nan || missing == MissingSamples::nonFinite ? factorOf(plan) : 1e9;
    }
    double largestOutput(const Problem& problem) const override { return problem.statistics.maxAbs() * factorOf(planFill(problem)); }
    Reach reach(const Problem& problem) const override {
        return {.x = problem.shape.width - 1, .y = problem.shape.height - 1, .z = problem.shape.depth - 1};
    }

    std::vector<ParameterPreset> presets() const override {
        return {{"non-finite", "NaN and infinite", "Every sample that is not a finite number.", {{"missing", "non-finite"}}},
                {"fireflies",
                 "Fireflies",
                 "Single bright pixels of renderings, NaN and infinite samples.",
                 {{"missing", "fireflies"}, {"factor", "10"}, {"black", "0.01"}, {"window", "large"}}},
                {"smooth-highlights",
                 "Clipped highlights, rounded",
                 "Samples at or above 1, continued above it by the gradients around them.",
                 {{"missing", "above"}, {"threshold", "1"}, {"interpolation", "biharmonic"}}},
                {"highlights",
                 "Clipped highlights",
                 "Samples at or above 1, the white of integer formats.",
                 {{"missing", "above"}, {"threshold", "1"}}},
                {"shadows", "Clipped shadows", "Samples at or below 0.", {{"missing", "below"}, {"threshold", "0"}}},
                {"transparent",
                 "Transparent pixels",
                 "Pixels with an alpha of 0 become as opaque as their surroundings.",
                 {{"missing", "transparent"}}}};
    }
    std::vector<StatisticInfo> statistics() const override { return filling::statisticInfos(); }
    std::vector<RunSeriesInfo> series() const override { return solvers::seriesInfos(); }
    std::optional<ParameterBlock> firstPicture(const ParameterBlock& parameters) const override {
        const bool biharmonic = parameters.as<FillParameters>().interpolation == FillInterpolation::biharmonic;
        return solvers::endedEarly<FillParameters>(parameters, biharmonic ? solvers::kEarlyBiharmonicTolerance : solvers::kEarlyTolerance);
    }
    std::string residualKey() const override { return "residual"; }
    /// For one compact hole that has all unknown samples.
    double referenceFlops(const Problem& problem) const override {
        const FillPlan plan = planFill(problem);
        if (plan.unknowns == 0) return work(problem).flops;
        const bool isVolume = problem.shape.depth > 1;
        const double extent = std::pow(static_cast<double>(plan.unknowns), isVolume ? 1.0 / 3 : 1.0 / 2) + 1;
        double smallest = 0, largest = 0;
        for (int a = 0; a < (isVolume ? 3 : 2); ++a) {
            smallest += std::pow(std::numbers::pi / extent, 2) * plan.stencil.axisWeights[a];
            largest += 4 * plan.stencil.axisWeights[a];
        }
        const double harmonic = solvers::estimatedReferenceFlops(
            {.smallest = smallest,
             .largest = largest,
             .samples = static_cast<double>(problem.shape.pixels()) * static_cast<double>(plan.solved.size()),
             .isVolume = isVolume});
        return plan.isBiharmonic() ? kBiharmonicWork * harmonic : harmonic;
    }

    std::vector<Judgement> verify(const Problem& problem, const View<const float>& input, const View<const float>& output) const override {
        const FillPlan plan = planFill(problem);
        std::vector<Judgement> worst;
        for (const int c : plan.solved) {
            const std::optional<Judgement> j = judgementOf(plan, input, output, c);
            // The largest share of its bound; NaN counts as the largest.
            if (j && (worst.empty() || !(j->value * worst[0].bound <= worst[0].value * j->bound))) worst = {*j};
        }
        return worst;
    }

    std::vector<SampleProblem> sampleProblems() const override {
        return makeSampleProblems<FillParameters>(
            {{"NaN", {}},
             {"NaN and infinite", {.missing = MissingSamples::nonFinite}},
             {"clipped", {.missing = MissingSamples::above, .threshold = 0.7, .tolerance = 1e-11, .iterations = 100000}},
             {"below", {.missing = MissingSamples::below, .threshold = 0.05, .tolerance = 1e-11, .iterations = 100000}},
             {"transparent", {.missing = MissingSamples::transparent, .tolerance = 1e-11, .iterations = 100000}},
             {"fireflies", {.missing = MissingSamples::fireflies, .factor = 4, .window = FireflyWindow::three}},
             {"biharmonic", {.interpolation = FillInterpolation::biharmonic}},
             {"below, biharmonic",
              {.missing = MissingSamples::below,
               .threshold = 0.05,
               .interpolation = FillInterpolation::biharmonic,
               .tolerance = 1e-12,
               .iterations = 100000}}},
            fillParameterTable());
    }

private:
    /// Upper bound of max|result| / max|known sample|.
    static double factorOf(const FillPlan& plan) {
        return plan.isBiharmonic()
                   ? solvers::biharmonicGain(plan.stencil, plan.unknowns, solvers::inverseBounds(plan.stencil, plan.unknowns))
                   : 1;
    }

    /// The reference's some 50 iterations with two harmonic solves to 0.01 each, in solves to 1e-12.
    static constexpr double kBiharmonicWork = 20;
};

}  // namespace

FillPlan planFill(const Problem& problem) {
    return planOnce<FillPlan>(problem, [&] { return makePlan(problem); });
}

std::unique_ptr<Operation> makeFill() { return std::make_unique<Fill>(); }

}  // namespace parallax
