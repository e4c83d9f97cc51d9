// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/backend.hpp"

namespace parallax {

/// The serial backend in double precision, always available, that decides what is correct.
std::shared_ptr<Backend> makeReferenceBackend();

}  // namespace parallax
