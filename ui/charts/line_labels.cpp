// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/line_labels.hpp"

#include <QApplication>
#include <QTransform>
#include <cmath>

#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr double kIndent = 5;  // pixels from the end of a line
constexpr double kReach = 9;   // pixels around a point

}  // namespace

LineLabels::LineLabels(QCPAxisRect& axes) : QCPAbstractItem(axes.parentPlot()), axes_(&axes) {
    setClipToAxisRect(true);
    setClipAxisRect(&axes);
    setSelectable(false);
}

void LineLabels::add(QPointF from, QPointF to, const QString& text, const QColor& colour, bool fromRight) {
    labels_ << Label{from, to, text, colour, fromRight};
}

QPointF LineLabels::pixel(QPointF place) const {
    return {axes_->axis(QCPAxis::atBottom)->coordToPixel(place.x()), axes_->axis(QCPAxis::atLeft)->coordToPixel(place.y())};
}

std::optional<LineLabels::Placed> LineLabels::place(const Label& label, const QVector<QPolygonF>& taken) const {
    const QFontMetricsF metrics(QApplication::font());
    const QRectF rect(axes_->rect());
    QPointF start = pixel(label.from), end = pixel(label.to);
    // Where the line enters the chart from below.
    if (start.y() > rect.bottom() && end.y() < rect.bottom())
        start += (end - start) * ((rect.bottom() - start.y()) / (end.y() - start.y()));
    const double length = std::hypot(end.x() - start.x(), end.y() - start.y());
    const double width = metrics.horizontalAdvance(label.text);
    const double room = length - width - 2 * kIndent;
    if (room < 0) return {};
    const double angle = std::atan2(end.y() - start.y(), end.x() - start.x()) * 180 / M_PI;
    const auto isFree = [&](const QPolygonF& outline) {
        if (!rect.contains(outline.boundingRect())) return false;
        for (const QPolygonF& other : taken)
            if (other.intersects(outline)) return false;
        for (const QPointF& obstacle : obstacles_) {
            const QPointF p = pixel(obstacle);
            if (QPolygonF(QRectF(p.x() - kReach, p.y() - kReach, 2 * kReach, 2 * kReach)).intersects(outline)) return false;
        }
        return true;
    };
    for (const double share : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0})
        for (const double top : {-metrics.height() - 1, 2.0}) {  // above the line, or below
            const double at = kIndent + room * (label.fromRight ? 1 - share : share);
            QTransform turn;
            turn.translate(start.x() + (end.x() - start.x()) * at / length, start.y() + (end.y() - start.y()) * at / length);
            turn.rotate(angle);
            const QRectF box(0, top, width, metrics.height());
            if (const QPolygonF outline = turn.map(QPolygonF(box)); isFree(outline)) return Placed{turn, box, outline};
        }
    return {};
}

void LineLabels::draw(QCPPainter* painter) {
    // Grid lines behind a text are hidden.
    QColor ground = currentTheme().palette.color(QPalette::Base);
    ground.setAlpha(210);
    const QFont font = QApplication::font();
    const QFontMetricsF metrics(font);
    QVector<QPolygonF> taken;
    for (const Label& label : labels_) {
        const auto placed = place(label, taken);
        if (!placed) continue;
        taken << placed->outline;
        painter->save();
        painter->setFont(font);
        painter->setTransform(placed->turn, true);
        painter->fillRect(placed->box, ground);
        painter->setPen(QPen(label.colour));
        painter->drawText(QPointF(0, placed->box.bottom() - metrics.descent()), label.text);
        painter->restore();
    }
}

}  // namespace parallax::ui
