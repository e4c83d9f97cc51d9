// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/poisson/reference.hpp"

#include "core/operations/poisson/host_execution.hpp"

namespace parallax {

std::unique_ptr<Implementation> makeReferencePoisson() { return makeHostPoisson(solvers::referenceMethod()); }

}  // namespace parallax
