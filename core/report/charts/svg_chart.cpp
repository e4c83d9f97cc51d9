// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/charts/svg_chart.hpp"

#include <fmt/format.h>

namespace parallax {
namespace {

std::string withTip(const std::string& element, const std::string& tag, const std::string& tip) {
    return tip.empty() ? element + "/>\n" : element + "><title>" + escapeHtml(tip) + "</title></" + tag + ">\n";
}

std::string toSvg(const DrawnRect& r) {
    return withTip(fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" class=\"c{}\" fill=\"#{:06x}\"", r.x,
                               r.y, r.width, r.height, r.colour, kSeriesColours.at(static_cast<std::size_t>(r.colour))),
                   "rect", r.tip);
}

std::string toSvg(const DrawnLine& l) {
    std::string path;
    for (const auto& [x, y] : l.points) path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : "L", x, y);
    // Attributes beside classes, so that the chart is readable without the style sheet.
    std::string look = "class=\"error\" fill=\"none\" stroke=\"#888\"";
    const std::uint32_t colour = kSeriesColours.at(static_cast<std::size_t>(l.colour));
    if (l.ink == DrawnLine::Ink::grid) look = "class=\"grid\" fill=\"none\" stroke=\"#ccc\"";
    else if (l.ink == DrawnLine::Ink::series && l.filled) look = fmt::format("class=\"c{}\" fill=\"#{:06x}\"", l.colour, colour);
    else if (l.ink == DrawnLine::Ink::series) look = fmt::format("class=\"l{}\" fill=\"none\" stroke=\"#{:06x}\"", l.colour, colour);
    if (l.dashed) look += " stroke-dasharray=\"6 4\"";
    return withTip(fmt::format("<path d=\"{}{}\" {}", path, l.filled ? "Z" : "", look), "path", l.tip);
}

std::string toSvg(const DrawnText& t) {
    std::string look = t.anchor == DrawnText::Anchor::end ? "label" : t.anchor == DrawnText::Anchor::middle ? "middle" : "";
    if (t.bold) look += look.empty() ? "title" : " title";
    if (t.soft) look += look.empty() ? "soft" : " soft";
    if (!look.empty()) look = " class=\"" + look + "\"";
    if (t.anchor == DrawnText::Anchor::end) look += " text-anchor=\"end\"";
    if (t.anchor == DrawnText::Anchor::middle) look += " text-anchor=\"middle\"";
    return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\"{}>{}</text>\n", t.x, t.y, look, escapeHtml(t.text));
}

}  // namespace

std::string escapeHtml(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default:
                // Control characters are not valid in HTML.
                if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
        }
    }
    return out;
}

std::string toSvg(const Drawing& drawing) {
    std::string svg = fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n", drawing.width, drawing.height,
                                  escapeHtml(drawing.title));
    for (const auto& shape : drawing.shapes) svg += std::visit([](const auto& s) { return toSvg(s); }, shape);
    return svg + "</svg>\n";
}

std::string svgStyle() {
    std::string css =
        "svg{width:100%;height:auto;margin:.8rem 0}svg text{font:13px system-ui,sans-serif;fill:var(--fg)}svg "
        ".soft{fill:var(--soft);paint-order:stroke;stroke:var(--bg);stroke-width:4px}"
        "svg .title{font-weight:600}svg .label{text-anchor:end}svg .middle{text-anchor:middle}"
        ".error{stroke:var(--fg);stroke-width:1.4;fill:none}.grid{stroke:var(--line);stroke-width:1;fill:none}\n";
    for (std::size_t i = 0; i < kSeriesColours.size(); ++i)
        css += fmt::format(".c{0}{{fill:#{1:06x}}}.l{0}{{stroke:#{1:06x};stroke-width:2;fill:none}}", i, kSeriesColours[i]);
    return css + "\n";
}

}  // namespace parallax
