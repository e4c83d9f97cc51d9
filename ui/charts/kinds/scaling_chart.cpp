// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_style.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr int kRoomForTwo = 420;  // pixels; below that the efficiency is in the table only

QString percent(double part) { return QStringLiteral("%1 %").arg(std::lround(part * 100)); }

QString describe(const ScalingCurve& curve, bool parts) {
    if (!curve.fit) return {};
    const QString label = QString::fromStdString(curve.label);
    if (!curve.followsAmdahl())
        return ScalingChart::tr("%1: the times do not follow Amdahl's law (the best fit deviates by %2 %).")
            .arg(label, QLocale().toString(curve.fit->residual * 100, 'f', 0));
    if (std::isinf(curve.fit->largestSpeedup())) return ScalingChart::tr("%1: no serial share found (Amdahl).").arg(label);
    const QString text = parts ? ScalingChart::tr("%1: %2 % serial, so at most %3 with any number of parts (Amdahl).")
                               : ScalingChart::tr("%1: %2 % serial, so at most %3 with any number of threads (Amdahl).");
    return text.arg(label, QLocale().toString(curve.fit->serialShare * 100, 'f', 1), formatFactor(curve.fit->largestSpeedup()));
}

}  // namespace

void ScalingChart::draw() {
    if (!data_ || data_->records.empty())
        return showPlaceholder(plot(), tr("Scaling\n\nPress Measure scaling to measure with 1, 2, 4 and more threads."));
    const std::vector<ScalingCurve> curves = scalingCurves(data_->series);
    if (curves.empty())
        return showPlaceholder(plot(), tr("Scaling\n\nNo backend has been measured with two different numbers of threads."));
    parts_ = data_->series.axis == "parts";
    setColumns(
        {{QStringLiteral("backend"), tr("Backend")},
         parts_ ? ChartColumn{QStringLiteral("parts"), tr("Parts")} : ChartColumn{QStringLiteral("threads"), tr("Threads")},
         {QStringLiteral("compute_ns"), tr("Compute"), tr("Median compute time")},
         {QStringLiteral("speedup"), tr("Speedup"),
          parts_ ? tr("Time with one part divided by this time") : tr("Time with one thread divided by this time")},
         {QStringLiteral("efficiency"), tr("Efficiency"),
          parts_ ? tr("Speedup divided by the number of parts") : tr("Speedup divided by the number of threads")},
         {QStringLiteral("amdahl_speedup"), tr("Amdahl"),
          parts_ ? tr("Speedup by the fitted law at this number of parts") : tr("Speedup by the fitted law at this number of threads")}});
    QVector<double> xs;
    QStringList texts, notes;
    double highest = 1, fewest = 1e9, most = 1, best = 1;
    for (const ScalingCurve& curve : curves) {
        notes << describe(curve, parts_);
        for (const ScalingCurvePoint& p : curve.points) {
            highest = std::max(highest, p.speedup);
            best = std::max(best, p.efficiency);
            fewest = std::min(fewest, p.threads);
            most = std::max(most, p.threads);
            if (!xs.contains(p.threads)) xs << p.threads, texts << QString::number(p.threads);
        }
    }
    setNotes(notes);
    const bool logarithmic = most > 8 * fewest;
    const QString title = width() < 2 * kRoomForTwo ? tr("Speedup") : parts_ ? tr("Speedup over one part") : tr("Speedup over one thread");
    QCPAxisRect& left = *prepareXyChart(plot(), titled(title, data_->source));
    setAxisValues(*left.axis(QCPAxis::atBottom), parts_ ? tr("parts") : tr("threads"), xs, texts, logarithmic);
    const double top = std::max(most, highest) * 1.12;
    if (logarithmic) setAxis(*left.axis(QCPAxis::atLeft), {}, 0.8 * std::min(1.0, fewest), top * 1.2, true, formatFactor);
    else setAxis(*left.axis(QCPAxis::atLeft), {}, 0, top, false, formatFactor);
    const QCPRange range = left.axis(QCPAxis::atBottom)->range();
    const QPen ideal(currentTheme().subtle, 1.2, Qt::DashLine);
    addLine(left, std::max(range.lower, 1e-3), std::max(range.lower, 1e-3), range.upper, range.upper, ideal);
    addText(left, most, most, tr("ideal"), currentTheme().subtle, Qt::AlignRight | Qt::AlignBottom);
    if (width() >= kRoomForTwo) {
        QCPAxisRect& right = *addXyRect(plot(), tr("Efficiency"));
        setAxisValues(*right.axis(QCPAxis::atBottom), parts_ ? tr("parts") : tr("threads"), xs, texts, logarithmic);
        setAxis(*right.axis(QCPAxis::atLeft), {}, 0, best * 1.12, false, percent);
        addLine(right, range.lower, 1, range.upper, 1, ideal);
    }
    for (const ScalingCurve& curve : curves) drawCurve(curve, seriesOf(QString::fromStdString(curve.label)), std::max(fewest, range.lower));
    placeSideLegend(plot());
}

void ScalingChart::drawCurve(const ScalingCurve& curve, int index, double fewestThreads) {
    QCPAxisRect& left = *plot().axisRect(0);
    QCPAxisRect* right = plot().axisRectCount() > 1 ? plot().axisRect(1) : nullptr;
    QVector<XyPoint> speedups, efficiencies;
    const QString label = QString::fromStdString(curve.label);
    for (const ScalingCurvePoint& s : curve.points) {
        speedups << XyPoint{s.threads, s.speedup, s.speedupInterval.low, s.speedupInterval.high};
        efficiencies << XyPoint{s.threads, s.efficiency, s.efficiencyInterval.low, s.efficiencyInterval.high};
        const int row = addRow(
            {.cells = {label, ChartCell(QString::number(s.threads), s.threads), durationCell(s.compute.median), factorCell(s.speedup),
                       ChartCell(percent(s.efficiency), s.efficiency), s.amdahl ? factorCell(*s.amdahl) : ChartCell()},
             .record = static_cast<int>(s.record),
             .entry = static_cast<int>(s.entry),
             .series = index,
             .tip = describe(curve, parts_)});
        const QString text =
            tr("%1, %2: %3, efficiency %4")
                .arg(label,
                     parts_ ? s.threads == 1 ? tr("1 part") : tr("%1 parts").arg(s.threads) : formatThreads(static_cast<int>(s.threads)),
                     formatFactor(s.speedup), percent(s.efficiency));
        addSpot(row, left, {s.threads, s.speedup}, text);
        if (right) addSpot(row, *right, {s.threads, s.efficiency}, text);
    }
    addSeries(left, index, label, speedups, false);
    if (right) addSeries(*right, index, label, efficiencies)->setProperty("inLegend", false);  // the legend has this entry already
    // Without a good fit the points alone are shown.
    auto* law = new QCPGraph(left.axis(QCPAxis::atBottom), left.axis(QCPAxis::atLeft));
    law->setPen(QPen(seriesColour(index), 1));
    const double mostThreads = left.axis(QCPAxis::atBottom)->range().upper;
    for (int i = 0; curve.followsAmdahl() && i <= 60; ++i) {
        const double threads = fewestThreads + (mostThreads - fewestThreads) * i / 60;
        law->addData(threads, curve.fit->oneThread / curve.fit->time(threads));
    }
}

}  // namespace parallax::ui
