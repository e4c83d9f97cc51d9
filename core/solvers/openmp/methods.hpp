// SPDX-License-Identifier: GPL-3.0-or-later
// The methods of the openmp backend.
#pragma once

#include "core/solvers/host_method.hpp"

namespace parallax::solvers {

/// Conjugate gradients preconditioned by a V-cycle: the default.
HostMethodKind openmpMultigrid();
/// Conjugate gradients without a preconditioner.
HostMethodKind openmpConjugateGradients();
/// Cosine or sine transforms: constant weights only, needs FFTW.
HostMethodKind openmpTransforms();

}  // namespace parallax::solvers
