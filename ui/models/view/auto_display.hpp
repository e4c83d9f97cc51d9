// SPDX-License-Identifier: GPL-3.0-or-later
// Automatic exposure and levels.
#pragma once

#include <QRect>

#include "core/image/image.hpp"
#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

/// Returns settings with which 99 % of the samples are at most white and, for single values (channel, luminance, false colours,
/// measurements), 1 % are black. Uses up to 40,000 pixels, spread evenly over `pixels` (empty: the whole image): fast enough for the GUI
/// thread. Returns the settings unchanged if all samples are zero or not finite. `ownRange`: 1 % are black in any case, for values
/// without a natural zero.
DisplaySettings automaticDisplay(const Image& image, const QRect& pixels, const DisplaySettings& settings, bool ownRange = false);

}  // namespace parallax::ui
