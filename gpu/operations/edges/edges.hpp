// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"

namespace parallax::gpu {

std::unique_ptr<Implementation> makeEdges();

}  // namespace parallax::gpu
