// SPDX-License-Identifier: GPL-3.0-or-later
// Shared look of charts: theme colours, hatching in addition to colour, backends as categories.
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

/// The series of a backend's label, the same in every chart of the program.
int seriesOf(const QString& label);

/// Horizontal bars: categories on the left axis from top to bottom, values below. The plot must be as high as heightOfBarChart() says;
/// names that would take more than two fifths of its width are elided.
QCPAxisRect* prepareBarChart(QCustomPlot& plot, const QString& title, const QString& valueLabel, const QStringList& categories);
/// Returns the height in pixels of a chart with this many bars, including heading, axis and legend.
int heightOfBarChart(int rows, int pixelsEach = 0);
/// Returns the part of its row that a bar fills: `share`, less for few bars, which would become too thick.
double barThickness(const QCustomPlot& plot, int rows, double share);
/// Returns the upper end of a scale for bars of these lengths: the longest. Up to half of them are cut, longest first, while each is more
/// than six times the next and at least two remain.
double rangeOfBars(std::vector<double> lengths);
/// Draws two strokes across a bar that is cut, near its drawn end; thickness in parts of a row.
void markCut(QCPAxisRect& axes, double end, double position, double thickness);
/// Text behind a bar that is cut.
QString cutText(double nanoseconds);
/// Returns a range of the value axis from `low` that leaves room for `text` behind the longest bar.
void setRangeWithRoom(QCPAxisRect& axes, double low, double longest, const QString& text);
/// Formats a number of an axis with as many digits as needed.
QString tickText(double value);
/// Position of the n-th category on the left axis; the first is on top.
double categoryPosition(int index, int count);
/// Lines and points over two axes with a heading; the axes are those of the returned rectangle.
QCPAxisRect* prepareXyChart(QCustomPlot& plot, const QString& title);
/// Adds another rectangle with its own heading to the right of the existing ones.
QCPAxisRect* addXyRect(QCustomPlot& plot, const QString& title);
/// Sets up an axis with few round ticks over a range, logarithmic or linear.
void setAxis(QCPAxis& axis, const QString& label, double low, double high, bool logarithmic, const std::function<QString(double)>& text);
/// Sets up an axis with ticks at these values, as many as fit.
void setAxisValues(QCPAxis& axis, const QString& label, const QVector<double>& values, const QStringList& texts, bool logarithmic);
/// Adds an empty series of horizontal bars; the legend lists it by its name, if it has one.
QCPBars* addBars(QCPAxisRect& axes, int style, double thickness, const QString& name);
/// Points of the n-th series with their 95 % intervals, and a line through them if `joined`.
struct XyPoint {
    double x = 0, y = 0, low = 0, high = 0;
};
QCPGraph* addSeries(QCPAxisRect& axes, int index, const QString& name, const QVector<XyPoint>& points, bool joined = true);
/// Adds intervals to a series: distances from each value to both ends.
void addWhiskers(QCPAbstractPlottable& series, const QVector<double>& low, const QVector<double>& high, const QPen& pen);
/// Marker of the n-th series, in addition to its colour.
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
/// Adds a text at a position in axis coordinates.
QCPItemText* addText(QCPAxisRect& axes, double x, double y, const QString& text, const QColor& colour, Qt::Alignment alignment);
/// Adds a text behind the end of a bar, `gap` pixels away.
void addTextBehind(QCPAxisRect& axes, double x, double y, const QString& text, int gap = 5);
/// Adds a rectangle in axis coordinates with the fill of a series.
void addBox(QCPAxisRect& axes, QPointF from, QPointF to, int style);
/// Adds a line between two positions in axis coordinates.
void addLine(QCPAxisRect& axes, double x1, double y1, double x2, double y2, const QPen& pen);

/// Text in the middle of an empty chart.
void showPlaceholder(QCustomPlot& plot, const QString& text);
/// Adds a small legend below the bars, in several lines if needed.
void placeLegend(QCustomPlot& plot);
/// Version of the charting library, as "2.1.0".
QString chartLibraryVersion();

}  // namespace parallax::ui
