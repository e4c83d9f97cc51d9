// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/subbands/energy_chart.hpp"

#include <algorithm>
#include <cmath>

#include "ui/charts/chart_style.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"

namespace parallax::ui {
namespace {

constexpr double kMaxDecades = 15;  // more is noise in float and would squeeze the rest

QString percent(double part) { return formatPercent(100 * part); }

/// Energies span many decades, so labels use exponents.
QString energyText(double value) { return value >= 1e5 || value < 1e-3 ? formatError(value) : tickText(value); }

}  // namespace

EnergyChart::EnergyChart(QWidget* parent)
    : Chart(QStringLiteral("energy"), tr("Energy of the sub-bands"),
            tr("Sum of squared coefficients of each sub-band, on a logarithmic scale. If an operation changes them, the original is shown "
               "beside the result. Click a bar to show this sub-band alone in the mosaic; right-click to copy or save."),
            parent) {
    rebuild();
}

void EnergyChart::setContent(std::shared_ptr<const StudiedRegions> content, int channel, std::vector<double> gains) {
    content_ = std::move(content);
    channel_ = channel;
    gains_ = std::move(gains);
    rebuild();
}

void EnergyChart::draw() {
    if (!content_ || gains_.size() != content_->regions.size())
        return showPlaceholder(plot(), tr("Energy\n\nAdd a wavelet step to see the energy of its sub-bands."));
    const auto c = static_cast<std::size_t>(channel_);
    const std::vector<RegionFigures>& now = content_->figures[c];
    const std::vector<RegionFigures>* before = content_->before.empty() ? nullptr : &content_->before[c];
    const int count = static_cast<int>(now.size());
    double total = 0, highest = 0;
    QStringList names, tips;
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        total += now[at].energy;
        highest = std::max({highest, now[at].energy, before ? (*before)[at].energy : 0});
        names << QString::fromStdString(content_->regions[at].key);
        tips << tr("%1, level %2").arg(catalogText(content_->regions[at].title)).arg(content_->regions[at].level);
    }
    double lowest = highest;
    for (int i = 0; i < count; ++i)
        for (const auto* figures : {&now, before})
            if (figures && (*figures)[static_cast<std::size_t>(i)].energy > 0)
                lowest = std::min(lowest, (*figures)[static_cast<std::size_t>(i)].energy);
    if (highest <= 0) {
        highest = 1;
        lowest = 0.1;
    }
    const double low = std::pow(10, std::floor(std::log10(std::max(lowest, highest * std::pow(10, -kMaxDecades))) - 0.2));

    QVector<ChartColumn> columns{
        {QStringLiteral("band"), tr("Sub-band"), tr("a: approximation, d: details; the level, then the axes of the details")},
        {QStringLiteral("level"), tr("Level"), tr("1 is the finest")},
        {QStringLiteral("energy"), tr("Energy"), tr("Sum of squared coefficients")},
        {QStringLiteral("gain"), tr("Gain"), tr("Gain of the display; data never change")},
        {QStringLiteral("share"), tr("Share"), tr("Share of the energy of all sub-bands")},
        {QStringLiteral("rms"), tr("RMS"), tr("Root mean square of the coefficients")},
        {QStringLiteral("largest"), tr("Largest"), tr("Largest magnitude")},
        {QStringLiteral("zeros"), tr("Zeros"), tr("Share of coefficients that are zero")},
        {QStringLiteral("samples"), tr("Size"), tr("Coefficients along x, y and z")}};
    if (before) columns.insert(3, {QStringLiteral("energy_original"), tr("Original"), tr("Energy of the same sub-band of the original")});
    setColumns(columns);
    setCategories(names, tips, before ? 2 * fontMetrics().height() : 0);
    QCPAxisRect& axes = *prepareBarChart(plot(), tr("Energy of the sub-bands"), tr("sum of squares"), names);
    const double thickness = barThickness(plot(), count, before ? 0.34 : 0.62), shift = before ? 0.56 * thickness : 0;
    const auto addSeriesOf = [&](const std::vector<RegionFigures>& figures, const QString& name, int style, double position) {
        QCPBars* bars = addBars(axes, style, thickness, before ? name : QString());
        bars->setBaseValue(low);
        for (int i = count - 1; i >= 0; --i) {
            const double energy = figures[static_cast<std::size_t>(i)].energy, key = categoryPosition(i, count) + position;
            const double shown = std::max(energy, low);
            // QCustomPlot draws bars from the base, not from 0.
            if (energy > 0) bars->addData(key, shown - low);
            addSpot(i, axes, {low, key - thickness / 2}, {shown, key + thickness / 2},
                    tr("%1 (%2), %3: energy %4")
                        .arg(names[i], catalogText(content_->regions[static_cast<std::size_t>(i)].title), name, formatNumber(energy)));
        }
    };
    addSeriesOf(now, tr("result"), 0, shift);
    if (before) addSeriesOf(*before, tr("original"), 1, -shift);
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const RegionFigures& f = now[at];
        const Region& r = content_->regions[at];
        const double share = total > 0 ? f.energy / total : 0,
                     zeros = f.finite > 0 ? static_cast<double>(f.zero) / static_cast<double>(f.finite) : 0;
        QVector<ChartCell> cells{names[i],
                                 ChartCell(QString::number(r.level), r.level),
                                 numberCell(f.energy),
                                 factorCell(gains_[at]),
                                 ChartCell(percent(share), share),
                                 numberCell(f.rms()),
                                 numberCell(f.largest()),
                                 ChartCell(percent(zeros), zeros),
                                 ChartCell(formatExtent(r.extent[0], r.extent[1], r.extent[2]),
                                           QStringLiteral("%1x%2x%3").arg(r.extent[0]).arg(r.extent[1]).arg(r.extent[2]))};
        if (before) cells.insert(3, numberCell((*before)[at].energy));
        addRow({.cells = cells, .record = 0, .entry = i, .tip = tips[i]});
        addTextBehind(axes, std::max(f.energy, low), categoryPosition(i, count) + shift, percent(share), 6);
    }
    // Room behind the longest bar for its text.
    setAxis(*axes.axis(QCPAxis::atBottom), tr("sum of squares"), low, highest * std::pow(highest / low, 0.28), true, energyText);
    if (before) placeLegend(plot());
}

}  // namespace parallax::ui
