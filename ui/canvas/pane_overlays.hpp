// SPDX-License-Identifier: GPL-3.0-or-later
// What is painted over a picture: grid and values of large pixels, the selection, marks and legends.
#pragma once

#include <QPainter>
#include <QRectF>
#include <functional>

#include "ui/canvas/display_transform.hpp"
#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

/// Where image pixels lie on a pane.
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

/// Lines between pixels that are large enough to be told apart.
void paintPixelGrid(QPainter& painter, const PaneGeometry& geometry, const QSizeF& imageSize);
/// The samples in pixels that have room for them. They are those of the image, not of the display.
void paintPixelValues(QPainter& painter, const PaneGeometry& geometry, const Pyramid& pyramid, const Colouring& colouring);
void paintSelection(QPainter& painter, const PaneGeometry& geometry, const QRect& pixels);
void paintMark(QPainter& painter, const PaneGeometry& geometry, PixelPosition pixel);
/// Where the mouse is in another pane.
void paintCursor(QPainter& painter, const PaneGeometry& geometry, PixelPosition pixel);

struct Legend {
    QString low, high;
    std::function<QRgb(double)> colour;  ///< of t in [0, 1]
    bool middleMarked = false;           ///< the middle means zero
};
/// In the lower right corner.
void paintLegend(QPainter& painter, const QSize& pane, const Legend& legend);

}  // namespace parallax::ui
