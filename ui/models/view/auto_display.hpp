// SPDX-License-Identifier: GPL-3.0-or-later
// Exposure and levels chosen from the values of an image.
#pragma once

#include <QRect>

#include "core/image/image.hpp"
#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

/// So that 99 % of the samples are at most white; for one value (channel, luminance, false colours, measurements) the lower 1 % becomes
/// black, too. From up to 40,000 pixels, evenly spread over `pixels` (empty: the whole image): quick enough for the GUI
/// thread at any size. Unchanged if there are no finite samples, or only zeros.
DisplaySettings automaticDisplay(const Image& image, const QRect& pixels, const DisplaySettings& settings);

}  // namespace parallax::ui
