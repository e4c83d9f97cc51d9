// SPDX-License-Identifier: GPL-3.0-or-later
// Items in the plot of the histogram that its marks and curves share.
#pragma once

#include <QColor>
#include <initializer_list>

#include "ui/charts/plot.hpp"

namespace parallax::ui {

inline QColor translucent(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return colour;
}

/// Puts points on the value axis and a vertical axis of a rectangle.
inline void placeOnAxes(std::initializer_list<QCPItemPosition*> points, QCPAxisRect& axes, QCPAxis::AxisType vertical) {
    for (QCPItemPosition* point : points) {
        point->setAxes(axes.axis(QCPAxis::atBottom), axes.axis(vertical));
        point->setAxisRect(&axes);
    }
}

/// Adds a filled rectangle; the plot owns it.
inline QCPItemRect* addArea(QCPAxisRect& axes, QCPAxis::AxisType vertical, const QColor& colour) {
    auto* item = new QCPItemRect(axes.parentPlot());
    item->setPen(Qt::NoPen);
    item->setBrush(colour);
    placeOnAxes({item->topLeft, item->bottomRight}, axes, vertical);
    return item;
}

}  // namespace parallax::ui
