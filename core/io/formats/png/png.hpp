// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parallax {

/// Types of PNG metadata other than texts.
constexpr char kIccProfileType[] = "icc", kChromaticitiesType[] = "png chromaticities", kPixelDensityType[] = "png pixel density";

/// Encodes an 8-bit RGB file (sRGB). `rgb`: 3 x width x height samples, top row first. Throws Error(failed, memory).
std::string encodePng(int width, int height, const std::vector<std::uint8_t>& rgb);

}  // namespace parallax
