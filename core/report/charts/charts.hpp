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
    std::vector<int> partStyles;         ///< index in kSeriesColours of each part; missing: 0
    std::vector<Bar> bars;
    bool empty() const { return bars.empty(); }
};

struct LinePoint {
    double x = 0, y = 0;
    Interval error;  ///< low == high: none
};
struct LineSeries {
    enum class Look {
        joined,  ///< markers and a line
        points,  ///< markers alone
        guide,   ///< a thin line with its name beside it, such as a ceiling
        model    ///< a dashed line in the colour of its series, named in the legend; nothing was measured there
    };
    std::string name;
    std::vector<LinePoint> points;  ///< ascending x
    int style = 0;                  ///< colour and marker, see SeriesStyles
    Look look = Look::joined;
};
/// Values over an axis. Axes are logarithmic if the values span a large range.
struct LineChart {
    enum class Values { time, factor, percent, number };
    std::string title, axis;
    std::vector<std::string> ticks;  ///< labels of x = 0, 1, 2, ... if the values are no numbers
    std::vector<LineSeries> series;
    Values values = Values::time;  ///< of y; times in ns, 1 is 100 %
    bool logarithmic = false;      ///< both axes, whatever the values, with ticks at powers of ten
    bool decades = false;          ///< y is logarithmic; x only with `logarithmicX`
    bool logarithmicX = false;     ///< with `decades`
    double left = 0, right = 0;    ///< with `logarithmic`: the x axis has at least this range; 0: that of the points
    bool logarithmicY = false;     ///< y alone, with ticks at 1, 2 and 5 times a power of ten
    bool empty() const { return series.empty(); }
};

/// Gives each label the same colour and marker in all charts of a report: the position at which it was first asked for.
class SeriesStyles {
public:
    int of(const std::string& label);

private:
    std::vector<std::string> labels_;
};

Drawing draw(const BarChart& chart);
Drawing draw(const LineChart& chart);

}  // namespace parallax
