// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the Poisson equation. Defaults are the member initialisers.
#pragma once

#include <string>

#include "core/engine/operation/parameter_table.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax {

struct PoissonParameters {
    solvers::Border border = solvers::Border::dirichlet;
    double screening = 0;  ///< 1 / px^2 or 1 / mm^2
    double tolerance = 1e-8;
    int iterations = 10000;
    std::string channels = "all";
};

const ParameterTable<PoissonParameters>& poissonParameterTable();

}  // namespace parallax
