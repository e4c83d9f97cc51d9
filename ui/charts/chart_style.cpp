// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/charts/chart_style.hpp"

#include <QApplication>

#include "parallax/ui/charts/plot.hpp"
#include "parallax/ui/theme/theme.hpp"

namespace parallax::ui {

QColor seriesColour(int index) {
    const auto& colours = currentTheme().series;
    return colours[index % colours.size()];
}

QBrush seriesBrush(int index) {
    static constexpr Qt::BrushStyle patterns[] = {Qt::SolidPattern, Qt::BDiagPattern, Qt::Dense4Pattern, Qt::CrossPattern,
                                                  Qt::FDiagPattern};
    return QBrush(seriesColour(index), patterns[static_cast<std::size_t>(index) % std::size(patterns)]);
}

double categoryPosition(int index, int count) { return count - index; }

void prepareBarChart(QCustomPlot& plot, const QString& title, const QString& valueLabel, const QStringList& categories) {
    const Theme& theme = currentTheme();
    plot.clearItems();
    plot.clearPlottables();
    // Everything but the axis rectangle goes: titles and legends are made anew.
    plot.plotLayout()->clear();
    auto* axes = new QCPAxisRect(&plot);
    QFont font = QApplication::font();
    QFont bold = font;
    bold.setBold(true);
    auto* heading = new QCPTextElement(&plot, title, bold);
    heading->setTextColor(theme.chartText);
    heading->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    heading->setMargins(QMargins(6, 2, 2, 2));
    plot.plotLayout()->addElement(0, 0, heading);
    plot.plotLayout()->addElement(1, 0, axes);
    plot.plotLayout()->setRowSpacing(0);
    plot.setBackground(theme.palette.color(QPalette::Base));
    plot.setNoAntialiasingOnDrag(true);
    axes->setupFullAxesBox(false);
    QCPAxis* values = axes->axis(QCPAxis::atBottom);
    QCPAxis* names = axes->axis(QCPAxis::atLeft);
    QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (int i = 0; i < categories.size(); ++i) ticker->addTick(categoryPosition(i, static_cast<int>(categories.size())), categories[i]);
    names->setTicker(ticker);
    names->setRange(0.4, std::max<double>(static_cast<double>(categories.size()), 1) + 0.6);
    names->setTickLength(0);
    names->setSubTickLength(0);
    names->grid()->setVisible(false);
    values->setLabel(valueLabel);
    values->grid()->setZeroLinePen(QPen(theme.border));
    values->grid()->setPen(QPen(theme.chartGrid, 1));
    for (QCPAxis* axis : {values, names}) {
        axis->setLabelColor(theme.subtle);
        axis->setTickLabelColor(theme.chartText);
        axis->setTickLabelFont(font);
        axis->setLabelFont(font);
        axis->setBasePen(QPen(theme.border));
        axis->setTickPen(QPen(theme.border));
        axis->setSubTickPen(Qt::NoPen);
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
    }
    for (const auto type : {QCPAxis::atRight, QCPAxis::atTop}) axes->axis(type)->setVisible(false);
}

void placeLegend(QCustomPlot& plot) {
    const Theme& theme = currentTheme();
    auto* legend = new QCPLegend;
    plot.plotLayout()->addElement(2, 0, legend);
    legend->setLayer(QStringLiteral("legend"));
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    legend->setWrap(6);
    legend->setBorderPen(Qt::NoPen);
    legend->setBrush(Qt::NoBrush);
    legend->setFont(QApplication::font());
    legend->setTextColor(theme.chartText);
    legend->setMargins(QMargins(4, 0, 4, 2));
    legend->setIconSize(14, 12);
    legend->setIconBorderPen(QPen(theme.border));
    plot.plotLayout()->setRowStretchFactor(2, 0.001);
    for (int i = 0; i < plot.plottableCount(); ++i)
        if (plot.plottable(i)->property("inLegend").toBool()) plot.plottable(i)->addToLegend(legend);
}

void showPlaceholder(QCustomPlot& plot, const QString& text) {
    const Theme& theme = currentTheme();
    plot.clearItems();
    plot.clearPlottables();
    plot.plotLayout()->clear();
    plot.setBackground(theme.palette.color(QPalette::Base));
    auto* element = new QCPTextElement(&plot, text, QApplication::font());
    element->setTextColor(theme.subtle);
    element->setTextFlags(Qt::AlignCenter | Qt::TextWordWrap);
    plot.plotLayout()->addElement(0, 0, element);
    plot.replot(QCustomPlot::rpQueuedReplot);
}

QString chartLibraryVersion() { return QStringLiteral(QCUSTOMPLOT_VERSION_STR); }

}  // namespace parallax::ui
