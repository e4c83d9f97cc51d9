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

struct CompareChart::Range {
    double low = 1, high = 1;
    QString longest;  ///< text behind a ratio
};

void CompareChart::draw() {
    if (!data_ || data_->empty())
        return showPlaceholder(plot(), tr("History\n\nSelect a past run and press Compare, or tick baselines, to see which backends became "
                                          "faster or slower."));
    const bool several = data_->size() > 1;
    QStringList notes, names;
    for (const PastComparison& past : *data_) {
        for (const std::string& w : past.result.warnings)
            notes << (several ? QStringLiteral("%1: %2.").arg(past.baseline, coreText(w)) : coreText(w) + QLatin1Char('.'));
        for (const ComparedEntry& e : past.result.entries)
            if (const QString name = QString::fromStdString(e.label); !names.contains(name)) names << name;
    }
    setNotes(notes);
    if (names.isEmpty()) return showPlaceholder(plot(), tr("History\n\nThe two runs have no backend in common."));
    setColumns({{QStringLiteral("backend"), tr("Backend")},
                {QStringLiteral("base_ns"), tr("Before"), tr("Median compute time of the past run")},
                {QStringLiteral("new_ns"), tr("Now"), tr("Median compute time")},
                {QStringLiteral("ratio"), tr("Ratio"), tr("Current time divided by previous time")},
                {QStringLiteral("low"), tr("from"), tr("95 % interval of the ratio")},
                {QStringLiteral("high"), tr("to"), tr("95 % interval of the ratio")},
                {QStringLiteral("verdict"), tr("Verdict"), tr("Judged by the 99 % interval; changes within 2 % count as same")},
                {QStringLiteral("result"), tr("Result"), tr("Whether the result has the same bits, by its SHA-256")},
                {QStringLiteral("baseline"), tr("Baseline"), tr("The past run")}});
    constexpr int kPixelsOfARatio = 18;
    setCategories(names, {}, several ? kPixelsOfARatio * static_cast<int>(data_->size()) + 6 : 0);
    const QString title =
        several ? tr("Time relative to %1 baselines").arg(data_->size()) : tr("Time relative to %1").arg(data_->front().baseline);
    QCPAxisRect& axes = *prepareBarChart(plot(), title, tr("ratio"), names);
    Range all;
    for (int set = 0; set < static_cast<int>(data_->size()); ++set) {
        const Range range = drawSet(axes, set, names);
        all.low = std::min(all.low, range.low);
        all.high = std::max(all.high, range.high);
        if (range.longest.size() > all.longest.size()) all.longest = range.longest;
    }
    addLine(axes, 1, 0, 1, static_cast<double>(names.size()) + 1, QPen(currentTheme().subtle, 1.2, Qt::DashLine));
    const double span = std::max(all.high - all.low, 0.02);
    setRangeWithRoom(axes, std::max(0.0, all.low - 0.15 * span), std::max(all.high, all.low + span), all.longest);
    if (several) placeLegend(plot());
}

CompareChart::Range CompareChart::drawSet(QCPAxisRect& axes, int set, const QStringList& names) {
    const PastComparison& past = (*data_)[static_cast<std::size_t>(set)];
    const int count = static_cast<int>(names.size()), sets = static_cast<int>(data_->size());
    const double shift = sets > 1 ? 0.8 * ((sets - 1) / 2.0 - set) / sets : 0, cap = barThickness(plot(), count, 0.32) / 2 / sets;
    Range range;
    for (const ComparedEntry& e : past.result.entries) {
        const QString name = QString::fromStdString(e.label);
        const double ratio = e.baseNs > 0 ? e.newNs / e.baseNs : 0;
        const double place = categoryPosition(static_cast<int>(names.indexOf(name)), count) + shift;
        range.low = std::min({range.low, ratio, e.ratio.low});
        range.high = std::max({range.high, ratio, e.ratio.high});
        const ChartCell result = !e.sameResult   ? ChartCell(tr("unknown"), {})
                                 : *e.sameResult ? ChartCell(tr("same bits"), QStringLiteral("same"))
                                                 : ChartCell(tr("other bits"), QStringLiteral("other"));
        const int row =
            addRow({.cells = {name, durationCell(e.baseNs), durationCell(e.newNs), factorCell(ratio), factorCell(e.ratio.low),
                              factorCell(e.ratio.high), ChartCell(wordOf(e.verdict), QString::fromUtf8(verdictName(e.verdict).data())),
                              result, past.baseline},
                    .series = sets > 1 ? set : -1});
        // Of several, the colour tells the baseline, and the text alone the verdict.
        const QPen pen = sets > 1 ? QPen(seriesPen(set).color(), 1.6) : QPen(colourOf(e.verdict), 1.6);
        addLine(axes, e.ratio.low, place, e.ratio.high, place, pen);
        for (const double end : {e.ratio.low, e.ratio.high}) addLine(axes, end, place - cap, end, place + cap, pen);
        auto* dot = new QCPGraph(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
        dot->setLineStyle(QCPGraph::lsNone);
        dot->setScatterStyle(sets > 1 ? seriesMarker(set, 9) : QCPScatterStyle(shapeOf(e.verdict), pen, QBrush(pen.color()), 9));
        const bool named = sets > 1 && &e == &past.result.entries.front();
        dot->setName(named ? past.baseline : QString());
        dot->setProperty("inLegend", named);
        dot->addData(ratio, place);
        addSpot(row, axes, {ratio, place},
                tr("%1: %2 before, %3 now, %4 (%5 – %6), %7")
                    .arg(name, formatDuration(e.baseNs), formatDuration(e.newNs), formatFactor(ratio), formatFactor(e.ratio.low),
                         formatFactor(e.ratio.high), wordOf(e.verdict)));
        const QString text = QStringLiteral("%1 %2").arg(formatFactor(ratio), wordOf(e.verdict));
        if (text.size() > range.longest.size()) range.longest = text;
        addTextBehind(axes, std::max(ratio, e.ratio.high), place, text, 9);
    }
    return range;
}

}  // namespace parallax::ui
