// SPDX-License-Identifier: GPL-3.0-or-later
// Backends whose times have a known ratio, for the self-check.
#pragma once

#include <chrono>
#include <memory>

#include "core/engine/backend/backend.hpp"
#include "core/engine/operation/operation.hpp"

namespace parallax {

/// The operation of waiting backends: its output is its input.
inline constexpr const char* kWaitOperation = "wait";
std::unique_ptr<Operation> makeWaitOperation();

/// Backend "times-N": runs every implementation of `inner` N times.
std::shared_ptr<Backend> makeRepeatedBackend(std::shared_ptr<Backend> inner, int times);
/// Backend "wait-N": its only implementation, of kWaitOperation, takes N us on the host.
std::shared_ptr<Backend> makeWaitingBackend(std::chrono::microseconds wait);

}  // namespace parallax
