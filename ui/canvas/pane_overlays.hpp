// SPDX-License-Identifier: GPL-3.0-or-later
// Paints overlays: labels, grid and values of large pixels, selection, marks and legends.
#pragma once

#include <QPainter>
#include <QRectF>
#include <functional>
#include <optional>

#include "ui/canvas/display_transform.hpp"
#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

/// Texts on a pane.
struct PaneLabel {
    QString badge;    ///< "A", "B", "B − A", "Original"
    QString title;    ///< "openmp · simd"
    QString details;  ///< device, time
    QString verdict;  ///< error against ...
    bool alert = false;
    QString notice;  ///< shown large in the middle: computing, error
    friend bool operator==(const PaneLabel&, const PaneLabel&) = default;
};

/// Distances in a label, in pixels.
struct LabelStyle {
    int margin;        ///< from the edge of the pane
    int padding;       ///< between its edge and its texts
    int gap;           ///< between badge and title
    int badgePadding;  ///< of both sides
    int slack;         ///< height beyond its lines
};

/// Box and texts of a label as far as there is room for them; an empty box if there is none.
struct LabelBox {
    QRect box;
    int badgeWidth = 0;
    QString badge, title;
    QStringList lines;
    bool alert = false;  ///< of the last line
};

/// Lays out a label in the upper left or right corner of `area`. `room`: the largest width of its texts.
LabelBox layOutLabel(const QFont& font, const PaneLabel& label, const QRect& area, bool atRight, int room, const LabelStyle& style);
void paintLabel(QPainter& painter, const PaneLabel& label, const LabelBox& place, const LabelStyle& style);
/// The dark box behind texts on an image.
void paintBox(QPainter& painter, const QRect& box);

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
/// The legend of a colour map, if one is used. `differenceScale` <= 0: unknown.
std::optional<Legend> legendOf(const Colouring& colouring, double differenceScale, bool inverted = false);
/// Paints the legend in the lower right corner.
void paintLegend(QPainter& painter, const QSize& pane, const Legend& legend);

}  // namespace parallax::ui
