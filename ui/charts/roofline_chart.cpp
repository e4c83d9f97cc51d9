// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/charts/roofline_chart.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "parallax/ui/charts/chart_style.hpp"
#include "parallax/ui/models/formatting.hpp"
#include "parallax/ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

QString words(const std::string& text) { return QString::fromStdString(text); }

QString roofName(const Roof& roof) {
    const QString what = roof.isRate ? RooflineChart::tr("%1 GFLOP/s %2") : RooflineChart::tr("%1 GB/s %2");
    const QString name = roof.name == "memory" || roof.name == "device" ? RooflineChart::tr("memory") : words(roof.name);
    const QString text = what.arg(formatNumber(roof.value), name);
    return roof.device.empty() ? text : RooflineChart::tr("%1 of %2").arg(text, words(roof.device));
}

QString verdict(const RooflinePoint& p) {
    if (p.wrong) return RooflineChart::tr("wrong result");
    if (p.impossible) return RooflineChart::tr("⚠ above every roof: check the count and the time");
    if (p.aboveRoof) return RooflineChart::tr("⚠ above the roof: data from a cache, or a wrong count");
    return {};
}

}  // namespace

RooflineChart::RooflineChart(QWidget* parent)
    : Chart(QStringLiteral("roofline"), tr("Roofline chart"),
            tr("Operations a second over operations a byte. Slanted lines are measured bandwidths, level ones measured rates: nothing can "
               "be above them. Operations and bytes are the least that the work needs, by a model; no counters are read."),
            parent) {
    rebuild();
}

void RooflineChart::setData(std::shared_ptr<const RooflineData> roofline) {
    data_ = std::move(roofline);
    rebuild();
}

void RooflineChart::fillTable() {
    numbers().columns = {{QStringLiteral("backend"), tr("Backend"), {}},
                         {QStringLiteral("flops_per_byte"), tr("FLOP/byte"), tr("Operations a byte, by the model")},
                         {QStringLiteral("gflops"), tr("GFLOP/s"), tr("Operations of the model a second of compute")},
                         {QStringLiteral("gbytes"), tr("GB/s"), tr("Bytes of the model a second of compute")},
                         {QStringLiteral("roof_gflops"), tr("Roof"), tr("What the machine can reach at this number of operations a byte")},
                         {QStringLiteral("share"), tr("Share"), tr("Of that roof")},
                         {QStringLiteral("bound_by"), tr("Bound by"), tr("The roof that is lowest here")},
                         {QStringLiteral("note"), tr("Note"), {}}};
    std::vector<std::string> labels;
    for (const RooflinePoint& p : data_->points) {
        const auto number = [](double v) { return ChartCell(formatNumber(v), v); };
        ChartRow row;
        row.record = static_cast<int>(p.record);
        row.entry = static_cast<int>(p.entry);
        row.cells = {words(p.label),
                     number(p.intensity),
                     number(p.gigaflops),
                     number(p.gigabytes),
                     p.attainable > 0 ? number(p.attainable) : ChartCell(tr("unknown"), {}),
                     p.attainable > 0 ? ChartCell(QStringLiteral("%1 %").arg(std::lround(p.share() * 100)), p.share()) : ChartCell(),
                     words(p.boundBy),
                     verdict(p)};
        row.tip = verdict(p);
        // As drawPoints() counts them: a label is one series.
        if (std::find(labels.begin(), labels.end(), p.label) == labels.end()) labels.push_back(p.label);
        row.series = static_cast<int>(std::find(labels.begin(), labels.end(), p.label) - labels.begin());
        numbers().rows << row;
    }
}

QString RooflineChart::describe() const {
    QStringList sentences, unknown;
    for (const RooflinePoint& p : data_->points) {
        const QString device = p.onProcessor ? tr("the processor") : words(p.device);
        if (p.attainable <= 0 && !unknown.contains(device)) unknown << device;
        if (p.aboveRoof || p.impossible) sentences << QStringLiteral("%1: %2.").arg(words(p.label), verdict(p));
    }
    if (!unknown.isEmpty())
        sentences << tr("The roofs of %1 are not measured: what is reached there cannot be judged.").arg(unknown.join(tr(" and ")));
    return sentences.join(QLatin1Char(' '));
}

void RooflineChart::drawRoofs(QCPAxisRect& axes) {
    QCPAxis* x = axes.axis(QCPAxis::atBottom);
    QCPAxis* y = axes.axis(QCPAxis::atLeft);
    const QCPRange xs = x->range(), ys = y->range();
    std::map<std::string, std::pair<double, double>> best;  // of each device: bandwidth, rate
    for (const Roof& r : data_->roofs) {
        auto& [bandwidth, rate] = best[r.device];
        (r.isRate ? rate : bandwidth) = std::max(r.isRate ? rate : bandwidth, r.value);
    }
    // Where a label would touch another there is none; the tooltip of the line says it all the same.
    const double decades = std::log10(ys.upper / ys.lower);
    const double room = decades * (fontMetrics().height() + 1) / std::max(60, plot().height() - 80);
    std::vector<double> left, right;
    const auto isFree = [&](std::vector<double>& taken, double value) {
        for (const double t : taken)
            if (std::fabs(std::log10(value / t)) < room) return false;
        taken.push_back(value);
        return true;
    };
    for (const Roof& r : data_->roofs) {
        const auto& [bandwidth, rate] = best[r.device];
        const QPen pen(r.device.empty() ? currentTheme().chartText : currentTheme().accent, 1.4,
                       r.device.empty() ? Qt::SolidLine : Qt::DashLine);
        const QColor colour = r.device.empty() ? currentTheme().chartText : currentTheme().accent;
        if (r.isRate) {
            const double from = bandwidth > 0 ? std::max(xs.lower, r.value / bandwidth) : xs.lower;
            addLine(axes, from, r.value, xs.upper, r.value, pen);
            addSpot({-1, x, y, {from, r.value}, {xs.upper, r.value}, roofName(r)});
            if (isFree(right, r.value)) addText(axes, xs.upper, r.value, roofName(r), colour, Qt::AlignRight | Qt::AlignBottom);
        } else {
            const double to = rate > 0 ? std::min(xs.upper, rate / r.value) : xs.upper;
            addLine(axes, xs.lower, r.value * xs.lower, to, r.value * to, pen);
            if (to <= xs.lower) continue;
            const double at = r.value * xs.lower;
            if (at > ys.lower && at < ys.upper && isFree(left, at))
                addText(axes, xs.lower, at, roofName(r), colour, Qt::AlignLeft | Qt::AlignTop);
            // A slanted line has no corners to point at: its middle.
            const double middle = std::sqrt(xs.lower * to);
            addSpot({-1, x, y, {middle, r.value * middle}, {middle, r.value * middle}, roofName(r)});
        }
    }
}

void RooflineChart::drawPoints(QCPAxisRect& axes) {
    QCPAxis* x = axes.axis(QCPAxis::atBottom);
    QCPAxis* y = axes.axis(QCPAxis::atLeft);
    std::map<std::string, QVector<XyPoint>> series;
    std::vector<std::string> order;
    int row = 0;
    for (const RooflinePoint& p : data_->points) {
        if (series.find(p.label) == series.end()) order.push_back(p.label);
        series[p.label] << XyPoint{p.intensity, p.gigaflops, p.low, p.high};
        QString text = tr("%1: %2 GFLOP/s, %3 GB/s at %4 FLOP/byte")
                           .arg(words(p.label), formatNumber(p.gigaflops), formatNumber(p.gigabytes), formatNumber(p.intensity));
        if (p.attainable > 0) text += tr("\n%1 % of what %2 allows").arg(QString::number(std::lround(p.share() * 100)), words(p.boundBy));
        if (const QString note = verdict(p); !note.isEmpty()) text += QLatin1Char('\n') + note;
        addSpot({row++, x, y, {p.intensity, p.gigaflops}, {p.intensity, p.gigaflops}, text});
        if (!p.aboveRoof && !p.impossible && !p.wrong) continue;
        auto* alarm = new QCPItemTracer(&plot());
        alarm->setStyle(QCPItemTracer::tsCircle);
        alarm->setSize(17);
        alarm->setPen(QPen(currentTheme().error, 2));
        alarm->setBrush(Qt::NoBrush);
        alarm->position->setAxisRect(&axes);
        alarm->position->setAxes(x, y);
        alarm->position->setCoords(p.intensity, p.gigaflops);
        QCPItemText* mark = addText(axes, p.intensity, p.gigaflops, p.wrong ? QStringLiteral("✗") : QStringLiteral("⚠"),
                                    currentTheme().error, Qt::AlignLeft | Qt::AlignBottom);
        mark->setPadding(QMargins(9, 0, 0, 4));
    }
    int index = 0;
    for (const std::string& label : order) addSeries(axes, index++, words(label), series[label], false);
}

void RooflineChart::draw() {
    if (!data_ || data_->points.empty())
        return showPlaceholder(plot(), tr("Roofline\n\nPress Benchmark to see how near each backend comes to what the machine can do. "
                                          "Measure roofs finds out what that is."));
    fillTable();
    setNotes(describe());
    QCPAxisRect* axes = prepareXyChart(
        plot(), data_->source.isEmpty() ? tr("Roofline, model counts") : tr("Roofline, model counts – from %1").arg(data_->source));
    double left = 1e30, right = 0, low = 1e30, high = 0;
    for (const RooflinePoint& p : data_->points) {
        left = std::min(left, p.intensity);
        right = std::max(right, p.intensity);
        low = std::min(low, p.gigaflops);
        high = std::max(high, p.gigaflops);
    }
    // Wide enough for the corner of each device, so that slanted and level parts of its roof are seen.
    std::map<std::string, std::pair<double, double>> slowest;
    for (const Roof& r : data_->roofs) {
        auto& [bandwidth, rate] = slowest[r.device];
        if (r.isRate) rate = std::max(rate, r.value), high = std::max(high, r.value);
        else bandwidth = bandwidth > 0 ? std::min(bandwidth, r.value) : r.value;
    }
    for (const auto& [device, roof] : slowest)
        if (roof.first > 0 && roof.second > 0) right = std::max(right, 1.5 * roof.second / roof.first);
    left /= 6;
    for (const Roof& r : data_->roofs)
        for (const Roof& rate : data_->roofs)
            if (rate.isRate && !r.isRate && rate.device == r.device && rate.value == slowest[r.device].second)
                left = std::min(left, 0.4 * rate.value / r.value);
    right *= 3;
    for (const auto& [device, roof] : slowest)
        if (roof.first > 0) low = std::min(low, roof.first * left * 2);
    setAxis(*axes->axis(QCPAxis::atBottom), tr("operations a byte [FLOP/byte]"), left, right, true, formatNumber);
    setAxis(*axes->axis(QCPAxis::atLeft), tr("GFLOP/s"), low / 2, high * 3, true, formatNumber);
    drawRoofs(*axes);
    drawPoints(*axes);
    placeSideLegend(plot());
    plot().replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace parallax::ui
