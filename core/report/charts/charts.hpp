// SPDX-License-Identifier: GPL-3.0-or-later
// Bar and line charts of reports, drawn as shapes.
#pragma once

#include <string>
#include <vector>

#include "core/measure/sampling/statistics.hpp"
#include "core/report/charts/drawing.hpp"

namespace parallax {

struct Bar {
    std::string label, text;
    /// Stacked parts from left to right; the index selects the colour.
    std::vector<double> parts;
    Interval error;  ///< of the sum; low == high: none
};
/// Horizontal bars.
struct BarChart {
    std::string title, unit;
    std::vector<std::string> partNames;  ///< legend; may be empty
    std::vector<Bar> bars;
    bool empty() const { return bars.empty(); }
};

struct LinePoint {
    double x = 0, y = 0;
    Interval error;  ///< low == high: none
};
struct LineSeries {
    std::string name;
    std::vector<LinePoint> points;  ///< ascending x
};
/// Times (y, ns) over a swept axis. Axes are logarithmic if the values span a large range.
struct LineChart {
    std::string title, axis;
    std::vector<std::string> ticks;  ///< labels of x = 0, 1, 2, ... if the values are no numbers
    std::vector<LineSeries> series;
    bool empty() const { return series.empty(); }
};

Drawing draw(const BarChart& chart);
Drawing draw(const LineChart& chart);

}  // namespace parallax
