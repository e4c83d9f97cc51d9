// SPDX-License-Identifier: GPL-3.0-or-later
// Reduces an image for previews.
#pragma once

#include <stop_token>

#include "core/image/image.hpp"

namespace parallax::ui {

/// Returns a version with width and height of at most `longest` (> 0) and the same aspect; the middle slice of a volume. Each sample is
/// the mean of up to 8 x 8 finite samples spread over its area (NaN if none is finite), so that the time does not depend on the size.
/// Keeps names and metadata, drops data and display windows. Throws Error(cancelled).
Image smallVersion(const Image& image, int longest, const std::stop_token& stop);

}  // namespace parallax::ui
