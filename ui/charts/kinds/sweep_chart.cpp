// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "ui/charts/chart_style.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {

void SweepChart::setEndToEnd(bool endToEnd) {
    if (endToEnd_ == endToEnd) return;
    endToEnd_ = endToEnd;
    rebuild();
}

void SweepChart::fillTable() {
    const SweepSeries& sweep = data_->series;
    setColumns({{QStringLiteral("value"), axisTitle(catalog_, sweep.axis)},
                {QStringLiteral("backend"), tr("Backend")},
                {QStringLiteral("compute_ns"), tr("Compute"), tr("Median compute time")},
                {QStringLiteral("compute_low_ns"), tr("from"), tr("95 % interval of the median compute time")},
                {QStringLiteral("compute_high_ns"), tr("to"), tr("95 % interval of the median compute time")},
                {QStringLiteral("end_to_end_ns"), tr("End to end"), tr("Median of allocate + upload + compute + download")},
                {QStringLiteral("samples"), tr("Runs"), tr("Number of timing samples; none is dropped")},
                {QStringLiteral("result"), tr("Result"), tr("Comparison with the reference")}});
    const auto verdict = [](Verification v) {
        switch (v) {
            case Verification::agrees: return ChartCell(tr("✓ agrees"), QStringLiteral("agrees"));
            case Verification::disagrees: return ChartCell(tr("✗ disagrees"), QStringLiteral("disagrees"));
            case Verification::holds: return ChartCell(tr("✓ holds"), QStringLiteral("holds"));
            case Verification::inconclusive: return ChartCell(tr("inconclusive"), QStringLiteral("not judged"));
            default: return ChartCell(tr("not verified"), QStringLiteral("not verified"));
        }
    };
    for (std::size_t i = 0; i < sweep.series.size(); ++i)
        for (const SeriesPoint& p : sweep.series[i].points) {
            const QString value = QString::fromStdString(sweep.values[p.record]);
            addRow({.cells = {sweep.numeric ? ChartCell(value, p.x) : ChartCell(value), QString::fromStdString(sweep.series[i].label),
                              durationCell(p.compute.median), durationCell(p.compute.medianInterval.low),
                              durationCell(p.compute.medianInterval.high), durationCell(p.endToEnd.median),
                              ChartCell(formatCount(p.compute.count), static_cast<qulonglong>(p.compute.count)),
                              verdict(data_->records[p.record].entries[p.entry].verification)},
                    .record = static_cast<int>(p.record),
                    .entry = static_cast<int>(p.entry),
                    .series = seriesOf(QString::fromStdString(sweep.series[i].label))});
        }
}

QStringList SweepChart::describeCrossings() const {
    QStringList sentences;
    for (const Crossover& c : crossings()) {
        const QString to = QString::fromStdString(data_->series.series[c.to].label);
        const QString from = QString::fromStdString(data_->series.series[c.from].label);
        sentences << (c.sure ? tr("From about %1, %2 is faster than %3.")
                             : tr("From about %1, %2 may be faster than %3: the intervals overlap."))
                         .arg(formatNumber(c.x), to, from);
    }
    return sentences;
}

void SweepChart::draw() {
    if (!data_ || data_->records.empty())
        return showPlaceholder(
            plot(), tr("Sweep\n\nChoose a size or a parameter and press Sweep. Every available backend is measured at each value."));
    fillTable();
    const SweepSeries& sweep = data_->series;
    setNotes(describeCrossings());
    QCPAxisRect& axes = *prepareXyChart(plot(), titled(tr("Time, %1").arg(endToEnd_ ? tr("end to end") : tr("compute")), data_->source));
    QVector<double> xs;
    QStringList texts;
    for (std::size_t i = 0; i < sweep.values.size(); ++i) {
        texts << QString::fromStdString(sweep.values[i]);
        xs << (sweep.numeric ? texts.back().toDouble() : static_cast<double>(i));
    }
    double least = 0, most = 0;
    for (const Series& series : sweep.series)
        for (const SeriesPoint& p : series.points)
            if (const double t = timeOf(p).median; t > 0) {
                least = least == 0 ? t : std::min(least, t);
                most = std::max(most, t);
            }
    if (most <= 0) return showPlaceholder(plot(), tr("Sweep\n\nNo backend has been measured yet."));
    setAxisValues(*axes.axis(QCPAxis::atBottom), axisTitle(catalog_, sweep.axis), xs, texts, sweep.logarithmic());
    // The time axis is logarithmic unless all times are similar.
    if (most > 3 * least) setAxis(*axes.axis(QCPAxis::atLeft), {}, least / 1.6, most * 1.9, true, formatDuration);
    else setAxis(*axes.axis(QCPAxis::atLeft), {}, 0, most * 1.2, false, formatDuration);
    int row = -1;
    for (const Series& series : sweep.series) {
        const QString label = QString::fromStdString(series.label);
        QVector<XyPoint> points;
        for (const SeriesPoint& p : series.points) {
            const SampleSummary& s = timeOf(p);
            ++row;
            if (s.median <= 0) continue;
            addSpot(row, axes, {p.x, s.median},
                    tr("%1 at %2: %3 (%4 – %5)%6")
                        .arg(label, QString::fromStdString(sweep.values[p.record]), formatDuration(s.median),
                             formatDuration(s.medianInterval.low), formatDuration(s.medianInterval.high),
                             p.wrong ? tr("\nThe result is wrong and excluded from the comparison.") : QString()));
            if (p.wrong) addText(axes, p.x, s.median, QStringLiteral("✗"), currentTheme().error, Qt::AlignCenter);
            else points << XyPoint{p.x, s.median, s.medianInterval.low, s.medianInterval.high};
        }
        addSeries(axes, seriesOf(label), label, points);
    }
    drawCrossings(axes);
    placeSideLegend(plot());
}

void SweepChart::drawCrossings(QCPAxisRect& axes) {
    const QCPAxis &x = *axes.axis(QCPAxis::atBottom), &y = *axes.axis(QCPAxis::atLeft);
    const QCPRange range = y.range();
    const double lower =
        y.scaleType() == QCPAxis::stLogarithmic ? range.upper / std::pow(range.upper / range.lower, 0.12) : range.upper * 0.88;
    const double middle = x.scaleType() == QCPAxis::stLogarithmic ? std::sqrt(x.range().lower * x.range().upper) : x.range().center();
    QColor ground = currentTheme().palette.color(QPalette::Base);
    ground.setAlpha(200);
    // Labels that would overlap are in the notes only.
    const bool labelled = static_cast<int>(crossings().size()) * 190 <= plot().width() - 60;
    bool upper = false;
    for (const Crossover& c : crossings()) {
        addLine(axes, c.x, range.lower, c.x, range.upper, QPen(currentTheme().subtle, 1.2, c.sure ? Qt::DashLine : Qt::DotLine));
        if (!labelled) continue;
        // Alternate above and below, so that neighbours stay readable.
        upper = !upper;
        addText(axes, c.x, upper ? range.upper : lower,
                QStringLiteral("%1 → %2").arg(formatNumber(c.x), QString::fromStdString(data_->series.series[c.to].label)),
                currentTheme().chartText, (c.x > middle ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop)
            ->setBrush(ground);
    }
}

}  // namespace parallax::ui
