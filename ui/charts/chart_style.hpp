// SPDX-License-Identifier: GPL-3.0-or-later
// What all charts share: colours of the theme, hatching so that colour is never alone, backends as categories.
#pragma once

#include <QBrush>
#include <QString>
#include <QVector>
#include <functional>
#include <vector>

#include "ui/charts/plot.hpp"

namespace parallax::ui {

/// Fill of the n-th series: colour and pattern differ.
QBrush seriesBrush(int index);
QColor seriesColour(int index);

/// Horizontal bars: categories on the left axis from top to bottom, values below. The plot must be as high as heightOfBarChart() says;
/// names that would take more than two fifths of its width are elided.
void prepareBarChart(QCustomPlot& plot, const QString& title, const QString& valueLabel, const QStringList& categories);
/// Pixels that so many bars need, with a line of text each or as much as they ask for, heading, axis and legend.
int heightOfBarChart(int rows, int pixelsEach = 0);
/// Which part of its row a bar fills: `share`, less where there are so few that they would be slabs.
double barThickness(const QCustomPlot& plot, int rows, double share);
/// How far a scale reaches that shows bars of these lengths: to the longest, but up to half of them are cut, the longest first, as long as
/// each is more than six times the next, and two remain.
double rangeOfBars(std::vector<double> lengths);
/// Two strokes across a bar that is cut, near its drawn end; the thickness in parts of a row.
void markCut(QCustomPlot& plot, double end, double position, double thickness);
/// What stands behind a bar that is cut.
QString cutText(double nanoseconds);
/// A range of the value axis from `low` on that leaves room for `text` behind the longest bar.
void setRangeWithRoom(QCustomPlot& plot, double low, double longest, const QString& text);
/// A number of an axis: as many digits as it needs.
QString tickText(double value);
/// Position of the n-th category on the left axis, so that the first is on top.
double categoryPosition(int index, int count);
/// Lines and points over two axes with a heading; the axes are those of the returned rectangle.
QCPAxisRect* prepareXyChart(QCustomPlot& plot, const QString& title);
/// One more such rectangle to the right of those that are there, with a heading of its own.
QCPAxisRect* addXyRect(QCustomPlot& plot, const QString& title);
/// An axis with few round ticks over a range, in ratios or not.
void setAxis(QCPAxis& axis, const QString& label, double low, double high, bool logarithmic, const std::function<QString(double)>& text);
/// An axis with ticks at these values, as many as fit.
void setAxisValues(QCPAxis& axis, const QString& label, const QVector<double>& values, const QStringList& texts, bool logarithmic);
/// Points of the n-th series with their 95 % intervals, and a line through them if `joined`.
struct XyPoint {
    double x = 0, y = 0, low = 0, high = 0;
};
void addSeries(QCPAxisRect& axes, int index, const QString& name, const QVector<XyPoint>& points, bool joined = true);
/// Marker of the n-th series, so that colour is never alone.
QCPScatterStyle seriesMarker(int index, double size = 7);
/// Pen of the n-th series; series of the same colour are dashed differently.
QPen seriesPen(int index, double width = 1.6);
/// Unit of a time axis, and its length in nanoseconds.
struct TimeUnit {
    QString name;
    double nanoseconds = 1;
};
TimeUnit timeUnitFor(double nanoseconds);
/// A legend at the right, if it leaves room for the chart.
void placeSideLegend(QCustomPlot& plot);
/// A text in the chart, at a place of the axes.
QCPItemText* addText(QCPAxisRect& axes, double x, double y, const QString& text, const QColor& colour, Qt::Alignment alignment);
/// A line from one place of the axes to another.
void addLine(QCPAxisRect& axes, double x1, double y1, double x2, double y2, const QPen& pen);

/// Text in the middle of an empty chart.
void showPlaceholder(QCustomPlot& plot, const QString& text);
/// A small legend below the bars, in several lines where one is too narrow.
void placeLegend(QCustomPlot& plot);
/// Version of the charting library, as "2.1.0".
QString chartLibraryVersion();

}  // namespace parallax::ui
