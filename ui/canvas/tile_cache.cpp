// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/tile_cache.hpp"

#include <QElapsedTimer>
#include <QRegion>
#include <QSemaphore>
#include <QThread>
#include <QThreadPool>
#include <algorithm>
#include <cmath>
#include <vector>

namespace parallax::ui {
namespace {

constexpr qint64 kBudgetMilliseconds = 5;  // of a 16.7 ms frame; the rest is for drawing

/// The time that all panes of a window share in one frame. A pane that gets none now has its turn in the next frame.
class FrameBudget {
public:
    void enter() {
        if (!clock_.isValid() || clock_.elapsed() > kFrameMilliseconds) clock_.start();
    }
    bool left() const { return clock_.elapsed() < kBudgetMilliseconds; }

private:
    static constexpr qint64 kFrameMilliseconds = 14;
    QElapsedTimer clock_;
};

FrameBudget& frameBudget() {
    static FrameBudget budget;  // all painting happens in the GUI thread
    return budget;
}

constexpr std::size_t kKeptTiles = 384;  // 96 MiB

int levelFor(double scale, int levels) {
    if (scale >= 1) return 0;
    return std::clamp(static_cast<int>(std::floor(-std::log2(scale) + 1e-9)), 0, levels - 1);
}

}  // namespace

void TileCache::setPyramid(PyramidPtr pyramid) {
    if (pyramid == pyramid_) return;
    // Level 0 stays the same when the reduced levels arrive.
    const bool sameImage = pyramid && pyramid_ && pyramid->image() == pyramid_->image();
    pyramid_ = std::move(pyramid);
    if (!sameImage) tiles_.clear();
    else std::erase_if(tiles_, [](const auto& entry) { return (entry.first >> 56) != 0; });
}

void TileCache::setColouring(const Colouring& colouring) {
    if (colouring == colouring_) return;
    colouring_ = colouring;
    tiles_.clear();
}

const TileCache::Tile* TileCache::find(int level, std::int64_t x, std::int64_t y) {
    const auto it = tiles_.find(key(level, x, y));
    if (it == tiles_.end()) return nullptr;
    it->second.used = frame_;
    return &it->second;
}

void TileCache::make(int level, const std::vector<TilePosition>& positions) {
    const QRect whole(0, 0, static_cast<int>(pyramid_->width(level)), static_cast<int>(pyramid_->height(level)));
    std::vector<QImage> images(positions.size());
    const auto render = [&](std::size_t i) {
        const QRect tile(static_cast<int>(positions[i].first * kTileSize), static_cast<int>(positions[i].second * kTileSize), kTileSize,
                         kTileSize);
        images[i] = renderTile(*pyramid_, level, tile & whole, colouring_);
    };
    QSemaphore done;
    int started = 0;
    for (std::size_t i = 1; i < positions.size(); ++i) {
        // If the pool is busy, render here instead of waiting in its queue.
        const bool taken = QThreadPool::globalInstance()->tryStart([&, i] {
            render(i);
            done.release();
        });
        if (taken) ++started;
        else render(i);
    }
    if (!positions.empty()) render(0);
    done.acquire(started);
    for (std::size_t i = 0; i < positions.size(); ++i)
        tiles_[key(level, positions[i].first, positions[i].second)] = {std::move(images[i]), frame_};
}

void TileCache::evict(std::size_t keep) {
    if (tiles_.size() <= keep) return;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> byAge;
    for (const auto& [k, tile] : tiles_)
        if (tile.used != frame_) byAge.emplace_back(tile.used, k);
    std::sort(byAge.begin(), byAge.end());
    for (const auto& [used, k] : byAge) {
        if (tiles_.size() <= keep) break;
        tiles_.erase(k);
    }
}

std::vector<TileCache::Place> TileCache::visible(const QRect& viewport, QPointF origin, double scale, int level) const {
    const double extent = kTileSize * std::exp2(level);  // image pixels
    const auto first = [&](double edge, double from) {
        return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor((edge - from) / (extent * scale))));
    };
    const auto last = [&](double edge, double from, std::int64_t size) {
        return std::min<std::int64_t>((size + kTileSize - 1) / kTileSize - 1,
                                      static_cast<std::int64_t>(std::floor((edge - from) / (extent * scale))));
    };
    const std::int64_t x0 = first(viewport.left(), origin.x()), x1 = last(viewport.right() + 1, origin.x(), pyramid_->width(level));
    const std::int64_t y0 = first(viewport.top(), origin.y()), y1 = last(viewport.bottom() + 1, origin.y(), pyramid_->height(level));
    const double width = static_cast<double>(pyramid_->image()->shape().width);
    const double height = static_cast<double>(pyramid_->image()->shape().height);
    // Neighbours share rounded edges, so that no seam shows.
    const auto edge = [&](double from, std::int64_t tile, double limit) {
        return std::round(from + std::min(static_cast<double>(tile) * extent, limit) * scale);
    };
    std::vector<Place> places;
    for (std::int64_t y = y0; y <= y1; ++y) {
        for (std::int64_t x = x0; x <= x1; ++x) {
            const double left = edge(origin.x(), x, width), right = edge(origin.x(), x + 1, width);
            const double top = edge(origin.y(), y, height), bottom = edge(origin.y(), y + 1, height);
            places.push_back({x, y, QRectF(left, top, std::max(1.0, right - left), std::max(1.0, bottom - top))});
        }
    }
    return places;
}

bool TileCache::paint(QPainter& painter, const QRect& viewport, QPointF origin, double scale) {
    if (!pyramid_) return true;
    ++frame_;
    frameBudget().enter();
    const int level = levelFor(scale, pyramid_->levels());
    const int coarsest = pyramid_->levels() - 1;
    painter.setRenderHint(QPainter::SmoothPixmapTransform, scale < 1);
    const auto draw = [&](int at, const std::vector<Place>& places) {
        for (const Place& place : places)
            if (const Tile* tile = find(at, place.x, place.y)) painter.drawImage(place.target, tile->image);
    };
    const std::vector<Place> places = visible(viewport, origin, scale, level);
    const auto missing = [&](int at, const std::vector<Place>& needed) {
        std::vector<TilePosition> positions;
        for (const Place& place : needed)
            if (!find(at, place.x, place.y)) positions.emplace_back(place.x, place.y);
        return positions;
    };
    const std::vector<TilePosition> missingTiles = missing(level, places);
    // Half of the cores: the others compute the next results, and a frame must not wait for a thread that shares a core with them.
    // Measured on two cores: 99.6 % of frames in time with one thread, 82 % with two.
    static const auto atOnce = static_cast<std::size_t>(std::max(1, QThread::idealThreadCount() / 2));
    std::size_t made = 0;
    while (made < missingTiles.size() && (level == coarsest || frameBudget().left())) {
        const std::size_t next = std::min(missingTiles.size(), made + atOnce);
        make(level, {missingTiles.begin() + static_cast<std::ptrdiff_t>(made), missingTiles.begin() + static_cast<std::ptrdiff_t>(next)});
        made = next;
    }
    const bool complete = made == missingTiles.size();
    if (!complete) {
        const std::vector<Place> coarse = visible(viewport, origin, scale, coarsest);
        make(coarsest, missing(coarsest, coarse));
        // Only where no finer tile covers it: smooth enlarging over a whole window takes most of a frame.
        QRegion uncovered;
        for (const Place& place : places)
            if (!find(level, place.x, place.y)) uncovered += place.target.toAlignedRect();
        painter.save();
        painter.setClipRegion(uncovered, Qt::IntersectClip);
        draw(coarsest, coarse);
        painter.restore();
    }
    draw(level, places);
    evict(kKeptTiles);
    return complete;
}

}  // namespace parallax::ui
