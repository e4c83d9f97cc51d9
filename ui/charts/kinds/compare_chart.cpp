// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/kinds/compare_chart.hpp"

#include <algorithm>

#include "ui/charts/chart_style.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

QString wordOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::faster: return CompareChart::tr("faster");
        case Verdict::slower: return CompareChart::tr("slower");
        case Verdict::same: return CompareChart::tr("same");
        case Verdict::undecided: return CompareChart::tr("undecided");
    }
    return {};
}

/// Colours of the verdicts; text and position carry the same information.
QColor colourOf(Verdict verdict) {
    return verdict == Verdict::faster ? currentTheme().success : verdict == Verdict::slower ? currentTheme().error : currentTheme().subtle;
}

}  // namespace

CompareChart::CompareChart(QWidget* parent)
    : Chart(QStringLiteral("history"), tr("Comparison with a past run"),
            tr("Current compute time divided by that of the selected past run, with 95 % intervals. Bars left of the line are faster than "
               "before."),
            parent) {
    rebuild();
}

void CompareChart::setComparison(std::shared_ptr<const PastComparison> comparison) {
    comparison_ = std::move(comparison);
    rebuild();
}

void CompareChart::draw() {
    if (!comparison_)
        return showPlaceholder(plot(), tr("History\n\nSelect a past run and press Compare to see which backends became faster or slower."));
    const auto& entries = comparison_->result.entries;
    QStringList notes;
    for (const std::string& w : comparison_->result.warnings) notes << QString::fromStdString(w) + QLatin1Char('.');
    setNotes(notes.join(QLatin1Char(' ')));
    if (entries.empty()) return showPlaceholder(plot(), tr("History\n\nThe two runs have no backend in common."));
    numbers().columns = {{QStringLiteral("backend"), tr("Backend"), {}},
                         {QStringLiteral("base_ns"), tr("Before"), tr("Median compute time of the past run")},
                         {QStringLiteral("new_ns"), tr("Now"), tr("Median compute time")},
                         {QStringLiteral("ratio"), tr("Ratio"), tr("Current time divided by previous time")},
                         {QStringLiteral("low"), tr("from"), tr("95 % interval of the ratio")},
                         {QStringLiteral("high"), tr("to"), tr("95 % interval of the ratio")},
                         {QStringLiteral("verdict"), tr("Verdict"), tr("Judged by the 99 % interval; changes within 2 % count as same")}};
    QStringList names;
    for (const ComparedEntry& e : entries) names << QString::fromStdString(e.label);
    setCategories(names);
    prepareBarChart(plot(), tr("Time relative to %1").arg(comparison_->baseline), tr("ratio"), names);
    QCPAxisRect& axes = *plot().axisRect(0);
    QCPAxis* x = axes.axis(QCPAxis::atBottom);
    QCPAxis* y = axes.axis(QCPAxis::atLeft);
    const int count = static_cast<int>(entries.size());
    double low = 1, high = 1;
    const double cap = barThickness(plot(), count, 0.32) / 2;
    QString longest;
    for (int i = 0; i < count; ++i) {
        const ComparedEntry& e = entries[static_cast<std::size_t>(i)];
        const double ratio = e.baseNs > 0 ? e.newNs / e.baseNs : 0, place = categoryPosition(i, count);
        low = std::min({low, ratio, e.ratio.low});
        high = std::max({high, ratio, e.ratio.high});
        ChartRow row;
        row.cells = {names[i],
                     ChartCell(formatDuration(e.baseNs), e.baseNs),
                     ChartCell(formatDuration(e.newNs), e.newNs),
                     ChartCell(formatFactor(ratio), ratio),
                     ChartCell(formatFactor(e.ratio.low), e.ratio.low),
                     ChartCell(formatFactor(e.ratio.high), e.ratio.high),
                     ChartCell(wordOf(e.verdict), QString::fromUtf8(verdictName(e.verdict).data()))};
        numbers().rows << row;
        const QPen pen(colourOf(e.verdict), 1.6);
        addLine(axes, e.ratio.low, place, e.ratio.high, place, pen);
        for (const double end : {e.ratio.low, e.ratio.high}) addLine(axes, end, place - cap, end, place + cap, pen);
        auto* dot = new QCPGraph(x, y);
        dot->setLineStyle(QCPGraph::lsNone);
        dot->setScatterStyle(QCPScatterStyle(e.verdict == Verdict::faster   ? QCPScatterStyle::ssTriangleInverted
                                             : e.verdict == Verdict::slower ? QCPScatterStyle::ssTriangle
                                                                            : QCPScatterStyle::ssDisc,
                                             pen, QBrush(pen.color()), 9));
        dot->addData(ratio, place);
        addSpot({i,
                 x,
                 y,
                 {ratio, place},
                 {ratio, place},
                 tr("%1: %2 before, %3 now, %4 (%5 – %6), %7")
                     .arg(names[i], formatDuration(e.baseNs), formatDuration(e.newNs), formatFactor(ratio), formatFactor(e.ratio.low),
                          formatFactor(e.ratio.high), wordOf(e.verdict))});
        const QString text = QStringLiteral("%1 %2").arg(formatFactor(ratio), wordOf(e.verdict));
        if (text.size() > longest.size()) longest = text;
        addText(axes, std::max(ratio, e.ratio.high), place, text, currentTheme().chartText, Qt::AlignLeft | Qt::AlignVCenter)
            ->setPadding(QMargins(9, 0, 0, 0));
    }
    addLine(axes, 1, 0, 1, count + 1, QPen(currentTheme().subtle, 1.2, Qt::DashLine));
    const double span = std::max(high - low, 0.02);
    setRangeWithRoom(plot(), std::max(0.0, low - 0.15 * span), std::max(high, low + span), longest);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace parallax::ui
