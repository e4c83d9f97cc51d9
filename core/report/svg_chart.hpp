// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "parallax/measure/statistics.hpp"

namespace parallax {

struct Bar {
    std::string label, text;
    /// Parts from left to right; colours and hatching by their index.
    std::vector<double> parts;
    Interval error;  ///< of the sum; low == high: none drawn
};
struct BarChart {
    std::string title, unit;
    std::vector<std::string> partNames;  ///< legend; empty: none
    std::vector<Bar> bars;
};

/// Horizontal bars as an <svg> element. Colours are CSS classes c0, c1, ... of the page, so that it can be light or dark.
std::string toSvg(const BarChart& chart);
/// Text as it may stand in HTML and SVG.
std::string escapeHtml(const std::string& text);

}  // namespace parallax
