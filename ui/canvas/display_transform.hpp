// SPDX-License-Identifier: GPL-3.0-or-later
// Linear samples to display colours, one tile at a time.
#pragma once

#include <QImage>
#include <QRect>

#include "ui/models/view/pyramid.hpp"
#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

/// A NaN is shown in this colour wherever it occurs.
inline constexpr QRgb kNanColour = 0xffff00ff;
/// What is brighter than white or darker than black, if that is marked.
inline constexpr QRgb kOverColour = 0xffff4d3d, kUnderColour = 0xff2f7bff;

/// How the samples of one pane become colours.
struct Colouring {
    bool difference = false;  ///< a colour map over the scale of the difference, which must not be 0
    DisplaySettings display;
    friend bool operator==(const Colouring&, const Colouring&) = default;
};

/// Part of a level (in its own pixels, inside of it) as colours. Alpha lies over a checker of greys.
QImage renderTile(const Pyramid& pyramid, int level, const QRect& part, const Colouring& colouring);

/// Colour of t in [-1, 1]: blue below, dark at 0, orange above; both ends differ in lightness too.
QRgb divergingColour(double t);

/// Colour of t in [0, 1]: from near black over purple, blue and green to light yellow. Lightness rises evenly, so that the
/// order of values shows in every kind of colour vision and in grey; made in Ottosson's Oklab
/// (https://bottosson.github.io/posts/oklab/).
QRgb sequentialColour(double t);

/// Colour of t in [0, 1] by one of the maps.
QRgb falseColour(FalseColour map, double t);

}  // namespace parallax::ui
