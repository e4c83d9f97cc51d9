// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/operation/operation.hpp"

namespace parallax {

std::unique_ptr<Operation> makeEdges();

}  // namespace parallax
