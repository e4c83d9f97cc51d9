// SPDX-License-Identifier: GPL-3.0-or-later
// What all charts share: colours of the theme, hatching so that colour is never alone, backends as categories.
#pragma once

#include <QBrush>
#include <QString>
#include <QVector>

class QCustomPlot;
class QCPAxis;

namespace parallax::ui {

/// Fill of the n-th series: colour and pattern differ.
QBrush seriesBrush(int index);
QColor seriesColour(int index);

/// Horizontal bars: categories on the left axis from top to bottom, values below.
void prepareBarChart(QCustomPlot& plot, const QString& title, const QString& valueLabel, const QStringList& categories);
/// Position of the n-th category on the left axis, so that the first is on top.
double categoryPosition(int index, int count);
/// Text in the middle of an empty chart.
void showPlaceholder(QCustomPlot& plot, const QString& text);
/// A small legend above the bars.
void placeLegend(QCustomPlot& plot);
/// Of the charting library, as "2.1.0".
QString chartLibraryVersion();

}  // namespace parallax::ui
