// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/engine/operation/capabilities.hpp"
#include "core/report/charts/laps_data.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/models/document/core_text.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"

namespace parallax::ui {
namespace {

QString nameOf(const LapPart& part) {
    const QString title = catalogText(part.title);
    return part.label.empty() ? title : QStringLiteral("%1, %2").arg(title, coreText(part.label));
}

/// The same in every language: "v-cycle level 0".
QString keyOf(const LapPart& part) { return QString::fromStdString(part.label.empty() ? part.key : part.key + " " + part.label); }

}  // namespace

/// The bars from left to right: parts that can be seen, then the rest. Small parts are in the table only.
void LapsChart::draw() {
    const LapsChartData laps = data_ ? lapsChart(*data_) : LapsChartData{};
    if (laps.rows.empty()) return showPlaceholder(plot(), emptyText());
    QStringList names;
    std::vector<double> totals;
    for (const LapRow& row : laps.rows) {
        names << QString::fromStdString(row.entry);
        totals.push_back(row.compute);
    }
    const double longest = rangeOfBars(totals);
    const auto [unit, divisor] = timeUnitFor(longest);
    setCategories(names);
    QCPAxisRect& axes = *prepareBarChart(plot(), titled(tr("Parts of compute in one run"), source_), tr("time [%1]").arg(unit), names);
    setColumns({{QStringLiteral("backend"), tr("Backend")},
                {QStringLiteral("part"), tr("Part")},
                {QStringLiteral("ns"), tr("Time"), tr("All times that the part ran, together")},
                {QStringLiteral("share"), tr("Share"), tr("Share of the compute time of this run")},
                {QStringLiteral("count"), tr("Count"), tr("How often the part ran")}});
    const int count = static_cast<int>(laps.rows.size());
    const double thickness = barThickness(plot(), count, 0.62);
    std::vector<double> ends(laps.rows.size(), 0);  // of what is drawn
    QCPBars* below = nullptr;
    /// A part of each row: what the table has, and what the bar shows (0: nothing).
    struct Amount {
        double time = 0, drawn = 0, count = 0;
    };
    const auto addPart = [&](int style, const QString& title, const QString& key, const auto& amountOf) {
        const bool any = std::any_of(laps.rows.begin(), laps.rows.end(), [&](const LapRow& row) { return amountOf(row).drawn > 0; });
        QCPBars* bars = any ? addBars(axes, style, thickness, title) : nullptr;
        for (int i = 0; i < count; ++i) {
            const LapRow& row = laps.rows[static_cast<std::size_t>(i)];
            const Amount amount = amountOf(row);
            const double position = categoryPosition(i, count), share = amount.time / row.compute;
            int at = -1;
            if (amount.time > 0)
                at = addRow(
                    {.cells = {names[i], ChartCell(title, key), durationCell(amount.time), ChartCell(formatPercent(100 * share), share),
                               amount.count > 0 ? ChartCell(formatCount(static_cast<std::uint64_t>(amount.count)), amount.count)
                                                : ChartCell()},
                     .record = 0,
                     .entry = static_cast<int>(row.index)});
            if (!bars) continue;
            double& end = ends[static_cast<std::size_t>(i)];
            const double shown = std::clamp(longest / divisor - end, 0.0, amount.drawn / divisor);
            bars->addData(position, shown);
            if (amount.drawn > 0)
                addSpot(at, axes, {end, position - thickness / 2}, {end + shown, position + thickness / 2},
                        tr("%1, %2: %3 of %4 (%5)")
                            .arg(names[i], title, formatDuration(amount.drawn), formatDuration(row.compute),
                                 formatPercent(100 * amount.drawn / row.compute)));
            end += shown;
        }
        if (bars && below) bars->moveAbove(below);
        if (bars) below = bars;
    };
    int style = 0;  // of what the bars show, so that neighbours differ
    for (std::size_t part = 0; part < laps.parts.size(); ++part)
        addPart(laps.parts[part].isSmall ? 0 : style++, nameOf(laps.parts[part]), keyOf(laps.parts[part]), [&](const LapRow& row) {
            const double time = row.nanoseconds[part];
            return Amount{time, laps.parts[part].isSmall ? 0 : time, row.counts[part]};
        });
    addPart(style, tr("other"), QStringLiteral("other"), [&](const LapRow& row) {
        return Amount{row.rest(laps.parts, false), row.rest(laps.parts, true), 0};
    });
    const bool anySmall = std::any_of(laps.parts.begin(), laps.parts.end(), [](const LapPart& part) { return part.isSmall; });
    QStringList notes, cut;
    for (int i = 0; i < count; ++i) {
        const double total = totals[static_cast<std::size_t>(i)], position = categoryPosition(i, count);
        const bool isCut = total > longest;
        if (isCut) {
            cut << names[i];
            markCut(axes, longest / divisor, position, thickness);
        }
        addTextBehind(axes, std::min(total, longest) / divisor, position, isCut ? cutText(total) : formatDuration(total));
    }
    if (!cut.isEmpty()) notes << tr("Bars cut off: %1.").arg(cut.join(QStringLiteral(", ")));
    if (anySmall) notes << tr("The bars show parts below 3 % as other.");
    setNotes(notes);
    setRangeWithRoom(axes, 0, longest / divisor, cutText(*std::max_element(totals.begin(), totals.end())));
    placeLegend(plot());
}

QString LapsChart::emptyText() const {
    QStringList operations;
    for (const auto& operation : catalog_.operations())
        if (!lapsOf(*operation).empty()) operations << catalogText(operation->title());
    return tr("Parts\n\nAdd a step that measures its parts (%1) and press Benchmark to see what its compute time is spent on.")
        .arg(operations.join(QStringLiteral(", ")));
}

}  // namespace parallax::ui
