// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/measure/sampling/statistics.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/models/document/formatting.hpp"

namespace parallax::ui {
namespace {

constexpr std::size_t kMaxPoints = 1200;  // per series; more than there are pixels adds nothing

/// Keeps minimum and maximum of each stretch, so that outliers remain.
QVector<XyPoint> thinned(const std::vector<double>& times) {
    QVector<XyPoint> points;
    const std::size_t stretch = std::max<std::size_t>(1, (2 * times.size() + kMaxPoints - 1) / kMaxPoints);
    const auto add = [&](std::size_t i) { points << XyPoint{static_cast<double>(i + 1), times[i]}; };
    for (std::size_t begin = 0; begin < times.size(); begin += stretch) {
        const auto from = times.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto to = times.begin() + static_cast<std::ptrdiff_t>(std::min(times.size(), begin + stretch));
        const auto [low, high] = std::minmax_element(from, to);
        const auto first = static_cast<std::size_t>(std::min(low, high) - times.begin());
        const auto second = static_cast<std::size_t>(std::max(low, high) - times.begin());
        add(first);
        if (second != first) add(second);
    }
    return points;
}

}  // namespace

void LiveChart::draw() {
    double least = 0, most = 0;
    std::size_t longest = 0;
    for (std::size_t i = 0; data_ && i < data_->entries.size(); ++i)
        for (const StageTimes& s : data_->entries[i].samples) {
            const auto t = static_cast<double>(s.compute());
            longest = std::max(longest, data_->entries[i].samples.size());
            if (t <= 0) continue;
            least = least == 0 ? t : std::min(least, t);
            most = std::max(most, t);
        }
    if (most <= 0) return showPlaceholder(plot(), tr("Runs\n\nPress Benchmark to see each timing sample as it is measured."));
    setColumns({{QStringLiteral("backend"), tr("Backend")},
                {QStringLiteral("samples"), tr("Runs")},
                {QStringLiteral("last_ns"), tr("Last"), tr("Compute time of the last timing sample")},
                {QStringLiteral("median_ns"), tr("Median")},
                {QStringLiteral("minimum_ns"), tr("Fastest")},
                {QStringLiteral("maximum_ns"), tr("Slowest")}});
    QCPAxisRect& axes = *prepareXyChart(plot(), titled(tr("Compute time of each run"), source_));
    setAxis(*axes.axis(QCPAxis::atBottom), tr("run"), 0, std::max(2.0, static_cast<double>(longest) * 1.03), false,
            [](double v) { return QLocale().toString(v, 'f', 0); });
    QCPAxis& y = *axes.axis(QCPAxis::atLeft);
    if (most > 4 * least) setAxis(y, {}, least / 1.4, most * 1.4, true, formatDuration);
    else setAxis(y, {}, 0, most * 1.15, false, formatDuration);
    for (std::size_t i = 0; i < data_->entries.size(); ++i) {
        std::vector<double> times;
        for (const StageTimes& s : data_->entries[i].samples) times.push_back(static_cast<double>(s.compute()));
        if (times.empty()) continue;
        const QString label = QString::fromStdString(data_->entries[i].label);
        const int index = seriesOf(label);
        const auto [low, high] = std::minmax_element(times.begin(), times.end());
        const int row = addRow({.cells = {label, ChartCell(formatCount(times.size()), static_cast<qulonglong>(times.size())),
                                          durationCell(times.back()), durationCell(median(times)), durationCell(*low), durationCell(*high)},
                                .record = 0,
                                .entry = static_cast<int>(i),
                                .series = index});
        const QVector<XyPoint> points = thinned(times);
        for (const XyPoint& p : points) addSpot(row, axes, {p.x, p.y}, tr("%1, run %2: %3").arg(label).arg(p.x).arg(formatDuration(p.y)));
        const bool few = points.size() < 60;
        addSeries(axes, index, label, points, few)->setScatterStyle(seriesMarker(index, few ? 6 : 4));
    }
    placeSideLegend(plot());
}

QString LiveChart::csv() const {
    ChartTable all;
    all.columns = {{QStringLiteral("backend"), {}},
                   {QStringLiteral("run"), {}},
                   {QStringLiteral("compute_ns"), {}},
                   {QStringLiteral("end_to_end_ns"), {}}};
    for (std::size_t i = 0; data_ && i < data_->entries.size(); ++i) {
        qulonglong run = 0;
        for (const StageTimes& s : data_->entries[i].samples)
            all.rows << ChartRow{.cells = {QString::fromStdString(data_->entries[i].label), ChartCell({}, ++run),
                                           ChartCell({}, static_cast<qlonglong>(s.compute())),
                                           ChartCell({}, static_cast<qlonglong>(s.endToEnd()))}};
    }
    return toCsv(all);
}

}  // namespace parallax::ui
