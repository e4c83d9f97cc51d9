// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>

#include "core/image/image.hpp"

namespace parallax {

/// CIE x and y of the colours that R, G and B stand for, and of white.
struct Primaries {
    std::array<double, 2> white, red, green, blue;
};

/// What the file said about the primaries of its colours, in EXR's way or in PNG's; nothing where that was nothing, or those of Rec. 709
/// and sRGB, which everybody assumes.
std::optional<Primaries> unusualPrimaries(const Image& image);

}  // namespace parallax
