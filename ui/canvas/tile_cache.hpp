// SPDX-License-Identifier: GPL-3.0-or-later
// Display tiles of one pane. Tiles are rendered while painting, within a time budget; missing ones are drawn from the coarsest level
// and follow in the next frames.
#pragma once

#include <QImage>
#include <QPainter>
#include <cstdint>
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
    const PyramidPtr& pyramid() const { return pyramid_; }

    /// Draws the part of the image in `viewport` (device pixels), with image position p at origin + p * scale.
    /// Returns false if some tiles are left for the next frame.
    bool paint(QPainter& painter, const QRect& viewport, QPointF origin, double scale);

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
    std::vector<Place> visible(const QRect& viewport, QPointF origin, double scale, int level) const;

    PyramidPtr pyramid_;
    Colouring colouring_;
    std::unordered_map<std::uint64_t, Tile> tiles_;
    std::uint64_t frame_ = 0;
};

}  // namespace parallax::ui
