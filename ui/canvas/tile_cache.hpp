// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of one pane. Tiles are rendered while painting, within a time budget; missing ones are drawn from the coarsest level and
// follow in the next frames, and notes on the pixels last. What has been drawn is kept: panning moves it and draws the uncovered edges
// alone.
#pragma once

#include <QColor>
#include <QImage>
#include <QPainter>
#include <QPixmap>
#include <QRegion>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ui/canvas/display_transform.hpp"

namespace parallax::ui {

class TileCache {
public:
    static constexpr int kTileSize = 256;

    void setPyramid(PyramidPtr pyramid);
    void setColouring(const Colouring& colouring);
    const Colouring& colouring() const { return colouring_; }
    const PyramidPtr& pyramid() const { return pyramid_; }

    /// Where the image lies in the pane, in device pixels: image position p at origin + p * scale.
    struct Placement {
        QSize pane;
        QPoint origin;
        double scale = 1;
        QColor background;  ///< around the image
        bool grid = false;  ///< lines between pixels that are large enough
        friend bool operator==(const Placement&, const Placement&) = default;
    };
    /// Draws notes over a part of the picture, which clips them. Device pixels of the pane.
    using Notes = std::function<void(QPainter& painter, const QRect& part)>;
    /// Draws the part `viewport` of the pane. Returns false if some tiles or notes are left for the next frame. Notes are drawn once at
    /// each placement, on which alone they depend.
    bool paint(QPainter& painter, const QRect& viewport, const Placement& placement, const Notes& notes = nullptr);
    /// Milliseconds until tiles can be rendered again. All panes share the time of a frame.
    static int untilNextFrame();

private:
    struct Tile {
        QImage image;
        std::uint64_t used = 0;
    };
    struct Place {
        std::int64_t x, y;
        QRectF target;  // device pixels
    };
    static std::uint64_t key(int level, std::int64_t x, std::int64_t y) {
        return (static_cast<std::uint64_t>(level) << 56) | (static_cast<std::uint64_t>(y) << 28) | static_cast<std::uint64_t>(x);
    }
    const Tile* find(int level, std::int64_t x, std::int64_t y);
    using TilePosition = std::pair<std::int64_t, std::int64_t>;
    /// Renders tiles on several cores; blocks until they are done.
    void make(int level, const std::vector<TilePosition>& positions);
    void evict(std::size_t keep);
    /// The tiles of a level that touch a part of the pane.
    std::vector<Place> visible(const QRect& part, int level) const;
    /// Moves the picture to a new placement; what it does not cover becomes due.
    void place(const Placement& placement);
    /// Draws what is due in `part` into the picture, as far as the time budget goes.
    void draw(const QRegion& part);
    void drawGrid(QPainter& painter, const QRegion& part) const;
    /// Draws notes where they are missing, as far as the time budget goes.
    void note(const QRect& viewport, const Notes& notes);

    PyramidPtr pyramid_;
    Colouring colouring_;
    std::unordered_map<std::uint64_t, Tile> tiles_;
    std::uint64_t frame_ = 0;
    Placement placement_;
    QPixmap picture_;  ///< the whole pane
    QRegion due_;      ///< parts of the picture that are not drawn, or only from the coarsest level
    QRegion bare_;     ///< parts that are drawn and lack their notes
};

}  // namespace parallax::ui
