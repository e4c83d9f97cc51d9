// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/engine/operation/operation.hpp"

namespace parallax {

/// Every operation, in the order in which people see them.
std::vector<std::unique_ptr<Operation>> makeOperations();

}  // namespace parallax
