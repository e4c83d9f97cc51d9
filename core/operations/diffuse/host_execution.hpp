// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"
#include "core/solvers/host_method.hpp"

namespace parallax {

/// The implementation of diffuse by a method in host memory.
std::unique_ptr<Implementation> makeHostDiffuse(solvers::HostMethodKind kind);

}  // namespace parallax
