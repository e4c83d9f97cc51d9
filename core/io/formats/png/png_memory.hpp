// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parallax {

/// The bytes of an 8-bit RGB file (sRGB): `rgb` has 3 x width x height samples, rows from the top. Throws Error(failed, memory).
std::string encodePng(int width, int height, const std::vector<std::uint8_t>& rgb);

}  // namespace parallax
