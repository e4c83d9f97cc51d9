// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/charts/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/report/record/summary.hpp"

namespace parallax {
namespace {

constexpr double kWidth = 840, kLegendRow = 22;
constexpr double kCharacter = 7.2;  // of most fonts at this size, a little too wide

int colourOf(int style) { return style % static_cast<int>(kSeriesColours.size()); }

std::string valueText(LineChart::Values values, double v) {
    switch (values) {
        case LineChart::Values::time: return formatTime(v, kDocumentSigns);
        case LineChart::Values::factor:
            return v < 100 ? fmt::format("{:.3g}{}", v, kDocumentSigns.times) : fmt::format("{:.0f}{}", v, kDocumentSigns.times);
        case LineChart::Values::percent: return fmt::format("{:.3g} %", 100 * v);
        case LineChart::Values::number: break;
    }
    return v >= 1 && v < 1e6 ? fmt::format("{:.6g}", v) : formatNumber(v, kDocumentSigns);
}

/// At most `most` characters of UTF-8 text, with an ellipsis in the middle.
std::string shortened(const std::string& text, std::size_t most) {
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < text.size(); ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U) starts.push_back(i);
    if (starts.size() <= most) return text;
    const std::size_t head = most / 2, tail = most - head - 1;
    return text.substr(0, starts[head]) + "\xe2\x80\xa6" + text.substr(starts[starts.size() - tail]);
}

double widthOf(const std::string& text) {
    return kCharacter * static_cast<double>(std::count_if(text.begin(), text.end(),
                                                          [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

/// Markers distinguish series without colour.
std::vector<std::pair<double, double>> marker(int style, double x, double y) {
    constexpr double r = 4.5;
    // Series of the same colour have different markers.
    switch ((style + style / static_cast<int>(kSeriesColours.size())) % 6) {
        case 0: {
            std::vector<std::pair<double, double>> circle;
            for (int i = 0; i < 12; ++i) circle.emplace_back(x + r * std::cos(i * 0.5235987756), y + r * std::sin(i * 0.5235987756));
            return circle;
        }
        case 1: return {{x - r, y - r}, {x + r, y - r}, {x + r, y + r}, {x - r, y + r}};
        case 2: return {{x, y - r - 1}, {x + r + 1, y + r}, {x - r - 1, y + r}};
        case 3: return {{x, y - r - 2}, {x + r + 2, y}, {x, y + r + 2}, {x - r - 2, y}};
        case 4: return {{x, y + r + 1}, {x + r + 1, y - r}, {x - r - 1, y - r}};
        default:
            return {{x - 2, y - r - 1}, {x + 2, y - r - 1}, {x + 2, y - 2}, {x + r + 1, y - 2}, {x + r + 1, y + 2}, {x + 2, y + 2},
                    {x + 2, y + r + 1}, {x - 2, y + r + 1}, {x - 2, y + 2}, {x - r - 1, y + 2}, {x - r - 1, y - 2}, {x - 2, y - 2}};
    }
}

/// Maps values to coordinates, linearly or logarithmically.
struct Axis {
    double low = 0, high = 1, from = 0, to = 1;
    bool logarithmic = false;

    double coordinate(double v) const {
        const double t = logarithmic ? std::log(v / low) / std::log(high / low) : (v - low) / (high - low);
        return from + std::clamp(t, 0.0, 1.0) * (to - from);
    }
};

/// Ticks at 1, 2 and 5 times a power of ten; over three decades or more of a logarithmic axis, powers alone.
std::vector<double> tickValues(const Axis& axis) {
    std::vector<double> values;
    if (axis.logarithmic) {
        const double decades = std::log10(axis.high / axis.low);
        for (int e = static_cast<int>(std::floor(std::log10(axis.low))); e <= static_cast<int>(std::ceil(std::log10(axis.high))); ++e)
            for (const double m : {1.0, 2.0, 5.0})
                if (const double v = m * std::pow(10.0, e); (m == 1 || decades < 3) && v >= axis.low * 0.999 && v <= axis.high * 1.001)
                    values.push_back(v);
        return values;
    }
    const double rough = (axis.high - axis.low) / 5, power = std::pow(10.0, std::floor(std::log10(rough)));
    const double step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
    for (double v = std::ceil(axis.low / step) * step; v <= axis.high * 1.0001; v += step) values.push_back(v);
    return values;
}

Axis valueAxis(const LineChart& chart, double from, double to) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const LineSeries& s : chart.series)
        for (const LinePoint& p : s.points) {
            least = std::min({least, p.y, p.error.high > p.error.low ? p.error.low : p.y});
            most = std::max({most, p.y, p.error.high});
        }
    if (!(most > 0)) return {0, 1, from, to, false};
    const bool isTime = chart.values == LineChart::Values::time;
    if (least > 0 && chart.logarithmic) return {least / 1.5, most * 3, from, to, true};  // with room for names of lines
    if (least > 0 && chart.decades) return {least / 1.5, most * 1.5, from, to, most / least > 1.001};
    if (least > 0 && (chart.logarithmicY || (isTime && most / least > 5))) return {least / 1.15, most * 1.15, from, to, true};
    return {0, most * 1.05, from, to, false};
}

Axis sweptAxis(const LineChart& chart, double from, double to) {
    if (!chart.ticks.empty()) return {-0.4, static_cast<double>(chart.ticks.size()) - 0.6, from, to, false};
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const LineSeries& s : chart.series)
        for (const LinePoint& p : s.points) least = std::min(least, p.x), most = std::max(most, p.x);
    if (chart.left > 0) least = std::min(least, chart.left), most = std::max(most, chart.right);
    if (least > 0 && chart.logarithmic) return {least, most, from, to, true};
    if (chart.decades && most > least) return {least, most, from, to, chart.logarithmicX && least > 0};
    if (least > 0 && most / least >= 6) return {least / 1.1, most * 1.1, from, to, true};
    const double room = most > least ? 0.05 * (most - least) : 1;
    return {least - room, most + room, from, to, false};
}

std::vector<std::pair<double, std::string>> sweptTicks(const LineChart& chart, const Axis& axis) {
    std::vector<std::pair<double, std::string>> ticks;
    if (chart.logarithmic || chart.decades) {
        for (const double v : tickValues(axis)) ticks.emplace_back(v, valueText(LineChart::Values::number, v));
        return ticks;
    }
    for (std::size_t i = 0; i < chart.ticks.size(); ++i) ticks.emplace_back(static_cast<double>(i), chart.ticks[i]);
    if (!ticks.empty()) return ticks;
    std::vector<double> values;
    for (const LineSeries& s : chart.series)
        if (s.look != LineSeries::Look::guide)
            for (const LinePoint& p : s.points) values.push_back(p.x);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (const double v : values) ticks.emplace_back(v, fmt::format("{:.6g}", v));
    return ticks;
}

}  // namespace

Drawing draw(const BarChart& chart) {
    constexpr double kLabel = 190, kPlot = 420, kRow = 30, kTop = 34;
    constexpr double kLongestInterval = 2;  // times the longest bar
    double longest = 0, largest = 0;
    // Negative parts are drawn with no width.
    const auto drawn = [](double sum, double part) { return sum + std::max(0.0, part); };
    for (const Bar& b : chart.bars) {
        longest = std::max(longest, std::accumulate(b.parts.begin(), b.parts.end(), 0.0, drawn));
        largest = std::max({largest, longest, b.error.high});
    }
    // A longer interval is cut, so that it leaves room to the bars.
    if (longest > 0) largest = std::min(largest, kLongestInterval * longest);
    if (!(largest > 0)) largest = 1;
    const auto styleOf = [&](std::size_t part) { return colourOf(part < chart.partStyles.size() ? chart.partStyles[part] : 0); };
    // Wrap the legend.
    std::vector<std::pair<double, int>> places;  // x and line
    double place = kLabel;
    int lines = 0;
    for (const std::string& name : chart.partNames) {
        const double width = 36 + 8.0 * static_cast<double>(name.size());
        if (place > kLabel && place + width > kWidth) place = kLabel, ++lines;
        places.emplace_back(place, lines);
        place += width;
    }
    const double scale = kPlot / largest, legend = chart.partNames.empty() ? 0 : 26 + kLegendRow * lines;
    Drawing d{kWidth, kTop + kRow * static_cast<double>(chart.bars.size()) + legend + 8, chart.title, {}};
    d.shapes.emplace_back(
        DrawnText{0, 18, chart.title + (chart.unit.empty() ? "" : " (" + chart.unit + ")"), DrawnText::Anchor::start, true, false});
    double y = kTop;
    for (const Bar& b : chart.bars) {
        d.shapes.emplace_back(DrawnText{kLabel - 8, y + 16, shortened(b.label, 25), DrawnText::Anchor::end, false, false});
        double x = kLabel;
        for (std::size_t i = 0; i < b.parts.size(); ++i) {
            const double width = std::max(0.0, b.parts[i] * scale);
            const std::string part = i < chart.partNames.size() ? ", " + chart.partNames[i] : "";
            if (width > 0) d.shapes.emplace_back(DrawnRect{x, y, width, 20, styleOf(i), b.label + part + ": " + formatNumber(b.parts[i])});
            x += width;
        }
        double end = x;
        if (b.error.high > b.error.low) {
            const double low = kLabel + std::min(b.error.low, largest) * scale, high = kLabel + std::min(b.error.high, largest) * scale;
            d.shapes.emplace_back(DrawnLine{{{low, y + 10}, {high, y + 10}}, DrawnLine::Ink::foreground, 0, false, {}});
            for (const auto& [value, at] : {std::pair{b.error.low, low}, {b.error.high, high}})
                if (value <= largest)
                    d.shapes.emplace_back(DrawnLine{{{at, y + 6}, {at, y + 14}}, DrawnLine::Ink::foreground, 0, false, {}});
            end = std::max(end, high);
        }
        d.shapes.emplace_back(DrawnText{end + 8, y + 15, b.text, DrawnText::Anchor::start, false, false});
        y += kRow;
    }
    for (std::size_t i = 0; i < chart.partNames.size(); ++i) {
        const auto [x, line] = places[i];
        const double top = y + kLegendRow * line;
        d.shapes.emplace_back(DrawnRect{x, top + 4, 14, 14, styleOf(i), {}});
        d.shapes.emplace_back(DrawnText{x + 20, top + 16, chart.partNames[i], DrawnText::Anchor::start, false, false});
    }
    return d;
}

namespace {

constexpr double kLeft = 84, kRight = 816, kTop = 34, kBottom = 300;

/// Grid and labels of both axes.
void drawAxes(Drawing& d, const LineChart& chart, const Axis& xAxis, const Axis& yAxis) {
    for (const double v : tickValues(yAxis)) {
        const double y = yAxis.coordinate(v);
        d.shapes.emplace_back(DrawnLine{{{kLeft, y}, {kRight, y}}, DrawnLine::Ink::grid, 0, false, {}});
        d.shapes.emplace_back(DrawnText{kLeft - 8, y + 4, valueText(chart.values, v), DrawnText::Anchor::end, false, true});
    }
    double freeFrom = -1e9;
    for (const auto& [v, text] : sweptTicks(chart, xAxis)) {
        const double x = xAxis.coordinate(v), half = widthOf(shortened(text, 18)) / 2;
        d.shapes.emplace_back(DrawnLine{{{x, kBottom}, {x, kBottom + 5}}, DrawnLine::Ink::grid, 0, false, {}});
        if (x - half < freeFrom) continue;  // its text would overlap
        d.shapes.emplace_back(DrawnText{x, kBottom + 20, shortened(text, 18), DrawnText::Anchor::middle, false, true});
        freeFrom = x + half + 8;
    }
    d.shapes.emplace_back(DrawnText{(kLeft + kRight) / 2, kBottom + 42, chart.axis + (xAxis.logarithmic ? " (logarithmic)" : ""),
                                    DrawnText::Anchor::middle, false, false});
}

/// Names stand beside the end of a line; rising lines of a logarithmic chart have their corners there, so theirs stand beside the
/// beginning. A name without room is in the tooltip only.
void drawGuides(Drawing& d, const LineChart& chart, const Axis& xAxis, const Axis& yAxis) {
    std::vector<DrawnText> names;
    for (const LineSeries& s : chart.series) {
        if (s.look != LineSeries::Look::guide || s.points.empty()) continue;
        DrawnLine line{{}, DrawnLine::Ink::foreground, 0, false, s.name};
        for (const LinePoint& p : s.points) line.points.emplace_back(xAxis.coordinate(p.x), yAxis.coordinate(p.y));
        d.shapes.emplace_back(line);
        // Curves that fall are far from their aim at the beginning.
        const bool flat = std::fabs(line.points.front().second - line.points.back().second) < 1;
        const bool atEnd = !chart.decades && (!chart.logarithmic || flat);
        const auto [x, y] = atEnd ? line.points.back() : line.points.front();
        const double textX = atEnd ? x - 6 : x + 8, textY = atEnd || chart.decades ? y - 5 : y + 12;
        const bool free = std::none_of(names.begin(), names.end(),
                                       [&](const DrawnText& n) { return std::fabs(n.y - textY) < 13 && std::fabs(n.x - textX) < 300; });
        if (!free || textY < kTop) continue;
        names.push_back({textX, textY, s.name, atEnd ? DrawnText::Anchor::end : DrawnText::Anchor::start, false, true});
    }
    // No line crosses a name.
    for (DrawnText& name : names) d.shapes.emplace_back(std::move(name));
}

void drawSeries(Drawing& d, const LineChart& chart, const LineSeries& s, const Axis& xAxis, const Axis& yAxis) {
    const int colour = colourOf(s.style);
    const bool model = s.look == LineSeries::Look::model;
    DrawnLine line{{}, DrawnLine::Ink::series, colour, false, s.name, model};
    for (const LinePoint& p : s.points) line.points.emplace_back(xAxis.coordinate(p.x), yAxis.coordinate(p.y));
    if (line.points.size() > 1 && s.look != LineSeries::Look::points) d.shapes.emplace_back(line);
    if (model) return;
    // Markers of a dense line would hide it.
    constexpr std::size_t kDense = 40, kMarkers = 12;
    const std::size_t stride = s.look == LineSeries::Look::joined && s.points.size() > kDense ? s.points.size() / kMarkers : 1;
    for (std::size_t i = 0; i < s.points.size(); ++i) {
        if (i % stride != 0 && i + 1 != s.points.size()) continue;
        const LinePoint& p = s.points[i];
        const double x = xAxis.coordinate(p.x), y = yAxis.coordinate(p.y);
        if (p.error.high > p.error.low && p.error.low > 0) {
            const double low = yAxis.coordinate(p.error.low), high = yAxis.coordinate(p.error.high);
            d.shapes.emplace_back(DrawnLine{{{x, low}, {x, high}}, DrawnLine::Ink::foreground, 0, false, {}});
            for (const double at : {low, high})
                d.shapes.emplace_back(DrawnLine{{{x - 4, at}, {x + 4, at}}, DrawnLine::Ink::foreground, 0, false, {}});
        }
        const std::string where = chart.ticks.empty() ? fmt::format("{:.6g}", p.x) : chart.ticks.at(static_cast<std::size_t>(p.x));
        d.shapes.emplace_back(DrawnLine{marker(s.style, x, y), DrawnLine::Ink::series, colour, true,
                                        s.name + ", " + where + ": " + valueText(chart.values, p.y)});
    }
}

}  // namespace

Drawing draw(const LineChart& chart) {
    // Wrap the legend.
    std::vector<std::pair<double, double>> legend;
    double lx = kLeft, ly = kBottom + 62;
    for (const LineSeries& s : chart.series) {
        const double width = s.look == LineSeries::Look::guide ? 0 : 46 + widthOf(shortened(s.name, 40));
        if (lx > kLeft && lx + width > kRight + 12) lx = kLeft, ly += kLegendRow;
        legend.emplace_back(lx, ly);
        lx += width;
    }
    Drawing d{kWidth, ly + 14, chart.title, {}};
    const Axis xAxis = sweptAxis(chart, kLeft, kRight), yAxis = valueAxis(chart, kBottom, kTop);
    d.shapes.emplace_back(
        DrawnText{0, 18, chart.title + (yAxis.logarithmic ? " (logarithmic)" : ""), DrawnText::Anchor::start, true, false});
    drawAxes(d, chart, xAxis, yAxis);
    drawGuides(d, chart, xAxis, yAxis);
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        const LineSeries& s = chart.series[i];
        if (s.look == LineSeries::Look::guide) continue;
        drawSeries(d, chart, s, xAxis, yAxis);
        const auto [x, y] = legend[i];
        const bool model = s.look == LineSeries::Look::model;
        if (s.look != LineSeries::Look::points)
            d.shapes.emplace_back(DrawnLine{{{x, y - 4}, {x + 24, y - 4}}, DrawnLine::Ink::series, colourOf(s.style), false, {}, model});
        if (!model) d.shapes.emplace_back(DrawnLine{marker(s.style, x + 12, y - 4), DrawnLine::Ink::series, colourOf(s.style), true, {}});
        d.shapes.emplace_back(DrawnText{x + 30, y, shortened(s.name, 40), DrawnText::Anchor::start, false, false});
    }
    return d;
}

int SeriesStyles::of(const std::string& label) {
    const auto at = std::find(labels_.begin(), labels_.end(), label);
    const auto index = static_cast<int>(at - labels_.begin());
    if (at == labels_.end()) labels_.push_back(label);
    return index;
}

}  // namespace parallax
