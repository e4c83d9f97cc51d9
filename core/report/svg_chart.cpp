// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/report/svg_chart.hpp"

#include <fmt/format.h>

namespace parallax {
namespace {

std::string withTip(const std::string& element, const std::string& tag, const std::string& tip) {
    return tip.empty() ? element + "/>\n" : element + "><title>" + escapeHtml(tip) + "</title></" + tag + ">\n";
}

std::string toSvg(const DrawnRect& r) {
    return withTip(fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" class=\"c{}\"", r.x, r.y, r.width,
                               r.height, r.colour),
                   "rect", r.tip);
}

std::string toSvg(const DrawnLine& l) {
    std::string path;
    for (const auto& [x, y] : l.points) path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : "L", x, y);
    std::string look = "error";
    if (l.ink == DrawnLine::Ink::grid) look = "grid";
    if (l.ink == DrawnLine::Ink::series) look = fmt::format("{}{}", l.filled ? 'c' : 'l', l.colour);
    return withTip(fmt::format("<path d=\"{}{}\" class=\"{}\"", path, l.filled ? "Z" : "", look), "path", l.tip);
}

std::string toSvg(const DrawnText& t) {
    std::string look = t.anchor == DrawnText::Anchor::end ? "label" : t.anchor == DrawnText::Anchor::middle ? "middle" : "";
    if (t.bold) look += look.empty() ? "title" : " title";
    if (t.soft) look += look.empty() ? "soft" : " soft";
    return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\"{}>{}</text>\n", t.x, t.y, look.empty() ? "" : " class=\"" + look + "\"",
                       escapeHtml(t.text));
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
                // Control characters are not allowed in the page.
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
        "svg{width:100%;height:auto;margin:.8rem 0}svg text{font:13px system-ui,sans-serif;fill:var(--fg)}svg .soft{fill:var(--soft)}"
        "svg .title{font-weight:600}svg .label{text-anchor:end}svg .middle{text-anchor:middle}"
        ".error{stroke:var(--fg);stroke-width:1.4;fill:none}.grid{stroke:var(--line);stroke-width:1;fill:none}\n";
    for (std::size_t i = 0; i < kSeriesColours.size(); ++i)
        css += fmt::format(".c{0}{{fill:#{1:06x}}}.l{0}{{stroke:#{1:06x};stroke-width:2;fill:none}}", i, kSeriesColours[i]);
    return css + "\n";
}

}  // namespace parallax
