// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/tone_mapping/gradient_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/solvers/reporting.hpp"

namespace parallax {
namespace {

/// Both sides of the coarsest level are at least this, unless the number of levels is a parameter: [FLW02].
constexpr std::int64_t kCoarsestSide = 32;
/// Error of a logarithm that the solver may leave, for a divergence of 1.
constexpr double kSolverError = 1e-6;
/// Smaller residuals are out of reach of double precision in large images.
constexpr double kSmallestTolerance = 1e-13, kLargestTolerance = 1e-7;

/// The smallest eigenvalue but 0 of the second difference along the longest side.
double smallestEigenvalue(const solvers::Stencil& s) {
    const auto longest = static_cast<double>(std::max(s.shape.width, s.shape.height));
    const double half = std::sin(std::numbers::pi / (2 * std::max(longest, 2.0)));
    return 4 * half * half;
}

}  // namespace

std::int64_t GradientPlan::allPixels() const {
    std::int64_t sum = 0;
    for (const Shape& level : levels) sum += level.pixels();
    return sum;
}

GradientPlan planGradient(const ToneMappingPlan& plan, const Shape& shape) {
    GradientPlan g;
    g.levels.push_back({shape.width, shape.height, 1, 1});
    const auto most = static_cast<std::size_t>(plan.parameters.levels > 0 ? plan.parameters.levels : kMaximumToneLevels);
    const std::int64_t smallest = plan.parameters.levels > 0 ? 1 : kCoarsestSide;
    while (g.levels.size() < most) {
        const Shape& fine = g.levels.back();
        const Shape coarse{(fine.width + 1) / 2, (fine.height + 1) / 2, 1, 1};
        if (std::min(fine.width, fine.height) < 2 || std::min(coarse.width, coarse.height) < smallest) break;
        g.levels.push_back(coarse);
    }
    g.stencil.shape = g.levels.front();
    g.options = {.tolerance = std::clamp(kSolverError * smallestEigenvalue(g.stencil), kSmallestTolerance, kLargestTolerance),
                 .iterations = plan.parameters.iterations};
    return g;
}

Support supportsPointwise(const ToneMappingPlan& plan) {
    if (plan.parameters.op != ToneOperator::gradient) return {};
    return Support::no("The gradient operator solves an equation, by the variants 'multigrid' and 'dct' (operator=gradient)");
}

Support supportsGradient(const ToneMappingPlan& plan) {
    if (plan.parameters.op == ToneOperator::gradient) return {};
    return Support::no("It implements only the gradient operator (operator=gradient)");
}

double largestAttenuation(const ToneMappingParameters& p, std::size_t levels) {
    return std::max(1.0, std::pow(std::pow(p.noise / p.alpha, p.beta - 1), static_cast<double>(levels)));
}

std::vector<Statistic> gradientStatistics(const std::vector<solvers::SolveHistory>& histories) {
    std::vector<Statistic> all = solvers::statisticsOf(histories, {});
    std::erase_if(all, [](const Statistic& s) { return s.key == "removed-mean"; });
    return all;
}

std::vector<std::string> gradientWarnings(const std::vector<solvers::SolveHistory>& histories, const GradientPlan& gradient) {
    std::vector<solvers::SolveHistory> unfinished;
    for (const solvers::SolveHistory& h : histories)
        if (h.end == solvers::SolveEnd::mostIterations) unfinished.push_back(h);
    for (solvers::SolveHistory& h : unfinished) h.removedShares.clear();
    return solvers::warningsOf(unfinished, gradient.options);
}

double largestGradientColour(const ToneMappingPlan& plan) {
    return plan.grey() ? 1 : std::max(1.0, std::pow(plan.largestRatio + 1, plan.parameters.saturation));
}

double gradientDataTolerance(const ToneMappingPlan& plan, const GradientPlan& gradient, double residual) {
    if (residual <= gradient.options.tolerance * solvers::SolveHistory::kSlack) return 0;
    return residual / smallestEigenvalue(gradient.stencil) * tone::kBrightestDisplay * largestGradientColour(plan);
}

}  // namespace parallax
