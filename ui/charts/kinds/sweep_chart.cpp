// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/kinds/sweep_chart.hpp"

#include <cmath>

#include "ui/charts/chart_style.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {

SweepChart::SweepChart(const Catalog& catalog, QWidget* parent)
    : Chart(QStringLiteral("sweep"), tr("Sweep chart"),
            tr("Median time of each backend over the values of the sweep, with 95 % intervals. A dashed line marks where the fastest "
               "backend changes. Click a point, or select it with the arrow keys and press Enter, to show that run in B: a generated image "
               "is opened in that size, in other images the measured part is selected."),
            parent),
      catalog_(catalog) {
    rebuild();
}

void SweepChart::setRecords(std::shared_ptr<const LabRecords> lab) {
    lab_ = std::move(lab);
    rebuild();
}

void SweepChart::setEndToEnd(bool endToEnd) {
    if (endToEnd_ == endToEnd) return;
    endToEnd_ = endToEnd;
    rebuild();
}

void SweepChart::fillTable() {
    const SweepSeries& sweep = lab_->series;
    numbers().columns = {{QStringLiteral("value"), axisTitle(catalog_, sweep.axis), {}},
                         {QStringLiteral("backend"), tr("Backend"), {}},
                         {QStringLiteral("compute_ns"), tr("Compute"), tr("Median compute time")},
                         {QStringLiteral("compute_low_ns"), tr("from"), tr("95 % interval of the median compute time")},
                         {QStringLiteral("compute_high_ns"), tr("to"), tr("95 % interval of the median compute time")},
                         {QStringLiteral("end_to_end_ns"), tr("End to end"), tr("Median of allocate + upload + compute + download")},
                         {QStringLiteral("samples"), tr("Runs"), tr("Number of timing samples; none is dropped")},
                         {QStringLiteral("result"), tr("Result"), tr("Comparison with the reference")}};
    int index = -1;
    for (const Series& series : sweep.series) {
        ++index;
        for (const SeriesPoint& p : series.points) {
            const auto time = [](double ns) { return ChartCell(formatDuration(ns), ns); };
            const Verification v = lab_->records[p.record].entries[p.entry].verification;
            ChartRow row;
            row.record = static_cast<int>(p.record);
            row.entry = static_cast<int>(p.entry);
            row.series = index;
            const QString value = QString::fromStdString(sweep.values[p.record]);
            row.cells = {sweep.numeric ? ChartCell(value, p.x) : ChartCell(value),
                         QString::fromStdString(series.label),
                         time(p.compute.median),
                         time(p.compute.medianInterval.low),
                         time(p.compute.medianInterval.high),
                         time(p.endToEnd.median),
                         ChartCell(QString::number(p.compute.count), static_cast<qulonglong>(p.compute.count)),
                         v == Verification::agrees         ? ChartCell(tr("✓ agrees"), QStringLiteral("agrees"))
                         : v == Verification::disagrees    ? ChartCell(tr("✗ disagrees"), QStringLiteral("disagrees"))
                         : v == Verification::inconclusive ? ChartCell(tr("inconclusive"), QStringLiteral("not judged"))
                                                           : ChartCell(tr("not verified"), QStringLiteral("not verified"))};
            numbers().rows << row;
        }
    }
}

QString SweepChart::describeCrossings() const {
    const auto& crossings = endToEnd_ ? lab_->endToEndCrossings : lab_->computeCrossings;
    QStringList sentences;
    for (const Crossover& c : crossings) {
        const QString to = QString::fromStdString(lab_->series.series[c.to].label);
        const QString from = QString::fromStdString(lab_->series.series[c.from].label);
        sentences << (c.sure ? tr("From about %1, %2 is faster than %3.")
                             : tr("From about %1, %2 may be faster than %3: the intervals overlap."))
                         .arg(formatNumber(c.x), to, from);
    }
    return sentences.join(QLatin1Char(' '));
}

void SweepChart::draw() {
    if (!lab_ || lab_->records.empty())
        return showPlaceholder(
            plot(), tr("Sweep\n\nChoose a size or a parameter and press Sweep. Every available backend is measured at each value."));
    fillTable();
    const SweepSeries& sweep = lab_->series;
    setNotes(describeCrossings());
    const QString time = endToEnd_ ? tr("end to end") : tr("compute");
    QCPAxisRect* axes =
        prepareXyChart(plot(), lab_->source.isEmpty() ? tr("Time, %1").arg(time) : tr("Time, %1 – from %2").arg(time, lab_->source));
    QVector<double> xs;
    QStringList texts;
    for (std::size_t i = 0; i < sweep.values.size(); ++i) {
        const QString text = QString::fromStdString(sweep.values[i]);
        xs << (sweep.numeric ? text.toDouble() : static_cast<double>(i));
        texts << text;
    }
    const bool logarithmic = sweep.logarithmic();
    double least = 0, most = 0;
    int row = 0, index = 0;
    const auto summary = [&](const SeriesPoint& p) -> const SampleSummary& { return endToEnd_ ? p.endToEnd : p.compute; };
    for (const Series& series : sweep.series)
        for (const SeriesPoint& p : series.points) {
            if (const double t = summary(p).median; t > 0) {
                least = least == 0 ? t : std::min(least, t);
                most = std::max(most, t);
            }
        }
    if (most <= 0) return showPlaceholder(plot(), tr("Sweep\n\nNo backend has been measured yet."));
    // The time axis is logarithmic unless all times are similar.
    const bool logTime = most > 3 * least;
    QCPAxis* x = axes->axis(QCPAxis::atBottom);
    QCPAxis* y = axes->axis(QCPAxis::atLeft);
    setAxisValues(*x, axisTitle(catalog_, sweep.axis), xs, texts, logarithmic);
    if (logTime) setAxis(*y, {}, least / 1.6, most * 1.9, true, formatDuration);
    else setAxis(*y, {}, 0, most * 1.2, false, formatDuration);
    for (const Series& series : sweep.series) {
        const QString label = QString::fromStdString(series.label);
        QVector<XyPoint> points;
        for (const SeriesPoint& p : series.points) {
            const SampleSummary& s = summary(p);
            const int here = row++;
            if (s.median <= 0) continue;
            const QString value = QString::fromStdString(sweep.values[p.record]);
            addSpot({here,
                     x,
                     y,
                     {p.x, s.median},
                     {p.x, s.median},
                     tr("%1 at %2: %3 (%4 – %5)%6")
                         .arg(label, value, formatDuration(s.median), formatDuration(s.medianInterval.low),
                              formatDuration(s.medianInterval.high),
                              p.wrong ? tr("\nThe result is wrong and excluded from the comparison.") : QString())});
            if (p.wrong) addText(*axes, p.x, s.median, QStringLiteral("✗"), currentTheme().error, Qt::AlignCenter);
            else points << XyPoint{p.x, s.median, s.medianInterval.low, s.medianInterval.high};
        }
        addSeries(*axes, index++, label, points);
    }
    // Labels that would overlap are in the notes only.
    const auto& crossings = endToEnd_ ? lab_->endToEndCrossings : lab_->computeCrossings;
    const bool labelled = static_cast<int>(crossings.size()) * 190 <= plot().width() - 60;
    bool upper = true;
    for (const Crossover& c : crossings) {
        const QPen pen(currentTheme().subtle, 1.2, c.sure ? Qt::DashLine : Qt::DotLine);
        const QCPRange range = y->range();
        addLine(*axes, c.x, range.lower, c.x, range.upper, pen);
        if (!labelled) continue;
        // Alternate above and below, so that neighbours stay readable.
        const double height =
            upper ? range.upper : (logTime ? range.upper / std::pow(range.upper / range.lower, 0.12) : range.upper * 0.88);
        upper = !upper;
        const bool right = logarithmic ? c.x > std::sqrt(x->range().lower * x->range().upper) : c.x > x->range().center();
        QColor ground = currentTheme().palette.color(QPalette::Base);
        ground.setAlpha(200);
        addText(*axes, c.x, height, QStringLiteral("%1 → %2").arg(formatNumber(c.x), QString::fromStdString(sweep.series[c.to].label)),
                currentTheme().chartText, (right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop)
            ->setBrush(ground);
    }
    placeSideLegend(plot());
    plot().replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace parallax::ui
