// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "ui/charts/chart_style.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/choice_text.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {

struct SpeedupChart::Series {
    QString name, key;
    int style;
    double shift, thickness;
    std::optional<Speedup> SummaryRow::*speedup;
};

void SpeedupChart::draw() {
    std::vector<const SummaryRow*> rows;
    QStringList names, tips;
    for (std::size_t i = 0; data_ && i < data_->rows.size(); ++i) {
        const SummaryRow& row = data_->rows[i];
        if (!measured(row) || (!row.isBaseline && !row.computeSpeedup)) continue;
        rows.push_back(&row);
        names << QString::fromStdString(row.label);
        tips << choiceTexts(data_->record->entries[i]).join(QLatin1Char('\n'));
    }
    if (rows.empty()) return showPlaceholder(plot(), tr("Speedup\n\nPress Benchmark to compare the backends."));
    setCategories(names, tips);
    const QString baseline = QString::fromStdString(data_->record->baseline);
    QCPAxisRect& axes = *prepareBarChart(plot(), tr("Speedup over %1").arg(baseline), tr("speedup"), names);
    setColumns({{QStringLiteral("backend"), tr("Backend")},
                {QStringLiteral("baseline"), tr("Baseline")},
                {QStringLiteral("times"), tr("Time")},
                {QStringLiteral("ratio"), tr("Speedup")},
                {QStringLiteral("interval_low"), tr("from")},
                {QStringLiteral("interval_high"), tr("to")}});
    const int count = static_cast<int>(rows.size());
    const double thickness = barThickness(plot(), count, 0.34), shift = 0.56 * thickness;
    // Both numbers if they do not overlap; the table has all of them.
    const bool roomForAll = (plot().height() - 95) / count >= 2 * fontMetrics().height() - 2;
    drawSeries({tr("compute"), QStringLiteral("compute"), 0, shift, thickness, &SummaryRow::computeSpeedup}, rows, true);
    drawSeries({tr("end to end"), QStringLiteral("end_to_end"), 1, -shift, thickness, &SummaryRow::endToEndSpeedup}, rows, roomForAll);
    addLine(axes, 1, 0, 1, count + 1, QPen(currentTheme().subtle, 1.2, Qt::DashLine));
    double widest = 1;
    for (const SummaryRow* row : rows)
        for (const auto& s : {row->computeSpeedup, row->endToEndSpeedup})
            if (s) widest = std::max({widest, s->ratio, s->interval.high});
    setRangeWithRoom(axes, 0, widest, formatFactor(widest));
    placeLegend(plot());
}

void SpeedupChart::drawSeries(const Series& series, const std::vector<const SummaryRow*>& rows, bool withTexts) {
    QCPAxisRect& axes = *plot().axisRect(0);
    const QString reference = QString::fromStdString(data_->record->baseline);
    // The baseline has speedup 1 and no whiskers, so it is a plottable of its own.
    QCPBars* baseline = addBars(axes, series.style, series.thickness, {});
    QCPBars* bars = addBars(axes, series.style, series.thickness, series.name);
    QVector<double> low, high;
    // From last to first: QCustomPlot sorts bars by key, and whiskers follow that order.
    for (int i = static_cast<int>(rows.size()) - 1; i >= 0; --i) {
        const SummaryRow& row = *rows[static_cast<std::size_t>(i)];
        const Speedup s = (row.*series.speedup).value_or(Speedup{.ratio = 1, .interval = {1, 1}});  // the baseline
        const double position = categoryPosition(i, static_cast<int>(rows.size())) + series.shift;
        if (row.isBaseline) {
            baseline->addData(position, s.ratio);
        } else {
            const QString name = QString::fromStdString(row.label);
            const int line = addRow({.cells = {name, reference, ChartCell(series.name, series.key), factorCell(s.ratio),
                                               factorCell(s.interval.low), factorCell(s.interval.high)},
                                     .record = 0,
                                     .entry = static_cast<int>(&row - data_->rows.data())});
            addSpot(
                line, axes, {0, position - series.thickness / 2}, {s.ratio, position + series.thickness / 2},
                tr("%1, %2: %3 as fast as %4 (%5 – %6)")
                    .arg(name, series.name, formatFactor(s.ratio), reference, formatFactor(s.interval.low), formatFactor(s.interval.high)));
            bars->addData(position, s.ratio);
            low << std::max(0.0, s.ratio - s.interval.low);
            high << std::max(0.0, s.interval.high - s.ratio);
        }
        if (withTexts) addTextBehind(axes, std::max(s.ratio, s.interval.high), position, formatFactor(s.ratio), 7);
    }
    // A rim in the background colour keeps the half inside a bar visible.
    addWhiskers(*bars, low, high, QPen(currentTheme().palette.color(QPalette::Base), 3.6));
    addWhiskers(*bars, low, high, QPen(currentTheme().chartText, 1.4));
}

}  // namespace parallax::ui
