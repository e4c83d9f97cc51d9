// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/measurement_marks.hpp"

#include <QPainter>
#include <algorithm>
#include <array>

#include "ui/canvas/pane_overlays.hpp"

namespace parallax::ui {
namespace {

const QColor kRuler(120, 220, 255), kBar(228, 228, 232), kBox(126, 231, 135);

/// Light on a dark outline, as on any picture.
std::array<QPen, 2> pens(const QColor& colour) { return {QPen(QColor(0, 0, 0, 170), 3.5), QPen(colour, 1.5)}; }

void paintText(QPainter& painter, const QRect& pane, QPointF beside, const QString& text) {
    const QFontMetrics metrics = painter.fontMetrics();
    QRect box(0, 0, metrics.horizontalAdvance(text) + 8, metrics.height() + 2);
    box.moveTopLeft((beside + QPointF(6, 4)).toPoint());
    box.moveLeft(std::clamp(box.left(), pane.left(), std::max(pane.left(), pane.right() - box.width())));
    box.moveTop(std::clamp(box.top(), pane.top(), std::max(pane.top(), pane.bottom() - box.height())));
    paintShadowed(painter, box, text, kRuler);
}

}  // namespace

void paintMeasurement(QPainter& painter, const QRect& pane, const std::vector<QPointF>& points, const QStringList& texts) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const QPen& pen : pens(kRuler)) {
        painter.setPen(pen);
        painter.drawPolyline(points.data(), static_cast<int>(points.size()));
        for (const QPointF& point : points) painter.drawEllipse(point, 3.5, 3.5);
    }
    for (std::size_t i = 1; i < points.size(); ++i)
        paintText(painter, pane, (points[i - 1] + points[i]) / 2, texts.value(static_cast<int>(i) - 1));
    if (points.size() == 3) paintText(painter, pane, points[1], texts.value(2));
}

void paintSelectedBox(QPainter& painter, const QRectF& edges, bool crossed, bool handles) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    auto [outline, line] = pens(kBox);
    if (!crossed) line.setDashPattern({4, 5});
    for (const QPen& pen : {outline, line}) {
        painter.setPen(pen);
        painter.drawRect(edges);
    }
    if (!handles) return;
    const QPointF middle = edges.center();
    painter.setPen(QPen(QColor(0, 0, 0, 170), 1));
    painter.setBrush(kBox);
    for (const double x : {edges.left(), middle.x(), edges.right()})
        for (const double y : {edges.top(), middle.y(), edges.bottom()})
            if (QPointF(x, y) != middle) painter.drawRect(QRectF(x - 3, y - 3, 6, 6));
    painter.setBrush(Qt::NoBrush);
}

void paintScaleBar(QPainter& painter, const QRect& bar, const QString& text) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    const int y = bar.bottom() - 1;
    for (const QPen& pen : pens(kBar)) {
        painter.setPen(pen);
        painter.drawLine(bar.left(), y, bar.right(), y);
        for (const int x : {bar.left(), bar.right()}) painter.drawLine(x, y - 4, x, y);
    }
    QRect box(0, bar.top(), painter.fontMetrics().horizontalAdvance(text) + 6, bar.height() - 6);
    box.moveRight(bar.right() + 3);
    paintShadowed(painter, box, text, kBar);
}

}  // namespace parallax::ui
