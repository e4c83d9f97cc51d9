// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/kinds/speedup_chart.hpp"

#include "ui/charts/chart_style.hpp"
#include "ui/charts/plot.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

struct Series {
    QString name, key;
    int style;
    double shift, width;
    std::optional<Speedup> SummaryRow::*member;
};

}  // namespace

SpeedupChart::SpeedupChart(QWidget* parent)
    : Chart(QStringLiteral("speedup"), tr("Speedup chart"),
            tr("Time of the baseline divided by the time of each backend, with 95 % intervals. Wrong results have no bar. Click a bar to "
               "show that run in B; right-click to copy or save."),
            parent) {
    rebuild();
}

void SpeedupChart::setSummary(std::shared_ptr<const TimingSummary> summary) {
    summary_ = std::move(summary);
    rebuild();
}

void SpeedupChart::draw() {
    std::vector<const TimingRow*> rows;
    if (summary_)
        for (const TimingRow& row : summary_->rows)
            if (row.measured() && (row.numbers.isBaseline || row.numbers.computeSpeedup)) rows.push_back(&row);
    if (rows.empty()) return showPlaceholder(plot(), tr("Speedup\n\nPress Benchmark to compare the backends."));
    QStringList names, tips;
    for (const TimingRow* row : rows) {
        names << row->label;
        tips << row->choices.join(QLatin1Char('\n'));
    }
    setCategories(names, tips);
    prepareBarChart(plot(), tr("Speedup over %1").arg(summary_->baseline), tr("speedup"), names);
    QCPAxisRect* axes = plot().axisRect(0);
    QCPAxis* keyAxis = axes->axis(QCPAxis::atLeft);
    QCPAxis* valueAxis = axes->axis(QCPAxis::atBottom);
    const int count = static_cast<int>(rows.size());
    double widest = 1;
    numbers().columns = {{QStringLiteral("backend"), tr("Backend"), {}},   {QStringLiteral("baseline"), tr("Baseline"), {}},
                         {QStringLiteral("times"), tr("Time"), {}},        {QStringLiteral("ratio"), tr("Speedup"), {}},
                         {QStringLiteral("interval_low"), tr("from"), {}}, {QStringLiteral("interval_high"), tr("to"), {}}};
    const double thickness = barThickness(plot(), count, 0.34), shift = 0.56 * thickness;
    const Series all[] = {{tr("compute"), QStringLiteral("compute"), 0, shift, thickness, &SummaryRow::computeSpeedup},
                          {tr("end to end"), QStringLiteral("end_to_end"), 1, -shift, thickness, &SummaryRow::endToEndSpeedup}};
    // Both numbers if they do not overlap; the table has all of them.
    const bool roomForAll = (plot().height() - 95) / count >= 2 * fontMetrics().height() - 2;
    for (const Series& series : all) {
        // The baseline has speedup 1 and no whiskers, so it is a plottable of its own.
        auto* baseline = new QCPBars(keyAxis, valueAxis);
        QVector<double> keys, values, low, high;
        // From last to first: QCustomPlot sorts bars by key, and whiskers follow that order.
        for (int i = count - 1; i >= 0; --i) {
            const SummaryRow& row = rows[static_cast<std::size_t>(i)]->numbers;
            const Speedup s = (row.*series.member).value_or(Speedup{.ratio = 1, .interval = {1, 1}});  // the baseline
            const double key = categoryPosition(i, count) + series.shift;
            const TimingRow& timing = *rows[static_cast<std::size_t>(i)];
            if (!row.isBaseline) {
                ChartRow line;
                line.record = 0;
                line.entry = timing.entry;
                line.cells = {timing.label,
                              summary_->baseline,
                              ChartCell(series.name, series.key),
                              ChartCell(formatFactor(s.ratio), s.ratio),
                              ChartCell(formatFactor(s.interval.low), s.interval.low),
                              ChartCell(formatFactor(s.interval.high), s.interval.high)};
                numbers().rows << line;
                addSpot({static_cast<int>(numbers().rows.size()) - 1,
                         valueAxis,
                         keyAxis,
                         {0, key - series.width / 2},
                         {s.ratio, key + series.width / 2},
                         tr("%1, %2: %3 as fast as %4 (%5 – %6)")
                             .arg(timing.label, series.name, formatFactor(s.ratio), summary_->baseline, formatFactor(s.interval.low),
                                  formatFactor(s.interval.high))});
            }
            if (row.isBaseline) {
                baseline->addData(key, s.ratio);
            } else {
                keys << key;
                values << s.ratio;
                low << std::max(0.0, s.ratio - s.interval.low);
                high << std::max(0.0, s.interval.high - s.ratio);
            }
            widest = std::max({widest, s.ratio, s.interval.high});
            if (&series != &all[0] && !roomForAll) continue;
            auto* text = new QCPItemText(&plot());
            text->position->setAxisRect(axes);
            text->position->setAxes(valueAxis, keyAxis);
            text->position->setCoords(std::max(s.ratio, s.interval.high), key);
            text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
            text->setPadding(QMargins(7, 0, 0, 0));
            text->setColor(currentTheme().chartText);
            text->setText(formatFactor(s.ratio));
            text->setClipToAxisRect(false);
        }
        auto* bars = new QCPBars(keyAxis, valueAxis);
        bars->setName(series.name);
        bars->setProperty("inLegend", true);
        for (QCPBars* b : {bars, baseline}) {
            b->setWidth(series.width);
            b->setBrush(seriesBrush(series.style));
            b->setPen(QPen(seriesColour(series.style), 1));
        }
        bars->setData(keys, values);
        // A rim in the background colour keeps the half inside a bar visible.
        for (const QPen& pen : {QPen(currentTheme().palette.color(QPalette::Base), 3.6), QPen(currentTheme().chartText, 1.4)}) {
            auto* whiskers = new QCPErrorBars(keyAxis, valueAxis);
            whiskers->setDataPlottable(bars);
            whiskers->setErrorType(QCPErrorBars::etValueError);
            whiskers->setPen(pen);
            whiskers->setWhiskerWidth(6);
            whiskers->setSymbolGap(0);
            whiskers->setData(low, high);
        }
    }
    auto* one = new QCPItemStraightLine(&plot());
    for (QCPItemPosition* position : {one->point1, one->point2}) {
        position->setAxisRect(axes);
        position->setAxes(valueAxis, keyAxis);
    }
    one->setClipAxisRect(axes);
    one->point1->setCoords(1, 0);
    one->point2->setCoords(1, 1);
    one->setPen(QPen(currentTheme().subtle, 1.2, Qt::DashLine));
    setRangeWithRoom(plot(), 0, widest, formatFactor(widest));
    placeLegend(plot());
    plot().replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace parallax::ui
