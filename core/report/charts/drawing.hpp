// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as shapes, so that a page and a PDF show the same. Units are those of the drawing, x to the right and y down; text is 13
// units high. Colours are indices of kSeriesColours.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace parallax {

/// Okabe and Ito's colours, told apart by people with any colour vision; 0xRRGGBB.
inline constexpr std::array<std::uint32_t, 6> kSeriesColours{0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00};

struct DrawnRect {
    double x = 0, y = 0, width = 0, height = 0;
    int colour = 0;
    std::string tip;  ///< shown under the pointer where that is possible
};

struct DrawnLine {
    enum class Ink { grid, foreground, series };
    std::vector<std::pair<double, double>> points;
    Ink ink = Ink::foreground;
    int colour = 0;       ///< of Ink::series
    bool filled = false;  ///< an area instead of a line
    std::string tip;
};

struct DrawnText {
    enum class Anchor { start, middle, end };
    double x = 0, y = 0;  ///< of the base line
    std::string text;
    Anchor anchor = Anchor::start;
    bool bold = false, soft = false;
};

struct Drawing {
    double width = 0, height = 0;
    std::string title;                                                  ///< said by screen readers; drawn too, as one of the texts
    std::vector<std::variant<DrawnRect, DrawnLine, DrawnText>> shapes;  ///< later ones lie above
};

}  // namespace parallax
