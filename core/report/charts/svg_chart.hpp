// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/report/charts/drawing.hpp"

namespace parallax {

/// A drawing as an <svg> element. Colours are CSS classes of the page (svgStyle()), so that it can be light or dark.
std::string toSvg(const Drawing& drawing);
/// The classes that toSvg() uses, over the variables --fg, --soft and --line.
std::string svgStyle();
/// Escapes text for HTML and SVG.
std::string escapeHtml(const std::string& text);

}  // namespace parallax
