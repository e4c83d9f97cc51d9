// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "ui/charts/chart_style.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/models/document/core_text.hpp"
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

QCPScatterStyle::ScatterShape shapeOf(Verdict verdict) {
    return verdict == Verdict::faster   ? QCPScatterStyle::ssTriangleInverted
           : verdict == Verdict::slower ? QCPScatterStyle::ssTriangle
                                        : QCPScatterStyle::ssDisc;
}

}  // namespace

void CompareChart::draw() {
    if (!data_)
        return showPlaceholder(plot(), tr("History\n\nSelect a past run and press Compare to see which backends became faster or slower."));
    const auto& entries = data_->result.entries;
    QStringList notes, names;
    for (const std::string& w : data_->result.warnings) notes << coreText(w) + QLatin1Char('.');
    setNotes(notes);
    if (entries.empty()) return showPlaceholder(plot(), tr("History\n\nThe two runs have no backend in common."));
    setColumns({{QStringLiteral("backend"), tr("Backend")},
                {QStringLiteral("base_ns"), tr("Before"), tr("Median compute time of the past run")},
                {QStringLiteral("new_ns"), tr("Now"), tr("Median compute time")},
                {QStringLiteral("ratio"), tr("Ratio"), tr("Current time divided by previous time")},
                {QStringLiteral("low"), tr("from"), tr("95 % interval of the ratio")},
                {QStringLiteral("high"), tr("to"), tr("95 % interval of the ratio")},
                {QStringLiteral("verdict"), tr("Verdict"), tr("Judged by the 99 % interval; changes within 2 % count as same")}});
    for (const ComparedEntry& e : entries) names << QString::fromStdString(e.label);
    setCategories(names);
    QCPAxisRect& axes = *prepareBarChart(plot(), tr("Time relative to %1").arg(data_->baseline), tr("ratio"), names);
    const int count = static_cast<int>(entries.size());
    const double cap = barThickness(plot(), count, 0.32) / 2;
    double low = 1, high = 1;
    QString longest;
    for (int i = 0; i < count; ++i) {
        const ComparedEntry& e = entries[static_cast<std::size_t>(i)];
        const double ratio = e.baseNs > 0 ? e.newNs / e.baseNs : 0, place = categoryPosition(i, count);
        low = std::min({low, ratio, e.ratio.low});
        high = std::max({high, ratio, e.ratio.high});
        addRow({.cells = {names[i], durationCell(e.baseNs), durationCell(e.newNs), factorCell(ratio), factorCell(e.ratio.low),
                          factorCell(e.ratio.high), ChartCell(wordOf(e.verdict), QString::fromUtf8(verdictName(e.verdict).data()))}});
        const QPen pen(colourOf(e.verdict), 1.6);
        addLine(axes, e.ratio.low, place, e.ratio.high, place, pen);
        for (const double end : {e.ratio.low, e.ratio.high}) addLine(axes, end, place - cap, end, place + cap, pen);
        auto* dot = new QCPGraph(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
        dot->setLineStyle(QCPGraph::lsNone);
        dot->setScatterStyle(QCPScatterStyle(shapeOf(e.verdict), pen, QBrush(pen.color()), 9));
        dot->addData(ratio, place);
        addSpot(i, axes, {ratio, place},
                tr("%1: %2 before, %3 now, %4 (%5 – %6), %7")
                    .arg(names[i], formatDuration(e.baseNs), formatDuration(e.newNs), formatFactor(ratio), formatFactor(e.ratio.low),
                         formatFactor(e.ratio.high), wordOf(e.verdict)));
        const QString text = QStringLiteral("%1 %2").arg(formatFactor(ratio), wordOf(e.verdict));
        if (text.size() > longest.size()) longest = text;
        addTextBehind(axes, std::max(ratio, e.ratio.high), place, text, 9);
    }
    addLine(axes, 1, 0, 1, count + 1, QPen(currentTheme().subtle, 1.2, Qt::DashLine));
    const double span = std::max(high - low, 0.02);
    setRangeWithRoom(axes, std::max(0.0, low - 0.15 * span), std::max(high, low + span), longest);
}

}  // namespace parallax::ui
