// SPDX-License-Identifier: GPL-3.0-or-later
// The magnitudes of an image: bounds of sliders for parameters that have the unit of the samples.
#pragma once

#include "core/image/image.hpp"

namespace parallax::ui {

struct ValueScale {
    double typical = 0.2;  ///< mean magnitude of the nonzero samples
    double largest = 1;    ///< magnitude
    double extent = 4096;  ///< of the longest axis, pixels
    friend bool operator==(const ValueScale&, const ValueScale&) = default;
};

/// Uses up to a million samples of all channels but alpha, spread evenly: fast enough for the GUI thread. Ignores NaN and infinity.
/// An image of zeros has the scale of an image from 0 to 1.
ValueScale valueScaleOf(const Image& image);

}  // namespace parallax::ui
