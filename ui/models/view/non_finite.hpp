// SPDX-License-Identifier: GPL-3.0-or-later
// Samples that are NaN or infinite: how many an image has, and where the next one is.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "core/image/image.hpp"
#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

struct NonFiniteCounts {
    std::uint64_t nan = 0, infinite = 0;
    bool any() const { return nan > 0 || infinite > 0; }
};

/// Counts samples as the file stores them, which was done when it was read.
NonFiniteCounts nonFiniteSamples(const Image& image);

/// Returns the first pixel after `after` (without it: the first of all) that has such a sample in any channel, row by row and slice by
/// slice. After the last one comes the first again. None if every sample is finite. Throws Error(cancelled).
std::optional<PixelPosition> nextNonFinitePixel(const Image& image, const std::optional<PixelPosition>& after, const std::stop_token& stop);

}  // namespace parallax::ui
