// SPDX-License-Identifier: GPL-3.0-or-later
// How a measured length or angle, the scale bar and the selected box are drawn on a plane.
#pragma once

#include <QPointF>
#include <QRect>
#include <QRectF>
#include <QStringList>
#include <vector>

class QPainter;

namespace parallax::ui {

/// Draws lines between the points, and the texts: one beside each line, then, with three points, one beside the vertex.
void paintMeasurement(QPainter& painter, const QRect& pane, const std::vector<QPointF>& points, const QStringList& texts);
/// Draws a bar as long as `bar` is wide at its lower edge, with the text above.
void paintScaleBar(QPainter& painter, const QRect& bar, const QString& text);
/// Draws the edges of a box: dashed if the slice does not cross it; `handles`: with squares where it can be dragged.
void paintSelectedBox(QPainter& painter, const QRectF& edges, bool crossed, bool handles);

}  // namespace parallax::ui
