// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/engine/operation/operation.hpp"

namespace parallax {

std::unique_ptr<Operation> makeConvolution();

/// Choices of a parameter that is a BorderMode.
std::vector<ParameterChoice> borderModeChoices();

}  // namespace parallax
