// SPDX-License-Identifier: GPL-3.0-or-later
// Display tiles of one pane. Tiles are made while painting, within a time budget: what is not ready yet is drawn from the
// coarsest level and comes with the next frames, so that no frame waits for a large image.
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

    /// Draws what `viewport` (device pixels) shows when image position p lies at origin + p * scale.
    /// Returns false when some tiles had to wait for the next frame.
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
    /// On several cores, and done when it returns.
    void make(int level, const std::vector<TilePosition>& positions);
    void evict(std::size_t keep);
    std::vector<Place> visible(const QRect& viewport, QPointF origin, double scale, int level) const;

    PyramidPtr pyramid_;
    Colouring colouring_;
    std::unordered_map<std::uint64_t, Tile> tiles_;
    std::uint64_t frame_ = 0;
};

}  // namespace parallax::ui
