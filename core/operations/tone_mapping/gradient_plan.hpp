// SPDX-License-Identifier: GPL-3.0-or-later
// The levels of the gradient operator and its equation, made before any sample is read.
#pragma once

#include <string>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "core/operations/tone_mapping/gradient_formulas.hpp"
#include "core/operations/tone_mapping/plan.hpp"
#include "core/solvers/solve.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax {

struct GradientPlan {
    std::vector<Shape> levels;  ///< of one channel, from the image to the coarsest one
    solvers::Stencil stencil;   ///< 5 points, weights of 1, Neumann borders
    solvers::SolveOptions options;

    std::int64_t pixels() const { return levels.front().pixels(); }
    /// Sum over all levels.
    std::int64_t allPixels() const;
};

GradientPlan planGradient(const ToneMappingPlan& plan, const Shape& shape);

/// Refuses the gradient operator, for implementations of the other operators.
Support supportsPointwise(const ToneMappingPlan& plan);
/// Refuses all other operators.
Support supportsGradient(const ToneMappingPlan& plan);

/// How much larger than before a gradient can become.
double largestAttenuation(const ToneMappingParameters& parameters, std::size_t levels);
/// Iterations and residual. The mean of the divergence is a rounding error.
std::vector<Statistic> gradientStatistics(const std::vector<solvers::SolveHistory>& histories);
/// Only if the solver did not get as far as double precision allows.
std::vector<std::string> gradientWarnings(const std::vector<solvers::SolveHistory>& histories, const GradientPlan& gradient);

/// The largest ratio of a colour sample to its luminance, to the power of the saturation.
double largestGradientColour(const ToneMappingPlan& plan);
/// Tolerance of a result whose solver ended above the tolerance of the plan, with this true relative residual; else 0. The error of the
/// logarithms is taken as that of a divergence of 1, root mean square.
double gradientDataTolerance(const ToneMappingPlan& plan, const GradientPlan& gradient, double residual);

}  // namespace parallax
