// SPDX-License-Identifier: GPL-3.0-or-later
// Colours as codes of a transfer curve instead of light, for comparison with programs that work on the stored codes.
#pragma once

#include <optional>

#include "core/image/image.hpp"

namespace parallax {

/// Returns the image with R, G, B and Y of every layer as codes from 0 to 1 of the curve of its file, or of sRGB if the file is linear.
/// Other channels stay; colours stay multiplied by alpha. Throws Error(usage) for volumes and images without these channels.
Image withEncodedColours(const Image& image);

/// The inverse, for saving and showing. Images with SourceInfo::encoded only.
Image withLinearColours(const Image& image);

/// Samples of an image like this one as linear light: the view itself unless `like` has encoded colours, else that of `copy`.
View<const float> linearView(const Image& like, View<const float> view, std::optional<Image>& copy);

}  // namespace parallax
