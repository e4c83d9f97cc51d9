// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/diffuse/reference.hpp"

#include "core/operations/diffuse/host_execution.hpp"

namespace parallax {

std::unique_ptr<Implementation> makeReferenceDiffuse() { return makeHostDiffuse(solvers::referenceMethod()); }

}  // namespace parallax
