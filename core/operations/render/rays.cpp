// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/render/rays.hpp"

namespace parallax::render {

RayPath pathOf(const RayFrame& frame, std::int64_t x, std::int64_t y) { return makePath(frame, x, y); }

}  // namespace parallax::render
