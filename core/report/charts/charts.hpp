// SPDX-License-Identifier: GPL-3.0-or-later
// Charts of reports: what they show, and their drawing.
#pragma once

#include <string>
#include <vector>

#include "core/measure/sampling/statistics.hpp"
#include "core/report/charts/drawing.hpp"

namespace parallax {

struct Bar {
    std::string label, text;
    /// Parts from left to right; colours by their index.
    std::vector<double> parts;
    Interval error;  ///< of the sum; low == high: none drawn
};
/// Horizontal bars.
struct BarChart {
    std::string title, unit;
    std::vector<std::string> partNames;  ///< legend; empty: none
    std::vector<Bar> bars;
    bool empty() const { return bars.empty(); }
};

struct LinePoint {
    double x = 0, y = 0;
    Interval error;  ///< low == high: none drawn
};
struct LineSeries {
    std::string name;
    std::vector<LinePoint> points;  ///< in the order of x
};
/// Times (y, ns) over a swept axis, markers besides colours. Logarithmic where the values span more than that can show.
struct LineChart {
    std::string title, axis;
    std::vector<std::string> ticks;  ///< text of x = 0, 1, 2, ... of an axis that is no number; empty: x is a number
    std::vector<LineSeries> series;
    bool empty() const { return series.empty(); }
};

Drawing draw(const BarChart& chart);
Drawing draw(const LineChart& chart);

}  // namespace parallax
