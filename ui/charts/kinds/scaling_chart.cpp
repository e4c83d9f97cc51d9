// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/kinds/scaling_chart.hpp"

#include <algorithm>
#include <cmath>

#include "core/report/charts/chart_data.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr int kRoomForTwo = 420;  // pixels; below that the efficiency is in the table only

QString describe(const ScalingCurve& curve) {
    if (!curve.fit) return {};
    const QString serial = QLocale().toString(curve.fit->serialShare * 100, 'f', 1);
    QString text = std::isinf(curve.fit->largestSpeedup())
                       ? ScalingChart::tr("%1: no serial share found (Amdahl).").arg(QString::fromStdString(curve.label))
                       : ScalingChart::tr("%1: %2 % serial, so at most %3 with any number of threads (Amdahl).")
                             .arg(QString::fromStdString(curve.label), serial, formatFactor(curve.fit->largestSpeedup()));
    if (curve.fitsBadly())
        text +=
            QLatin1Char(' ') + ScalingChart::tr("Poor fit: deviates by %1 %.").arg(QLocale().toString(curve.fit->residual * 100, 'f', 0));
    return text;
}

}  // namespace

ScalingChart::ScalingChart(QWidget* parent)
    : Chart(QStringLiteral("scaling"), tr("Scaling chart"),
            tr("Speedup of compute over one thread, with 95 % intervals. The straight line is ideal scaling. Thin lines are Amdahl's law "
               "with the serial share that fits best."),
            parent) {
    rebuild();
}

void ScalingChart::setRecords(std::shared_ptr<const LabRecords> lab) {
    lab_ = std::move(lab);
    rebuild();
}

void ScalingChart::draw() {
    if (!lab_ || lab_->records.empty())
        return showPlaceholder(plot(), tr("Scaling\n\nPress Measure scaling to measure with 1, 2, 4 and more threads."));
    const std::vector<ScalingCurve> curves = scalingCurves(lab_->series);
    if (curves.empty())
        return showPlaceholder(plot(), tr("Scaling\n\nNo backend has been measured with two different numbers of threads."));
    numbers().columns = {{QStringLiteral("backend"), tr("Backend"), {}},
                         {QStringLiteral("threads"), tr("Threads"), {}},
                         {QStringLiteral("compute_ns"), tr("Compute"), tr("Median compute time")},
                         {QStringLiteral("speedup"), tr("Speedup"), tr("Time with one thread divided by this time")},
                         {QStringLiteral("efficiency"), tr("Efficiency"), tr("Speedup divided by the number of threads")},
                         {QStringLiteral("amdahl_speedup"), tr("Amdahl"), tr("Speedup by the fitted law at this number of threads")}};
    QVector<double> xs;
    QStringList texts, notes;
    double highest = 1, fewest = 1e9, most = 1;
    for (const ScalingCurve& curve : curves) {
        notes << describe(curve);
        for (const ScalingCurvePoint& p : curve.points) {
            highest = std::max(highest, p.speedup);
            fewest = std::min(fewest, p.threads);
            most = std::max(most, p.threads);
            if (!xs.contains(p.threads)) xs << p.threads, texts << QString::number(p.threads);
        }
    }
    setNotes(notes.join(QLatin1Char(' ')));
    const bool logarithmic = most > 8 * fewest;
    QString title = width() < 2 * kRoomForTwo ? tr("Speedup") : tr("Speedup over one thread");
    if (!lab_->source.isEmpty()) title = tr("%1 – from %2").arg(title, lab_->source);
    QCPAxisRect* left = prepareXyChart(plot(), title);
    QCPAxisRect* right = width() >= kRoomForTwo ? addXyRect(plot(), tr("Efficiency")) : nullptr;
    for (QCPAxisRect* axes : {left, right})
        if (axes) setAxisValues(*axes->axis(QCPAxis::atBottom), tr("threads"), xs, texts, logarithmic);
    const double top = std::max(most, highest) * 1.12;
    if (logarithmic) setAxis(*left->axis(QCPAxis::atLeft), {}, 0.8 * std::min(1.0, fewest), top * 1.2, true, formatFactor);
    else setAxis(*left->axis(QCPAxis::atLeft), {}, 0, top, false, formatFactor);
    const auto percent = [](double v) { return QStringLiteral("%1 %").arg(std::lround(v * 100)); };
    double best = 1;
    for (const ScalingCurve& curve : curves)
        for (const ScalingCurvePoint& p : curve.points) best = std::max(best, p.efficiency);
    if (right) setAxis(*right->axis(QCPAxis::atLeft), {}, 0, best * 1.12, false, percent);
    const QCPRange range = left->axis(QCPAxis::atBottom)->range();
    const QPen ideal(currentTheme().subtle, 1.2, Qt::DashLine);
    addLine(*left, std::max(range.lower, 1e-3), std::max(range.lower, 1e-3), range.upper, range.upper, ideal);
    addText(*left, most, most, tr("ideal"), currentTheme().subtle, Qt::AlignRight | Qt::AlignBottom);
    if (right) addLine(*right, range.lower, 1, range.upper, 1, ideal);

    int index = 0;
    for (const ScalingCurve& curve : curves) {
        QVector<XyPoint> speedups, efficiencies;
        const QString label = QString::fromStdString(curve.label);
        for (const ScalingCurvePoint& s : curve.points) {
            speedups << XyPoint{s.threads, s.speedup, s.speedupInterval.low, s.speedupInterval.high};
            efficiencies << XyPoint{s.threads, s.efficiency, s.efficiencyInterval.low, s.efficiencyInterval.high};
            ChartRow row;
            row.record = static_cast<int>(s.record);
            row.entry = static_cast<int>(s.entry);
            row.series = index;
            row.cells = {label,
                         ChartCell(QString::number(s.threads), s.threads),
                         ChartCell(formatDuration(s.compute.median), s.compute.median),
                         ChartCell(formatFactor(s.speedup), s.speedup),
                         ChartCell(percent(s.efficiency), s.efficiency),
                         s.amdahl ? ChartCell(formatFactor(*s.amdahl), *s.amdahl) : ChartCell()};
            row.tip = describe(curve);
            const int number = static_cast<int>(numbers().rows.size());
            const QString text =
                tr("%1, %2: %3, efficiency %4")
                    .arg(label, formatThreads(static_cast<int>(s.threads)), formatFactor(s.speedup), percent(s.efficiency));
            numbers().rows << row;
            addSpot(
                {number, left->axis(QCPAxis::atBottom), left->axis(QCPAxis::atLeft), {s.threads, s.speedup}, {s.threads, s.speedup}, text});
            if (right)
                addSpot({number,
                         right->axis(QCPAxis::atBottom),
                         right->axis(QCPAxis::atLeft),
                         {s.threads, s.efficiency},
                         {s.threads, s.efficiency},
                         text});
        }
        addSeries(*left, index, label, speedups, false);
        if (right) {
            const int before = plot().plottableCount();
            addSeries(*right, index, label, efficiencies);
            plot().plottable(before)->setProperty("inLegend", false);  // the legend has this entry already
        }
        // Without a fit the points alone are shown.
        auto* law = new QCPGraph(left->axis(QCPAxis::atBottom), left->axis(QCPAxis::atLeft));
        law->setPen(QPen(seriesColour(index), 1));
        for (int i = 0; curve.fit && i <= 60; ++i) {
            const double threads = std::max(fewest, range.lower) + (range.upper - std::max(fewest, range.lower)) * i / 60;
            law->addData(threads, curve.fit->oneThread / curve.fit->time(threads));
        }
        ++index;
    }
    placeSideLegend(plot());
    plot().replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace parallax::ui
