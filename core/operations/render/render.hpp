// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/operation/operation.hpp"

namespace parallax {

/// Volume rendering: a picture of a volume, by projection, as a shaded surface, or with a transfer function. README.md has the formulas.
std::unique_ptr<Operation> makeRender();

}  // namespace parallax
