// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "parallax/engine/operation.hpp"

namespace parallax {

std::unique_ptr<Operation> makeToneMapping();

}  // namespace parallax
