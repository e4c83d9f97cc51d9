// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/kinds/scaling_chart.hpp"

#include <algorithm>
#include <cmath>

#include "core/measure/sweeps/scaling.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr int kRoomForTwo = 420;  // pixels; below that the efficiency is in the table only
constexpr double kGoodFit = 0.1;  // a residual above says that the law does not describe it

struct Curve {
    QString label;
    std::vector<const SeriesPoint*> points;
    std::vector<ScalingPoint> scaling;
    std::optional<AmdahlFit> fit;
};

/// Backends that ran with different numbers of threads: devices and serial code do not scale.
std::vector<Curve> curvesOf(const SweepSeries& sweep) {
    std::vector<Curve> curves;
    for (const Series& series : sweep.series) {
        Curve curve;
        std::vector<ThreadTime> times;
        for (const SeriesPoint& p : series.points) {
            if (p.wrong || p.threads <= 0 || p.compute.median <= 0) continue;
            curve.points.push_back(&p);
            times.push_back({static_cast<double>(p.threads), p.compute.median});
        }
        const bool varies =
            std::any_of(times.begin(), times.end(), [&](const ThreadTime& t) { return t.threads != times.front().threads; });
        if (!varies) continue;
        curve.label = QString::fromStdString(series.label);
        curve.scaling = scalingOf(times);
        curve.fit = fitAmdahl(times);
        curves.push_back(std::move(curve));
    }
    return curves;
}

QString describe(const Curve& curve) {
    if (!curve.fit) return {};
    const QString serial = QLocale().toString(curve.fit->serialShare * 100, 'f', 1);
    QString text = std::isinf(curve.fit->largestSpeedup())
                       ? ScalingChart::tr("%1: no serial share is seen (Amdahl).").arg(curve.label)
                       : ScalingChart::tr("%1: %2 % serial, at most %3 with any number of threads (Amdahl).")
                             .arg(curve.label, serial, formatFactor(curve.fit->largestSpeedup()));
    if (curve.fit->residual > kGoodFit)
        text +=
            QLatin1Char(' ') + ScalingChart::tr("The law fits badly: %1 % off.").arg(QLocale().toString(curve.fit->residual * 100, 'f', 0));
    return text;
}

}  // namespace

ScalingChart::ScalingChart(QWidget* parent)
    : Chart(QStringLiteral("scaling"), tr("Scaling chart"),
            tr("Speedup over one thread, compute alone; whiskers are 95 % intervals. The straight line is ideal: twice the threads, half "
               "the time. Thin lines are Amdahl's law with the serial share that fits best."),
            parent) {
    rebuild();
}

void ScalingChart::setRecords(std::shared_ptr<const LabRecords> lab) {
    lab_ = std::move(lab);
    rebuild();
}

void ScalingChart::draw() {
    if (!lab_ || lab_->records.empty())
        return showPlaceholder(plot(), tr("Scaling\n\nPress Sweep to measure with one thread, two, four and so on."));
    const std::vector<Curve> curves = curvesOf(lab_->series);
    if (curves.empty()) return showPlaceholder(plot(), tr("Scaling\n\nNo backend has run with two different numbers of threads yet."));
    numbers().columns = {{QStringLiteral("backend"), tr("Backend"), {}},
                         {QStringLiteral("threads"), tr("Threads"), {}},
                         {QStringLiteral("compute_ns"), tr("Compute"), tr("Median time of the computation alone")},
                         {QStringLiteral("speedup"), tr("Speedup"), tr("Time with one thread divided by this time")},
                         {QStringLiteral("efficiency"), tr("Efficiency"), tr("Speedup divided by the number of threads")},
                         {QStringLiteral("amdahl_speedup"), tr("Amdahl"), tr("Speedup by the fitted law at this number of threads")}};
    QVector<double> xs;
    QStringList texts, notes;
    double highest = 1, fewest = 1e9, most = 1;
    for (const Curve& curve : curves) {
        notes << describe(curve);
        for (const ScalingPoint& p : curve.scaling) {
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
    for (const Curve& curve : curves)
        for (const ScalingPoint& p : curve.scaling) best = std::max(best, p.efficiency);
    if (right) setAxis(*right->axis(QCPAxis::atLeft), {}, 0, best * 1.12, false, percent);
    const QCPRange range = left->axis(QCPAxis::atBottom)->range();
    const QPen ideal(currentTheme().subtle, 1.2, Qt::DashLine);
    addLine(*left, std::max(range.lower, 1e-3), std::max(range.lower, 1e-3), range.upper, range.upper, ideal);
    addText(*left, most, most, tr("ideal"), currentTheme().subtle, Qt::AlignRight | Qt::AlignBottom);
    if (right) addLine(*right, range.lower, 1, range.upper, 1, ideal);

    int index = 0;
    for (const Curve& curve : curves) {
        QVector<XyPoint> speedups, efficiencies;
        for (std::size_t i = 0; i < curve.points.size(); ++i) {
            const ScalingPoint& s = curve.scaling[i];
            const SampleSummary& time = curve.points[i]->compute;
            // The interval of this time; that of the one thread is the same for all of the line.
            const double low = s.speedup * time.median / std::max(1.0, time.medianInterval.high);
            const double high = s.speedup * time.median / std::max(1.0, time.medianInterval.low);
            speedups << XyPoint{s.threads, s.speedup, low, high};
            efficiencies << XyPoint{s.threads, s.efficiency, low / s.threads, high / s.threads};
            const double law = curve.fit ? curve.fit->oneThread / curve.fit->time(s.threads) : 0;
            ChartRow row;
            row.record = static_cast<int>(curve.points[i]->record);
            row.entry = static_cast<int>(curve.points[i]->entry);
            row.series = index;
            row.cells = {curve.label,
                         ChartCell(QString::number(s.threads), s.threads),
                         ChartCell(formatDuration(time.median), time.median),
                         ChartCell(formatFactor(s.speedup), s.speedup),
                         ChartCell(percent(s.efficiency), s.efficiency),
                         curve.fit ? ChartCell(formatFactor(law), law) : ChartCell()};
            row.tip = describe(curve);
            const int number = static_cast<int>(numbers().rows.size());
            const QString text =
                tr("%1, %2: %3, efficiency %4")
                    .arg(curve.label, formatThreads(static_cast<int>(s.threads)), formatFactor(s.speedup), percent(s.efficiency));
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
        addSeries(*left, index, curve.label, speedups, false);
        if (right) {
            const int before = plot().plottableCount();
            addSeries(*right, index, curve.label, efficiencies);
            plot().plottable(before)->setProperty("inLegend", false);  // it is there already
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
