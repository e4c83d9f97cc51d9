// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/diffuse/openmp/implementations.hpp"

#include "core/operations/diffuse/host_execution.hpp"
#include "core/solvers/openmp/methods.hpp"

namespace parallax {

std::unique_ptr<Implementation> makeOpenmpMultigridDiffuse() { return makeHostDiffuse(solvers::openmpMultigrid()); }
std::unique_ptr<Implementation> makeOpenmpCgDiffuse() { return makeHostDiffuse(solvers::openmpConjugateGradients()); }
std::unique_ptr<Implementation> makeOpenmpTransformDiffuse() { return makeHostDiffuse(solvers::openmpTransforms()); }

}  // namespace parallax
