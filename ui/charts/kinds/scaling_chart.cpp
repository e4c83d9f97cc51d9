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

QString linkName(const std::string& link) {
    return link == kPeerLink ? ScalingChart::tr("devices") : link == kRankLink ? ScalingChart::tr("ranks") : ScalingChart::tr("threads");
}

QString quantityName(CostGap gap) {
    return gap == CostGap::latency     ? ScalingChart::tr("latency")
           : gap == CostGap::bandwidth ? ScalingChart::tr("bandwidth")
                                       : ScalingChart::tr("latency of a reduction");
}

/// Predictions of the cost model and their deviation from the measured points, or the reason why there are none.
QString describe(const CostPrediction& p) {
    const QString label = QString::fromStdString(p.label);
    switch (p.gap) {
        case CostGap::none: break;
        case CostGap::traffic:
            return ScalingChart::tr("%1: no model, because the record does not say what the parts exchanged.").arg(label);
        case CostGap::uncounted:
            return ScalingChart::tr("%1: no model, because %2 exchanges inside of its kernels, where it is not counted.")
                .arg(label, QString::fromStdString(p.uncounted));
        default:
            return ScalingChart::tr(
                       "%1: no model, because the %2 between %3 was not measured. Press Measure ceilings on the Roofline page.")
                .arg(label, quantityName(p.gap), linkName(p.link));
    }
    const int near = std::min(4 * p.model->most, kMaxPredictedParts / 2);
    const QString text = ScalingChart::tr("%1: the model (dashed) predicts an efficiency of %2 with %3 parts and %4 with %5 parts.")
                             .arg(label, percent(p.model->efficiency(near)), formatCount(static_cast<std::uint64_t>(near)),
                                  percent(p.model->efficiency(kMaxPredictedParts)), formatCount(kMaxPredictedParts));
    if (p.checks.empty()) return text;
    const auto error = [](double e) { return QLocale().toString(100 * e, 'f', 1); };
    return text + QLatin1Char(' ') +
           ScalingChart::tr("It deviates from the measured points by %1 % (median), %2 % (worst).")
               .arg(error(*p.medianError()), error(*p.worstError()));
}

}  // namespace

void ScalingChart::draw() {
    if (!data_ || data_->records.empty())
        return showPlaceholder(plot(), tr("Scaling\n\nPress Measure scaling to measure with 1, 2, 4 and more threads."));
    const std::vector<ScalingCurve> curves = scalingCurves(data_->series, data_->records);
    if (curves.empty())
        return showPlaceholder(plot(), tr("Scaling\n\nNo backend has been measured with two different numbers of threads."));
    parts_ = sweepsParts(data_->series.axis);
    const bool weak = data_->series.axis == "weak";
    setColumns(
        {{QStringLiteral("backend"), tr("Backend")},
         parts_ ? ChartColumn{QStringLiteral("parts"), tr("Parts")} : ChartColumn{QStringLiteral("threads"), tr("Threads")},
         {QStringLiteral("compute_ns"), tr("Compute"), tr("Median compute time")},
         {QStringLiteral("speedup"), tr("Speedup"),
          weak     ? tr("Time with one part divided by this time, times the number of parts: the work grows with them")
          : parts_ ? tr("Time with one part divided by this time")
                   : tr("Time with one thread divided by this time")},
         {QStringLiteral("efficiency"), tr("Efficiency"),
          parts_ ? tr("Speedup divided by the number of parts") : tr("Speedup divided by the number of threads")},
         {QStringLiteral("amdahl_speedup"), tr("Amdahl"),
          parts_ ? tr("Speedup by the fitted law at this number of parts") : tr("Speedup by the fitted law at this number of threads")},
         {QStringLiteral("model_speedup"), tr("Model"), tr("Speedup that the cost model predicts for this number of parts")}});
    QVector<double> xs;
    QStringList texts, notes;
    double highest = 1, fewest = 1e9, most = 1, best = 1;
    for (const ScalingCurve& curve : curves) {
        notes << describe(curve, parts_);
        if (curve.prediction) notes << describe(*curve.prediction);
        for (const ScalingCurvePoint& p : curve.points) {
            highest = std::max(highest, p.speedup);
            best = std::max(best, p.efficiency);
            fewest = std::min(fewest, p.threads);
            most = std::max(most, p.threads);
            if (!xs.contains(p.threads)) xs << p.threads, texts << QString::number(p.threads);
        }
    }
    setNotes(notes);
    for (const ScalingCurve& curve : curves)
        if (curve.prediction && curve.prediction->model)
            for (const int parts : predictedParts(curve.prediction->model->most)) {
                most = std::max<double>(most, parts);
                if (!xs.contains(parts)) xs << parts, texts << QString::number(parts);
            }
    const bool logarithmic = most > 8 * fewest;
    const bool narrow = width() < 2 * kRoomForTwo;
    const QString title = weak     ? narrow ? tr("Weak scaling") : tr("Weak scaling: speedup over one part")
                              : narrow ? tr("Speedup")
                          : parts_ ? tr("Speedup over one part")
                                   : tr("Speedup over one thread");
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
        const int row = addRow({.cells = {label, ChartCell(QString::number(s.threads), s.threads), durationCell(s.compute.median),
                                          factorCell(s.speedup), ChartCell(percent(s.efficiency), s.efficiency),
                                          s.amdahl ? factorCell(*s.amdahl) : ChartCell(), s.model ? factorCell(*s.model) : ChartCell()},
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
    if (curve.prediction && curve.prediction->model) drawModel(*curve.prediction, index);
    // Without a good fit the points alone are shown.
    auto* law = new QCPGraph(left.axis(QCPAxis::atBottom), left.axis(QCPAxis::atLeft));
    law->setPen(QPen(seriesColour(index), 1));
    const double mostThreads = left.axis(QCPAxis::atBottom)->range().upper;
    for (int i = 0; curve.followsAmdahl() && i <= 60; ++i) {
        // Equal ratios, which suit both kinds of axes.
        const double threads = fewestThreads * std::pow(mostThreads / fewestThreads, i / 60.0);
        law->addData(threads, curve.fit->oneThread / curve.fit->time(threads));
    }
}

void ScalingChart::drawModel(const CostPrediction& prediction, int index) {
    const CostModel& model = *prediction.model;
    const auto add = [&](QCPAxisRect& axes, const auto& value) {
        auto* line = new QCPGraph(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
        QPen pen(seriesColour(index), 1.6);
        pen.setDashPattern({5, 3});
        line->setPen(pen);
        for (const int parts : predictedParts(model.fewest)) line->addData(parts, value(parts));
        return line;
    };
    QCPGraph* const line = add(*plot().axisRect(0), [&](int parts) { return model.speedup(parts); });
    line->setName(tr("%1 (model)").arg(QString::fromStdString(prediction.label)));
    line->setProperty("inLegend", true);
    if (plot().axisRectCount() > 1) add(*plot().axisRect(1), [&](int parts) { return model.efficiency(parts); });
}

}  // namespace parallax::ui
