// SPDX-License-Identifier: GPL-3.0-or-later
// Converts linear samples to display colours, one tile at a time.
#pragma once

#include <QImage>
#include <QRect>

#include "ui/models/view/pyramid.hpp"
#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

/// The colour of NaN.
inline constexpr QRgb kNanColour = 0xffff00ff;
/// The colours of clipped values if they are marked: brighter than white, darker than black.
inline constexpr QRgb kOverColour = 0xffff4d3d, kUnderColour = 0xff2f7bff;

/// The colours of differences beyond the range of their colour map.
struct BeyondColours {
    QRgb below, above;
};
BeyondColours beyondColours(DifferenceMode mode);
/// The colour map of a difference.
FalseColour mapOf(DifferenceMode mode);

/// How the samples of one pane become colours.
struct Colouring {
    bool difference = false;  ///< use mapOf() the difference mode; needs a difference scale > 0
    DisplaySettings display;
    bool dithered = false;  ///< colours and grey are dithered instead of rounded; false colours and differences are not
    friend bool operator==(const Colouring&, const Colouring&) = default;
};

/// Renders a part of a level (in pixels of that level, inside it). Transparent pixels show a grey checkerboard.
QImage renderTile(const Pyramid& pyramid, int level, const QRect& part, const Colouring& colouring);

/// The colour of t in [-1, 1]: blue below, dark at 0, orange above; the ends differ in lightness too.
QRgb divergingColour(double t);

/// The colour of t in [0, 1]: from near black through purple, blue and green to light yellow. Lightness rises evenly in Ottosson's
/// Oklab (https://bottosson.github.io/posts/oklab/), so that the order of values survives colour blindness and greyscale.
QRgb sequentialColour(double t);

/// The colour of t in [0, 1] in one of the maps.
QRgb falseColour(FalseColour map, double t);

}  // namespace parallax::ui
