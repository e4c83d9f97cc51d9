// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/solve.hpp"

#include <cmath>

#include "core/engine/operation/parameter_table.hpp"
#include "core/image/error.hpp"

namespace parallax::solvers {
namespace {

std::string shortNumber(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", value);
    return text;
}

}  // namespace

void checkResidual(double residual, double first, std::int64_t iteration) {
    if (std::isfinite(residual) && residual <= kDivergence * std::fmax(first, 1)) return;
    throw Error(ErrorCode::failed, "The solver diverged in iteration " + std::to_string(iteration),
                std::isfinite(residual) ? "the relative residual grew to " + shortNumber(residual) : "the residual is not a finite number",
                "Check the range of the input, or choose another variant");
}

std::vector<std::string> warningsOf(const SolveHistory& history, const SolveOptions& options) {
    std::vector<std::string> sentences;
    if (!history.reached(options)) {
        const std::string what =
            "The relative residual is " + shortNumber(history.trueResidual) + " and not " + shortNumber(options.tolerance);
        if (history.end == SolveEnd::mostIterations)
            sentences.push_back(what + ": the solver stopped after " + std::to_string(history.iterations()) +
                                " iterations. Allow more iterations or choose 'multigrid'.");
        else sentences.push_back(what + ": rounding errors prevent a smaller one.");
    }
    for (std::size_t c = 0; c < history.removedShares.size(); ++c)
        if (history.removedShares[c] > kCompatibleShare) {
            sentences.push_back(
                "The equation has no solution, since with Neumann borders the right-hand side must have the mean 0. "
                "Its mean (" +
                shortNumber(history.removedMeans[c]) + ") was subtracted.");
            break;
        }
    return sentences;
}

}  // namespace parallax::solvers
