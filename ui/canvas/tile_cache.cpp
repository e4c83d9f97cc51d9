// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/tile_cache.hpp"

#include <QElapsedTimer>
#include <QSemaphore>
#include <QThread>
#include <QThreadPool>
#include <algorithm>
#include <cmath>
#include <vector>

namespace parallax::ui {
namespace {

constexpr double kGridScale = 10;  // device pixels per image pixel; below, the lines would cover too much

constexpr qint64 kBudgetMilliseconds = 5;  // of a 16.7 ms frame; the rest is for drawing

/// The time that all panes of a window share in one frame. A pane that gets none now has its turn in the next frame.
class FrameBudget {
public:
    void enter() {
        if (!clock_.isValid() || clock_.elapsed() > kFrameMilliseconds) clock_.start();
    }
    bool left() const { return clock_.elapsed() < kBudgetMilliseconds; }
    int untilNext() const { return left() ? 0 : static_cast<int>(std::max<qint64>(0, kFrameMilliseconds + 1 - clock_.elapsed())); }

private:
    static constexpr qint64 kFrameMilliseconds = 14;
    QElapsedTimer clock_;
};

FrameBudget& frameBudget() {
    static FrameBudget budget;  // all painting happens in the GUI thread
    return budget;
}

// Half as many more than the visible ones stay, so that zooming back finds them.
constexpr std::size_t kFewestKept = 24, kMaxKept = 384;  // 6 and 96 MiB

int levelFor(double scale, int levels) {
    if (scale >= 1) return 0;
    return std::clamp(static_cast<int>(std::floor(-std::log2(scale) + 1e-9)), 0, levels - 1);
}

/// Half transparent grey is visible on light and dark pixels.
constexpr QColor kGrid(128, 128, 128, 110);

}  // namespace

int TileCache::untilNextFrame() { return frameBudget().untilNext(); }

void TileCache::setPyramid(PyramidPtr pyramid) {
    if (pyramid == pyramid_) return;
    due_ = picture_.rect();
    // Level 0 stays the same when the reduced levels arrive.
    const bool sameImage = pyramid && pyramid_ && pyramid->image() == pyramid_->image();
    pyramid_ = std::move(pyramid);
    if (!sameImage) tiles_.clear();
    else std::erase_if(tiles_, [](const auto& entry) { return (entry.first >> 56) != 0; });
}

void TileCache::setColouring(const Colouring& colouring) {
    if (colouring == colouring_) return;
    colouring_ = colouring;
    due_ = picture_.rect();
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

std::vector<TileCache::Place> TileCache::visible(const QRect& part, int level) const {
    const QPointF origin = placement_.origin;
    const double scale = placement_.scale, extent = kTileSize * std::exp2(level);  // image pixels
    const auto first = [&](double edge, double from) {
        return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor((edge - from) / (extent * scale))));
    };
    const auto last = [&](double edge, double from, std::int64_t size) {
        return std::min<std::int64_t>((size + kTileSize - 1) / kTileSize - 1,
                                      static_cast<std::int64_t>(std::floor((edge - from) / (extent * scale))));
    };
    const std::int64_t x0 = first(part.left(), origin.x()), x1 = last(part.right() + 1, origin.x(), pyramid_->width(level));
    const std::int64_t y0 = first(part.top(), origin.y()), y1 = last(part.bottom() + 1, origin.y(), pyramid_->height(level));
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

void TileCache::place(const Placement& placement) {
    const QPoint moved = placement.origin - placement_.origin;
    const bool panned = placement.pane == placement_.pane && placement.scale == placement_.scale && placement.grid == placement_.grid &&
                        placement.background == placement_.background && picture_.rect().intersects(picture_.rect().translated(moved));
    placement_ = placement;
    if (!panned) {
        if (picture_.size() != placement.pane) picture_ = QPixmap(placement.pane);
        due_ = picture_.rect();
    } else if (!moved.isNull()) {
        QRegion uncovered;
        picture_.scroll(moved.x(), moved.y(), picture_.rect(), &uncovered);
        due_ = (due_.translated(moved) | uncovered) & picture_.rect();
        bare_ = bare_.translated(moved) & picture_.rect();
    }
}

void TileCache::draw(const QRegion& part) {
    const int coarsest = pyramid_->levels() - 1, level = levelFor(placement_.scale, pyramid_->levels());
    // All visible tiles are looked up, so that eviction keeps them.
    const std::vector<Place> inPane = visible(picture_.rect(), level);
    std::vector<Place> places, missing;
    for (const Place& place : inPane) {
        const bool made = find(level, place.x, place.y);
        if (!part.intersects(place.target.toAlignedRect())) continue;
        places.push_back(place);
        if (!made) missing.push_back(place);
    }
    // Half of the cores: the others compute the next results, and a frame must not wait for a thread that shares a core with them.
    // Measured on two cores: 99.6 % of frames in time with one thread, 82 % with two.
    static const auto atOnce = static_cast<std::size_t>(std::max(1, QThread::idealThreadCount() / 2));
    const auto positions = [](std::vector<Place>::const_iterator from, std::vector<Place>::const_iterator to) {
        std::vector<TilePosition> all;
        for (; from != to; ++from) all.emplace_back(from->x, from->y);
        return all;
    };
    auto next = missing.cbegin();
    while (next != missing.cend() && (level == coarsest || frameBudget().left())) {
        const auto end = next + std::min<std::ptrdiff_t>(missing.cend() - next, static_cast<std::ptrdiff_t>(atOnce));
        make(level, positions(next, end));
        next = end;
    }
    QRegion left;
    for (; next != missing.cend(); ++next) left += next->target.toAlignedRect();
    left &= part;

    QPainter painter(&picture_);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, placement_.scale < 1);
    const auto drawTiles = [&](int at, const std::vector<Place>& tiles, const QRegion& within) {
        for (const QRect& rect : within) {
            painter.setClipRect(rect);
            for (const Place& place : tiles)
                if (const Tile* tile = place.target.intersects(rect) ? find(at, place.x, place.y) : nullptr)
                    painter.drawImage(place.target, tile->image);
        }
    };
    for (const QRect& rect : part) painter.fillRect(rect, placement_.background);
    if (!left.isEmpty()) {
        // Only where no finer tile covers it: smooth enlarging over a whole window takes most of a frame.
        const std::vector<Place> coarse = visible(left.boundingRect(), coarsest);
        std::vector<Place> absent;
        for (const Place& place : coarse)
            if (!find(coarsest, place.x, place.y)) absent.push_back(place);
        make(coarsest, positions(absent.cbegin(), absent.cend()));
        drawTiles(coarsest, coarse, left);
    }
    drawTiles(level, places, part - left);
    if (placement_.grid && placement_.scale >= kGridScale) drawGrid(painter, part);
    due_ = (due_ - part) | left;
    bare_ |= part;
    evict(std::clamp(inPane.size() * 3 / 2, kFewestKept, kMaxKept));
}

void TileCache::drawGrid(QPainter& painter, const QRegion& part) const {
    const Shape& shape = pyramid_->image()->shape();
    const auto lines = [&](int origin, std::int64_t pixels, int from, int to) {
        std::vector<int> at;
        const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor((from - origin) / placement_.scale)));
        for (std::int64_t i = first; i <= pixels; ++i) {
            const int position = origin + static_cast<int>(std::lround(static_cast<double>(i) * placement_.scale));
            if (position > to) break;
            if (position >= from) at.push_back(position);
        }
        return at;
    };
    const auto end = [&](int origin, std::int64_t pixels) { return origin + std::lround(static_cast<double>(pixels) * placement_.scale); };
    const QPoint origin = placement_.origin;
    const QRect image(origin, QPoint(static_cast<int>(end(origin.x(), shape.width)), static_cast<int>(end(origin.y(), shape.height))));
    for (const QRect& each : part& image) {
        painter.setClipRect(each);
        for (const int y : lines(origin.y(), shape.height, each.top(), each.bottom()))
            painter.fillRect(each.left(), y, each.width(), 1, kGrid);
        // Blending an image of all vertical lines is ten times faster than single lines, each pixel of which is a span of its own.
        QImage columns(each.width(), std::min(each.height(), 32), QImage::Format_ARGB32_Premultiplied);
        columns.fill(Qt::transparent);
        const std::vector<int> at = lines(origin.x(), shape.width, each.left(), each.right());
        for (int row = 0; row < columns.height(); ++row)
            for (const int x : at) reinterpret_cast<QRgb*>(columns.scanLine(row))[x - each.left()] = qPremultiply(kGrid.rgba());
        for (int y = each.top(); y <= each.bottom(); y += columns.height()) painter.drawImage(each.left(), y, columns);
    }
}

void TileCache::note(const QRect& viewport, const Notes& notes) {
    // Bands of this height take a few milliseconds, and few rows of pixels lie in two of them.
    constexpr int kBand = 128;
    QPainter painter(&picture_);
    for (int top = viewport.top(); top <= viewport.bottom() && frameBudget().left(); top += kBand) {
        const QRect band = QRect(viewport.left(), top, viewport.width(), kBand) & viewport;
        for (const QRect& part : (bare_ - due_) & band) {
            painter.setClipRect(part);
            notes(painter, part);
        }
        bare_ -= QRegion(band) - due_;
    }
}

bool TileCache::paint(QPainter& painter, const QRect& viewport, const Placement& placement, const Notes& notes) {
    if (!pyramid_) return true;
    ++frame_;
    frameBudget().enter();
    place(placement);
    if (const QRegion part = due_ & viewport; !part.isEmpty()) draw(part);
    if (!notes) bare_ = {};
    else if (bare_.intersects(viewport)) note(viewport, notes);
    painter.drawPixmap(viewport.topLeft(), picture_, viewport);
    return !due_.intersects(viewport) && !bare_.intersects(viewport);
}

}  // namespace parallax::ui
