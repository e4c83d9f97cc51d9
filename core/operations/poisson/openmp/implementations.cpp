// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/poisson/openmp/implementations.hpp"

#include "core/operations/poisson/host_execution.hpp"
#include "core/solvers/openmp/methods.hpp"

namespace parallax {

std::unique_ptr<Implementation> makeOpenmpMultigridPoisson() { return makeHostPoisson(solvers::openmpMultigrid()); }
std::unique_ptr<Implementation> makeOpenmpCgPoisson() { return makeHostPoisson(solvers::openmpConjugateGradients()); }
std::unique_ptr<Implementation> makeOpenmpTransformPoisson() { return makeHostPoisson(solvers::openmpTransforms()); }

}  // namespace parallax
