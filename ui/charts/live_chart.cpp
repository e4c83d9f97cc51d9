// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/live_chart.hpp"

#include <algorithm>

#include "core/measure/sampling/statistics.hpp"
#include "ui/charts/chart_style.hpp"
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

LiveChart::LiveChart(QWidget* parent)
    : Chart(QStringLiteral("runs"), tr("Chart of runs"),
            tr("Compute time of every timing sample, in order. A trend means drift, isolated points are disturbances; none is dropped."),
            parent) {
    rebuild();
}

void LiveChart::setRecord(std::shared_ptr<const RunRecord> record, const QString& source) {
    record_ = std::move(record);
    source_ = source;
    rebuild();
}

void LiveChart::draw() {
    double least = 0, most = 0;
    std::size_t longest = 0;
    for (std::size_t i = 0; record_ && i < record_->entries.size(); ++i)
        for (const StageTimes& s : record_->entries[i].samples) {
            const auto t = static_cast<double>(s.compute());
            longest = std::max(longest, record_->entries[i].samples.size());
            if (t <= 0) continue;
            least = least == 0 ? t : std::min(least, t);
            most = std::max(most, t);
        }
    if (most <= 0) return showPlaceholder(plot(), tr("Runs\n\nPress Benchmark to see each timing sample as it is measured."));
    numbers().columns = {{QStringLiteral("backend"), tr("Backend"), {}},
                         {QStringLiteral("samples"), tr("Runs"), {}},
                         {QStringLiteral("last_ns"), tr("Last"), tr("Compute time of the last timing sample")},
                         {QStringLiteral("median_ns"), tr("Median"), {}},
                         {QStringLiteral("minimum_ns"), tr("Fastest"), {}},
                         {QStringLiteral("maximum_ns"), tr("Slowest"), {}}};
    const QString title = tr("Compute time of each run");
    QCPAxisRect* axes = prepareXyChart(plot(), source_.isEmpty() ? title : tr("%1 – from %2").arg(title, source_));
    QCPAxis* x = axes->axis(QCPAxis::atBottom);
    QCPAxis* y = axes->axis(QCPAxis::atLeft);
    setAxis(*x, tr("run"), 0, std::max(2.0, static_cast<double>(longest) * 1.03), false,
            [](double v) { return QLocale().toString(v, 'f', 0); });
    if (most > 4 * least) setAxis(*y, {}, least / 1.4, most * 1.4, true, formatDuration);
    else setAxis(*y, {}, 0, most * 1.15, false, formatDuration);
    int index = 0;
    for (std::size_t i = 0; i < record_->entries.size(); ++i) {
        const RunEntry& e = record_->entries[i];
        std::vector<double> times;
        for (const StageTimes& s : e.samples) times.push_back(static_cast<double>(s.compute()));
        if (times.empty()) continue;
        const QString label = QString::fromStdString(e.label);
        const auto time = [](double ns) { return ChartCell(formatDuration(ns), ns); };
        const auto [low, high] = std::minmax_element(times.begin(), times.end());
        ChartRow row;
        row.record = 0;
        row.entry = static_cast<int>(i);
        row.series = index;
        row.cells = {label,
                     ChartCell(QString::number(times.size()), static_cast<qulonglong>(times.size())),
                     time(times.back()),
                     time(median(times)),
                     time(*low),
                     time(*high)};
        const int number = static_cast<int>(numbers().rows.size());
        numbers().rows << row;
        const QVector<XyPoint> points = thinned(times);
        for (const XyPoint& p : points)
            addSpot({number, x, y, {p.x, p.y}, {p.x, p.y}, tr("%1, run %2: %3").arg(label).arg(p.x).arg(formatDuration(p.y))});
        const int before = plot().plottableCount();
        addSeries(*axes, index, label, points, points.size() < 60);
        static_cast<QCPGraph*>(plot().plottable(before))->setScatterStyle(seriesMarker(index, points.size() < 60 ? 6 : 4));
        ++index;
    }
    placeSideLegend(plot());
    plot().replot(QCustomPlot::rpQueuedReplot);
}

QString LiveChart::csv() const {
    ChartTable all;
    all.columns = {{QStringLiteral("backend"), {}, {}},
                   {QStringLiteral("run"), {}, {}},
                   {QStringLiteral("compute_ns"), {}, {}},
                   {QStringLiteral("end_to_end_ns"), {}, {}}};
    for (std::size_t i = 0; record_ && i < record_->entries.size(); ++i) {
        qulonglong run = 0;
        for (const StageTimes& s : record_->entries[i].samples) {
            ChartRow row;
            row.cells = {QString::fromStdString(record_->entries[i].label), ChartCell({}, ++run),
                         ChartCell({}, static_cast<qlonglong>(s.compute())), ChartCell({}, static_cast<qlonglong>(s.endToEnd()))};
            all.rows << row;
        }
    }
    return toCsv(all);
}

}  // namespace parallax::ui
