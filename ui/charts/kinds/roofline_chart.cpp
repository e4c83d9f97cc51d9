// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>

#include "ui/charts/chart_style.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/charts/line_labels.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

QString words(const std::string& text) { return QString::fromStdString(text); }

QString ceilingName(const Ceiling& ceiling) {
    const QString what = ceiling.isRate ? RooflineChart::tr("%1 GFLOP/s %2") : RooflineChart::tr("%1 GB/s %2");
    const QString name = ceiling.name == "memory" || ceiling.name == "device" ? RooflineChart::tr("memory") : words(ceiling.name);
    const QString text = what.arg(formatNumber(ceiling.value), name);
    return ceiling.device.empty() ? text : RooflineChart::tr("%1 of %2").arg(text, words(ceiling.device));
}

QColor colourOf(const Ceiling& ceiling) { return ceiling.device.empty() ? currentTheme().chartText : currentTheme().accent; }

QString verdict(const RooflinePoint& p) {
    if (p.wrong) return RooflineChart::tr("wrong result");
    if (p.impossible) return RooflineChart::tr("⚠ above every ceiling: check the count and the time");
    if (p.aboveCeiling) return RooflineChart::tr("⚠ above the ceiling: data from a cache, or a wrong count");
    return {};
}

}  // namespace

void RooflineChart::setPoints(Points points) {
    if (points_ == points) return;
    points_ = points;
    rebuild();
}

void RooflineChart::setQuantity(RooflineQuantity quantity) {
    if (quantity_ == quantity) return;
    quantity_ = quantity;
    rebuild();
}

bool RooflineChart::isShown(const RooflinePoint& point) const {
    return points_ == Points::all || data_->isSwept(point) == (points_ == Points::sweep);
}

int RooflineChart::seriesIndex(const RooflinePoint& point) const { return seriesOf(words(data_->seriesLabel(point))); }

QString RooflineChart::positionOf(const RooflinePoint& point) const {
    if (!data_->isSwept(point)) return {};
    const SweepRecord& at = data_->positions[point.record];
    return QStringLiteral("%1 = %2").arg(axisTitle(catalog_, at.axis), words(at.value));
}

void RooflineChart::fillTable() {
    setColumns({{QStringLiteral("backend"), tr("Backend"), {}},
                {QStringLiteral("at"), tr("Sweep"), tr("Value of the sweep; empty for the benchmark")},
                {QStringLiteral("flops_per_byte"), tr("FLOP/byte"), tr("Modelled operations per byte")},
                {QStringLiteral("gflops"), tr("GFLOP/s"), tr("Modelled operations per second of compute time")},
                {QStringLiteral("gbytes"), tr("GB/s"), tr("Modelled bytes per second of compute time")},
                {QStringLiteral("gsamples"), tr("Gsample/s"),
                 tr("Samples of the input per second of compute time: pixels or voxels times channels")},
                {QStringLiteral("roof_gflops"), tr("Ceiling"), tr("Highest rate of this machine at this arithmetic intensity")},
                {QStringLiteral("share"), tr("Share"), tr("Share of that ceiling")},
                {QStringLiteral("bound_by"), tr("Bound by"), tr("The ceiling that is lowest here")},
                {QStringLiteral("note"), tr("Note"), {}}});
    for (const RooflinePoint& p : data_->points) {
        if (!isShown(p)) continue;
        addRow({.cells = {words(p.label), positionOf(p), numberCell(p.intensity), numberCell(p.gigaflops), numberCell(p.gigabytes),
                          numberCell(p.gigasamples), p.attainable > 0 ? numberCell(p.attainable) : ChartCell(tr("unknown"), {}),
                          p.attainable > 0 ? ChartCell(QStringLiteral("%1 %").arg(std::lround(p.share() * 100)), p.share()) : ChartCell(),
                          words(p.boundBy), verdict(p)},
                .record = static_cast<int>(p.record),
                .entry = static_cast<int>(p.entry),
                .series = seriesIndex(p),
                .tip = verdict(p)});
    }
}

QStringList RooflineChart::describe() const {
    QStringList sentences, unknown;
    bool benchmark = false, sweep = false;
    for (const RooflinePoint& p : data_->points) {
        if (!isShown(p)) continue;
        (data_->isSwept(p) ? sweep : benchmark) = true;
        const QString device = p.onProcessor ? tr("the CPU") : words(p.device);
        if (p.attainable <= 0 && !unknown.contains(device)) unknown << device;
        const QString name = data_->isSwept(p) ? QStringLiteral("%1 (%2)").arg(words(p.label), positionOf(p)) : words(p.label);
        if (p.aboveCeiling || p.impossible) sentences << QStringLiteral("%1: %2.").arg(name, verdict(p));
    }
    if (benchmark && sweep) sentences.prepend(tr("Large points: benchmark. Small connected points: sweep."));
    if (!unknown.isEmpty())
        sentences << tr("The ceilings of %1 are not measured, so its points cannot be compared with them.").arg(unknown.join(tr(" and ")));
    if (!data_->otherMachine.empty()) sentences << tr("Measurements from another machine (%1) are hidden.").arg(words(data_->otherMachine));
    return sentences;
}

void RooflineChart::drawCeilings(QCPAxisRect& axes) {
    const QCPRange xs = axes.axis(QCPAxis::atBottom)->range();
    std::map<std::string, std::pair<double, double>> best;  // highest bandwidth and rate per device
    for (const Ceiling& r : data_->ceilings) {
        auto& [bandwidth, rate] = best[r.device];
        (r.isRate ? rate : bandwidth) = std::max(r.isRate ? rate : bandwidth, r.value);
    }
    struct Line {
        QPointF from, to;
        const Ceiling* ceiling;
    };
    std::vector<Line> lines;
    for (const Ceiling& r : data_->ceilings) {
        const auto& [bandwidth, rate] = best[r.device];
        const QPen pen(colourOf(r), 1.4, r.device.empty() ? Qt::SolidLine : Qt::DashLine);
        const double from = r.isRate && bandwidth > 0 ? std::max(xs.lower, r.value / bandwidth) : xs.lower;
        const double to = !r.isRate && rate > 0 ? std::min(xs.upper, rate / r.value) : xs.upper;
        const auto at = [&](double x) { return QPointF(x, valueAt(r, x, quantity_)); };
        addLine(axes, from, at(from).y(), to, at(to).y(), pen);
        if (to <= from) continue;
        const bool level = r.isRate == (quantity_ == RooflineQuantity::operations);
        if (level) addSpot(-1, axes, at(from), at(to), ceilingName(r));
        else addSpot(-1, axes, at(std::sqrt(from * to)), ceilingName(r));  // slanted lines are pointed at in their middle
        // The name of a level line may stand beyond its corner.
        lines.push_back({level && r.isRate ? at(xs.lower) : at(from), at(to), &r});
    }
    // The tooltip tells a label that found no place.
    auto* labels = new LineLabels(axes);
    for (const RooflinePoint& p : data_->points)
        if (isShown(p)) labels->avoid({p.intensity, valueOf(p)});
    for (const Line& l : lines) labels->add(l.from, l.to, ceilingName(*l.ceiling), colourOf(*l.ceiling), l.ceiling->isRate);
}

/// Steps differ in operations a sample, so in samples a second each point has a ceiling of its own.
void RooflineChart::drawOwnCeilings(QCPAxisRect& axes) {
    constexpr double kHalfWidth = 1.12;
    for (const RooflinePoint& p : data_->points) {
        if (!isShown(p) || p.attainable <= 0) continue;
        const double ceiling = p.attainable * p.scale(quantity_);
        addLine(axes, p.intensity, valueOf(p), p.intensity, ceiling, QPen(currentTheme().subtle, 1, Qt::DotLine));
        addLine(axes, p.intensity / kHalfWidth, ceiling, p.intensity * kHalfWidth, ceiling,
                QPen(p.onProcessor ? currentTheme().chartText : currentTheme().accent, 2.2));
        addSpot(-1, axes, {p.intensity, ceiling},
                tr("Ceiling of %1: %2 Gsample/s, bound by %3").arg(words(p.label), formatNumber(ceiling), words(p.boundBy)));
    }
}

void RooflineChart::drawAlarm(QCPAxisRect& axes, const RooflinePoint& p) {
    auto* alarm = new QCPItemTracer(&plot());
    alarm->setStyle(QCPItemTracer::tsCircle);
    alarm->setSize(17);
    alarm->setPen(QPen(currentTheme().error, 2));
    alarm->setBrush(Qt::NoBrush);
    alarm->position->setAxisRect(&axes);
    alarm->position->setAxes(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
    alarm->position->setCoords(p.intensity, valueOf(p));
    // A whole sweep above a ceiling would be a heap of signs.
    if (data_->isSwept(p)) return alarm->setSize(11);
    QCPItemText* mark = addText(axes, p.intensity, valueOf(p), p.wrong ? QStringLiteral("✗") : QStringLiteral("⚠"), currentTheme().error,
                                Qt::AlignLeft | Qt::AlignBottom);
    mark->setPadding(QMargins(9, 0, 0, 4));
}

void RooflineChart::drawPoints(QCPAxisRect& axes) {
    std::vector<QVector<XyPoint>> benchmark(labels_.size()), sweep(labels_.size());
    int row = 0;
    for (const RooflinePoint& p : data_->points) {
        if (!isShown(p)) continue;
        const auto label = std::find(labels_.begin(), labels_.end(), data_->seriesLabel(p)) - labels_.begin();
        auto& series = (data_->isSwept(p) ? sweep : benchmark)[static_cast<std::size_t>(label)];
        const double scale = p.scale(quantity_);
        series << XyPoint{p.intensity, p.gigaflops * scale, p.low * scale, p.high * scale};
        const QString name = data_->isSwept(p) ? tr("%1, %2").arg(words(p.label), positionOf(p)) : words(p.label);
        QString text =
            tr("%1: %2 GFLOP/s, %3 GB/s, %4 Gsample/s at %5 FLOP/byte")
                .arg(name, formatNumber(p.gigaflops), formatNumber(p.gigabytes), formatNumber(p.gigasamples), formatNumber(p.intensity));
        if (p.attainable > 0) text += tr("\n%1 of the ceiling of %2").arg(formatPercent(std::round(p.share() * 100)), words(p.boundBy));
        if (const QString note = verdict(p); !note.isEmpty()) text += QLatin1Char('\n') + note;
        addSpot(row++, axes, {p.intensity, valueOf(p)}, text);
        if (p.aboveCeiling || p.impossible || p.wrong) drawAlarm(axes, p);
    }
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        const int index = seriesOf(words(labels_[i]));
        if (!sweep[i].isEmpty()) {
            // A curve keeps the order of the sweep even if points share an x value.
            auto* path = new QCPCurve(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
            path->setName(words(labels_[i]));
            path->setProperty("inLegend", benchmark[i].isEmpty());
            path->setPen(seriesPen(index, 1.0));
            QCPScatterStyle marker = seriesMarker(index, 5);
            if (marker.shape() == QCPScatterStyle::ssDisc) marker.setShape(QCPScatterStyle::ssCircle);  // discs cannot be hollow
            marker.setBrush(currentTheme().palette.color(QPalette::Base));
            path->setScatterStyle(marker);
            for (const XyPoint& p : sweep[i]) path->addData(p.x, p.y);
        }
        if (!benchmark[i].isEmpty()) addSeries(axes, index, words(labels_[i]), benchmark[i], false);
    }
}

void RooflineChart::draw() {
    if (!data_ || data_->points.empty())
        return showPlaceholder(plot(), tr("Roofline\n\nPress Benchmark to compare each backend with the peak rates of this machine, "
                                          "and Measure ceilings to measure these."));
    labels_.clear();
    bool any = false;
    for (const RooflinePoint& p : data_->points) {
        if (isShown(p)) any = true;
        if (std::string label = data_->seriesLabel(p); std::find(labels_.begin(), labels_.end(), label) == labels_.end())
            labels_.push_back(std::move(label));
    }
    if (!any)
        return showPlaceholder(plot(), points_ == Points::sweep ? tr("Roofline\n\nNo sweep has been measured yet.")
                                                                : tr("Roofline\n\nNo benchmark of this image has been measured yet."));
    fillTable();
    setNotes(describe());
    QStringList sources;
    for (const std::string& source : data_->sources) sources << words(source);
    QCPAxisRect& axes = *prepareXyChart(plot(), titled(tr("Roofline, model counts"), sources.join(QStringLiteral(", "))));
    setRanges(axes);
    if (quantity_ == RooflineQuantity::samples) drawOwnCeilings(axes);
    else drawCeilings(axes);
    drawPoints(axes);
    placeSideLegend(plot());
}

void RooflineChart::setRanges(QCPAxisRect& axes) const {
    double left = 1e30, right = 0, low = 1e30, high = 0;
    const bool inSamples = quantity_ == RooflineQuantity::samples;
    for (const RooflinePoint& p : data_->points) {
        if (!isShown(p)) continue;
        left = std::min(left, p.intensity);
        right = std::max(right, p.intensity);
        low = std::min(low, valueOf(p));
        high = std::max({high, valueOf(p), inSamples ? p.attainable * p.scale(quantity_) : 0});
    }
    // Wide enough for the corner of each device, so that slanted and level parts of its ceiling are seen.
    std::map<std::string, std::pair<double, double>> slowest;
    for (const Ceiling& r : data_->ceilings) {
        if (inSamples) break;
        auto& [bandwidth, rate] = slowest[r.device];
        if (r.isRate) rate = std::max(rate, r.value);
        else bandwidth = bandwidth > 0 ? std::min(bandwidth, r.value) : r.value;
        if (r.isRate == (quantity_ == RooflineQuantity::operations)) high = std::max(high, r.value);
    }
    for (const auto& [device, ceiling] : slowest)
        if (ceiling.first > 0 && ceiling.second > 0) right = std::max(right, 1.5 * ceiling.second / ceiling.first);
    left /= 6;
    for (const Ceiling& r : data_->ceilings)
        for (const Ceiling& rate : data_->ceilings)
            if (!inSamples && rate.isRate && !r.isRate && rate.device == r.device && rate.value == slowest[r.device].second)
                left = std::min(left, 0.4 * rate.value / r.value);
    right *= 3;
    // Slanted lines are seen to their lower end, or nearly.
    for (const auto& [device, ceiling] : slowest) {
        if (ceiling.first > 0 && quantity_ == RooflineQuantity::operations) low = std::min(low, ceiling.first * left * 2);
        if (ceiling.second > 0 && quantity_ == RooflineQuantity::bytes) low = std::min(low, ceiling.second / right * 2);
    }
    setAxis(*axes.axis(QCPAxis::atBottom), tr("operations per byte [FLOP/byte]"), left, right, true, tickText);
    setAxis(*axes.axis(QCPAxis::atLeft), quantity_ == RooflineQuantity::samples ? tr("Gsample/s") : QString::fromLatin1(unitOf(quantity_)),
            low / 2, high * 3, true, tickText);
}

}  // namespace parallax::ui
