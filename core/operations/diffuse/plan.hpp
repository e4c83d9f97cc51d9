// SPDX-License-Identifier: GPL-3.0-or-later
// The systems that the parameters stand for, defined once for every backend: (I + L) u = f with the weights of formulas.hpp.
#pragma once

#include <vector>

#include "core/engine/operation/operation.hpp"
#include "core/operations/diffuse/parameters.hpp"
#include "core/solvers/solve.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax {

struct DiffusePlan {
    DiffuseParameters parameters;
    std::vector<int> solved, copied;  ///< channel indices
    /// Weight of each solved channel in the luminance of the guide: Rec. 709 if R, G and B are among them (others 0), else 1 / n without
    /// alpha unless it is the only one.
    std::vector<double> luminance;
    double axisWeights[3] = {1, 1, 1};  ///< 1 / spacing^2
    /// Systems that are solved one after the other, each from the result of the one before: `steps` of perona-malik, else 1. The initial
    /// guess of each is its right-hand side.
    int solves = 1;
    double step = 0;  ///< time of each
    solvers::SolveOptions options;

    bool isUniform() const { return parameters.weights == DiffusionWeights::uniform; }
    /// Diagonal 1, Neumann borders, no edges yet; of uniform weights, axisWeights times the step. An image with samples that are not finite
    /// needs edges: those of these pixels (not finite in any solved channel) are 0.
    solvers::Stencil stencil(const Shape& shape) const;
};
/// Throws Error(usage).
DiffusePlan planDiffuse(const Problem& problem);

}  // namespace parallax
