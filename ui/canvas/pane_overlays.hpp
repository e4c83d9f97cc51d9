// SPDX-License-Identifier: GPL-3.0-or-later
// Paints overlays: grid and values of large pixels, selection, marks and legends.
#pragma once

#include <QPainter>
#include <QRectF>
#include <functional>

#include "ui/canvas/display_transform.hpp"
#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

/// Maps image pixels to a pane.
struct PaneGeometry {
    QPointF origin;    ///< of the image, in device pixels
    double scale = 1;  ///< device pixels per image pixel
    double ratio = 1;  ///< device pixels per pixel of the widget
    QSize size;        ///< of the pane, in pixels of the widget

    /// In pixels of the widget.
    QRectF rectOf(const QRect& pixels) const;
    QRectF rectOf(PixelPosition pixel) const { return rectOf(QRect(static_cast<int>(pixel.x), static_cast<int>(pixel.y), 1, 1)); }
    QRect visiblePixels(const QSizeF& imageSize) const;
};

/// Draws lines between pixels at high zoom.
void paintPixelGrid(QPainter& painter, const PaneGeometry& geometry, const QSizeF& imageSize);
/// Writes samples (of the image, not of the display) into pixels that have room for them.
void paintPixelValues(QPainter& painter, const PaneGeometry& geometry, const Pyramid& pyramid, const Colouring& colouring);
void paintSelection(QPainter& painter, const PaneGeometry& geometry, const QRect& pixels);
void paintMark(QPainter& painter, const PaneGeometry& geometry, PixelPosition pixel);
/// Marks the position of the mouse in another pane.
void paintCursor(QPainter& painter, const PaneGeometry& geometry, PixelPosition pixel);

struct Legend {
    QString low, high;
    std::function<QRgb(double)> colour;  ///< of t in [0, 1]
    bool middleMarked = false;           ///< the middle means zero
};
/// Paints the legend in the lower right corner.
void paintLegend(QPainter& painter, const QSize& pane, const Legend& legend);

}  // namespace parallax::ui
