// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as shapes, the same for HTML and PDF. x points right, y down; text is 13 units high; colours are indices of kSeriesColours.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace parallax {

/// Colours of Okabe and Ito, distinguishable with any colour vision; 0xRRGGBB.
inline constexpr std::array<std::uint32_t, 6> kSeriesColours{0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00};

struct DrawnRect {
    double x = 0, y = 0, width = 0, height = 0;
    int colour = 0;
    std::string tip;  ///< tooltip
};

struct DrawnLine {
    enum class Ink { grid, foreground, series };
    std::vector<std::pair<double, double>> points;
    Ink ink = Ink::foreground;
    int colour = 0;       ///< of Ink::series
    bool filled = false;  ///< filled polygon
    std::string tip;
    bool dashed = false;
};

struct DrawnText {
    enum class Anchor { start, middle, end };
    double x = 0, y = 0;  ///< base line
    std::string text;
    Anchor anchor = Anchor::start;
    bool bold = false, soft = false;
};

struct Drawing {
    double width = 0, height = 0;
    std::string title;                                                  ///< for screen readers; also drawn as text
    std::vector<std::variant<DrawnRect, DrawnLine, DrawnText>> shapes;  ///< later ones on top
};

}  // namespace parallax
