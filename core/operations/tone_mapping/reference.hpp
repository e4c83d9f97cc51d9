// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"

namespace parallax {

/// tonemap / reference: plain serial loops in double, the oracle.
std::unique_ptr<Implementation> makeReferenceToneMapping();

}  // namespace parallax
