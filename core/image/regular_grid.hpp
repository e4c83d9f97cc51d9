// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes whose slices are unevenly spaced or sheared, as of a tilted gantry, on a grid with even steps and axes at right angles.
#pragma once

#include <stop_token>
#include <string>

#include "core/image/image.hpp"

namespace parallax {

/// How the slices of a volume depart from a regular grid, as in "its slices are unevenly spaced"; empty if they do not.
std::string irregularityOf(const Image& image);

/// Resamples a volume by linear interpolation in its slices and between them. The slices keep their planes if they are evenly spaced; else
/// their distance becomes the median one, adjusted so that the first and the last slice keep their planes. Rows and columns keep their
/// spacing, and as many are added as hold the whole volume. Samples outside of it, and those that padding contributes to, become padding;
/// without padding the smallest sample. The provenance says what was done. Throws Error(usage) for an image without these irregularities,
/// or with oblique axes in its slices, Error(memory, cancelled).
Image onRegularGrid(const Image& image, const std::stop_token& stop = {});

}  // namespace parallax
