// SPDX-License-Identifier: GPL-3.0-or-later
// Orientation of a picture, as Exif and TIFF number it: 1 is upright, 2 to 8 are turned or mirrored.
#pragma once

#include <cstdint>
#include <span>

#include "core/image/image.hpp"

namespace parallax {

/// Returns the orientation in an Exif block, which has the form of a TIFF file, or 1.
int exifOrientation(std::span<const std::uint8_t> exif);

/// Turns and mirrors the samples so that the picture is upright, with a warning that says so. Other numbers than 2 to 8 do nothing.
void makeUpright(Image& image, int orientation);

}  // namespace parallax
