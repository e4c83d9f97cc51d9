// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>

#include "core/engine/backend/backend.hpp"

namespace parallax {

/// The backend that runs pipelines on MPI ranks: each of them computes a part with one of `backends`.
std::shared_ptr<Backend> makeMpiBackend(std::span<const std::shared_ptr<Backend>> backends);

}  // namespace parallax
