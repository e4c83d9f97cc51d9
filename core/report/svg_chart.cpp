// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/report/svg_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace parallax {

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

std::string toSvg(const BarChart& chart) {
    constexpr double kLabel = 190, kPlot = 420, kText = 230, kRow = 30, kTop = 34;
    double largest = 0;
    for (const Bar& b : chart.bars) largest = std::max({largest, std::accumulate(b.parts.begin(), b.parts.end(), 0.0), b.error.high});
    if (largest <= 0) largest = 1;
    const double scale = kPlot / largest, legend = chart.partNames.empty() ? 0 : 26;
    const double height = kTop + kRow * static_cast<double>(chart.bars.size()) + legend + 8;
    std::string svg =
        fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n<text x=\"0\" y=\"18\" class=\"title\">{}</text>\n",
                    kLabel + kPlot + kText, height, escapeHtml(chart.title),
                    escapeHtml(chart.title + (chart.unit.empty() ? "" : " (" + chart.unit + ")")));
    double y = kTop;
    for (const Bar& b : chart.bars) {
        svg += fmt::format("<text x=\"{}\" y=\"{}\" class=\"label\">{}</text>\n", kLabel - 8, y + 16, escapeHtml(b.label));
        double x = kLabel;
        for (std::size_t i = 0; i < b.parts.size(); ++i) {
            const double width = std::max(0.0, b.parts[i] * scale);
            if (width > 0)
                svg += fmt::format("<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"20\" class=\"c{}\"/>\n", x, y, width, i % 6);
            x += width;
        }
        double end = x;
        if (b.error.high > b.error.low) {
            const double low = kLabel + b.error.low * scale, high = kLabel + b.error.high * scale;
            svg +=
                fmt::format("<path d=\"M{0:.2f} {2}H{1:.2f}M{0:.2f} {3}v8M{1:.2f} {3}v8\" class=\"error\"/>\n", low, high, y + 10, y + 6);
            end = std::max(end, high);
        }
        svg += fmt::format("<text x=\"{:.2f}\" y=\"{}\">{}</text>\n", end + 8, y + 15, escapeHtml(b.text));
        y += kRow;
    }
    double x = kLabel;
    for (std::size_t i = 0; i < chart.partNames.size(); ++i) {
        svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"14\" height=\"14\" class=\"c{}\"/><text x=\"{}\" y=\"{}\">{}</text>\n", x,
                           y + 4, i % 6, x + 20, y + 16, escapeHtml(chart.partNames[i]));
        x += 36 + 8.0 * static_cast<double>(chart.partNames[i].size());
    }
    return svg + "</svg>\n";
}

}  // namespace parallax
