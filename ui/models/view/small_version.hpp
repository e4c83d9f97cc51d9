// SPDX-License-Identifier: GPL-3.0-or-later
// A version of an image that is small enough for previews, all channels included.
#pragma once

#include <stop_token>

#include "core/image/image.hpp"

namespace parallax::ui {

/// Neither width nor height is above `longest` (> 0), and the aspect is kept as well as whole pixels can. Each sample is the mean of
/// the finite ones of at most 8 x 8 that are spread over its part of the image, so that the time does not depend on the size; NaN if none
/// is finite. Names and metadata are kept, windows of a file are not; of a volume it is the middle slice. Throws Error(cancelled).
Image smallVersion(const Image& image, int longest, const std::stop_token& stop);

}  // namespace parallax::ui
