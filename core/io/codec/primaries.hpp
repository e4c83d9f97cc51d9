// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>

#include "core/image/image.hpp"

namespace parallax {

/// CIE x and y of white and of R, G and B.
struct Primaries {
    std::array<double, 2> white, red, green, blue;
};

/// Returns the primaries stored in the metadata, of EXR or PNG; nothing if they are missing or those of Rec. 709 and sRGB, the default.
std::optional<Primaries> unusualPrimaries(const Image& image);

}  // namespace parallax
