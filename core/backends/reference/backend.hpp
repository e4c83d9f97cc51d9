// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/backend.hpp"

namespace parallax {

/// Serial, double-accumulating, always there: what every other backend is held to.
std::shared_ptr<Backend> makeReferenceBackend();

}  // namespace parallax
