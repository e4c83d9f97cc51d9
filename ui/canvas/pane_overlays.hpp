// SPDX-License-Identifier: GPL-3.0-or-later
// Paints overlays: values of large pixels, selection, marks, cursors and legends.
#pragma once

#include <QFont>
#include <QPainter>
#include <QRectF>
#include <functional>
#include <optional>
#include <vector>

#include "ui/canvas/display_transform.hpp"
#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

/// Texts about a pane. The header shows badge, title, figure, mark and hint in one line, and details and verdict in its tooltip.
struct PaneLabel {
    QString badge;    ///< "A", "B", "B − A", "Original"
    QString title;    ///< "openmp · simd"
    QString figure;   ///< "0.64 ms"
    QString mark;     ///< of the verdict: "✓", "✗", "?"
    QString hint;     ///< about keys
    QString details;  ///< times, device
    QString verdict;  ///< error against ...
    bool alert = false;
    QString notice;  ///< shown large in the middle: computing, error
    QString tag;     ///< small at the bottom: what the picture is, if it is no result
    friend bool operator==(const PaneLabel&, const PaneLabel&) = default;
};

/// The dark box behind texts on an image.
void paintBox(QPainter& painter, const QRect& box);
/// Writes a line at the bottom of a pane, cut where there is no room.
void paintTag(QPainter& painter, const QRect& pane, const QString& text);
/// Draws the frame of a pane, thicker if it is the active one.
void paintFrame(QPainter& painter, const QRect& pane, const QColor& colour, bool active);

/// Maps image pixels to a pane.
struct PaneGeometry {
    QPointF origin;    ///< of the image, in device pixels
    double scale = 1;  ///< device pixels per image pixel
    double ratio = 1;  ///< device pixels per pixel of the widget
    QSize size;        ///< of the pane, in pixels of the widget

    /// In pixels of the widget.
    QRectF rectOf(const QRect& pixels) const;
    QRectF rectOf(PixelPosition pixel) const { return rectOf(QRect(static_cast<int>(pixel.x), static_cast<int>(pixel.y), 1, 1)); }
    /// The pixels of an image that touch a part of the pane, in pixels of the widget.
    QRect pixelsIn(const QRectF& part, const QSizeF& imageSize) const;
};

/// Samples (of the image, not of the display), written into its pixels. The pyramid must outlive it.
class PixelValues {
public:
    PixelValues(const PaneGeometry& geometry, const Pyramid& pyramid, const Colouring& colouring, const QFont& font);
    /// Do the values fit into the pixels?
    bool fit() const;
    /// Writes those of all pixels that touch `part`, in pixels of the widget.
    void paint(QPainter& painter, const QRectF& part) const;

private:
    PaneGeometry geometry_;
    const Pyramid& pyramid_;
    Colouring colouring_;
    QFont font_;
    std::vector<int> channels_;
};
void paintSelection(QPainter& painter, const PaneGeometry& geometry, const QRect& pixels);
void paintMark(QPainter& painter, const PaneGeometry& geometry, PixelPosition pixel);
/// Writes text with a dark shadow, readable on any image.
void paintShadowed(QPainter& painter, const QRect& area, const QString& text, const QColor& colour);
/// Marks the position of the mouse in another pane, without covering `pixel`: outlines it if it is large enough, else points at it.
void paintCursor(QPainter& painter, const QRectF& pixel);
inline void paintCursor(QPainter& painter, const PaneGeometry& geometry, PixelPosition pixel) {
    paintCursor(painter, geometry.rectOf(pixel));
}

struct Legend {
    QString low, high;
    std::function<QRgb(double)> colour;  ///< of t in [0, 1]
    bool middleMarked = false;           ///< the middle means zero
    std::optional<QRgb> below, above;    ///< of values beyond the ends
};
/// The legend of a colour map, if one is used. `differenceScale` <= 0: unknown.
std::optional<Legend> legendOf(const Colouring& colouring, double differenceScale, bool inverted = false);
/// Returns the width of a legend in one line, at most `room`; 0 if it does not fit.
int legendWidth(const QFontMetrics& metrics, const Legend& legend, int room);
/// Paints the legend in one line in the colour of the pen: the lowest value, the colours, the highest value.
void paintLegend(QPainter& painter, const QRect& area, const Legend& legend);

}  // namespace parallax::ui
