// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/charts/series_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parallax {
namespace {

constexpr double kFarLonger = 10;

SeriesChartData& chartOf(std::vector<SeriesChartData>& charts, const SeriesRecord& s) {
    const auto known = std::find_if(charts.begin(), charts.end(), [&](const SeriesChartData& c) {
        return c.step == s.step && c.operation == s.operation && c.key == s.key;
    });
    if (known != charts.end()) return *known;
    SeriesChartData& chart = charts.emplace_back();
    chart.step = s.step;
    chart.operation = s.operation;
    chart.key = s.key;
    chart.title = s.title;
    chart.xTitle = s.xTitle;
    chart.yTitle = s.yTitle;
    chart.xUnit = s.xUnit;
    chart.yUnit = s.yUnit;
    chart.logarithmicY = s.logarithmic;
    return chart;
}

void addTolerance(SeriesChartData& chart, double value, const std::string& entry) {
    if (!(value > 0) || !std::isfinite(value)) return;
    auto at = std::find_if(chart.tolerances.begin(), chart.tolerances.end(), [&](const SeriesTolerance& t) { return t.value <= value; });
    if (at == chart.tolerances.end() || at->value != value) at = chart.tolerances.insert(at, {value, {}});
    if (std::find(at->entries.begin(), at->entries.end(), entry) == at->entries.end()) at->entries.push_back(entry);
}

/// Direct methods have one step, which says nothing about the length of the others.
bool spansDecades(const SeriesChartData& chart) {
    double shortest = std::numeric_limits<double>::infinity(), longest = 0;
    for (const SeriesCurve& c : chart.curves) {
        if (c.x.size() < 3 || !std::isfinite(c.x.back()) || !(c.x.back() > 0)) continue;
        shortest = std::min(shortest, c.x.back());
        longest = std::max(longest, c.x.back());
    }
    return longest >= kFarLonger * shortest;
}

}  // namespace

std::vector<SeriesChartData::Point> SeriesChartData::points(const SeriesCurve& curve, std::size_t most) const {
    std::vector<Point> shown;
    for (std::size_t i = 0; i < curve.x.size() && i < curve.y.size(); ++i) {
        const double x = curve.x[i], y = curve.y[i];
        if (std::isfinite(x) && std::isfinite(y) && (x > 0 || !logarithmicX) && (y > 0 || !logarithmicY)) shown.emplace_back(x, y);
    }
    if (shown.size() <= most || most < 2) return shown;
    std::vector<Point> thinned;
    if (logarithmicX && shown.front().first < shown.back().first) {
        // Evenly on the axis, not in the order of the points: else the left half of the chart would be a few straight lines.
        const double ratio = std::pow(shown.back().first / shown.front().first, 1.0 / static_cast<double>(most - 1));
        double next = shown.front().first;
        for (const Point& p : shown) {
            if (p.first < next) continue;
            thinned.push_back(p);
            next = std::max(next * ratio, p.first * (1 + 1e-12));
        }
    } else {
        const std::size_t stride = (shown.size() + most - 1) / most;
        for (std::size_t i = 0; i < shown.size(); i += stride) thinned.push_back(shown[i]);
    }
    if (thinned.back() != shown.back()) thinned.push_back(shown.back());
    return thinned;
}

std::vector<SeriesChartData> seriesCharts(const RunRecord& record, const std::vector<SeriesOfRun>& runs) {
    std::vector<SeriesChartData> charts;
    const auto add = [&](const std::vector<SeriesRecord>& series, const std::string& label, std::size_t index) {
        for (const SeriesRecord& s : series) {
            if (s.x.empty()) continue;
            SeriesChartData& chart = chartOf(charts, s);
            chart.curves.push_back({label, index, s.label, s.end, s.x, s.y});
            addTolerance(chart, s.tolerance, label);
        }
    };
    std::vector<bool> added(runs.size(), false);
    for (std::size_t i = 0; i < record.entries.size(); ++i) {
        const RunEntry& e = record.entries[i];
        add(e.series, e.label, i);
        for (std::size_t r = 0; r < runs.size(); ++r) {
            if (runs[r].label != e.label) continue;
            if (e.series.empty()) add(runs[r].series, e.label, i);
            added[r] = true;
        }
    }
    for (std::size_t r = 0; r < runs.size(); ++r)
        if (!added[r]) add(runs[r].series, runs[r].label, SeriesCurve::kNoEntry);
    for (SeriesChartData& chart : charts) chart.logarithmicX = spansDecades(chart);
    return charts;
}

}  // namespace parallax
