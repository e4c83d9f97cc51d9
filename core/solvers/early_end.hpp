// SPDX-License-Identifier: GPL-3.0-or-later
// The early end of a solve for a first picture: see Refines.
#pragma once

#include <optional>
#include <utility>

#include "core/engine/operation/parameter_table.hpp"

namespace parallax::solvers {

/// Multigrid takes two to four iterations to the tolerance, which show large shapes right; conjugate gradients end at the iterations.
inline constexpr double kEarlyTolerance = 0.05;
inline constexpr int kEarlyIterations = 16;
/// Early end of the biharmonic equation: at 0.05 its residual still hides large errors of large shapes.
inline constexpr double kEarlyBiharmonicTolerance = 0.001;

/// Parameters P with `tolerance` and `iterations`, ended early; empty if their solve ends as early already.
template <class P>
std::optional<ParameterBlock> endedEarly(const ParameterBlock& parameters, double tolerance = kEarlyTolerance) {
    P values = parameters.as<P>();
    if (values.tolerance >= tolerance || values.iterations <= kEarlyIterations) return {};
    values.tolerance = tolerance;
    values.iterations = kEarlyIterations;
    ParameterBlock early = parameters;
    early.assign(std::move(values));
    return early;
}

}  // namespace parallax::solvers
