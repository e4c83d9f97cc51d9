// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/view/view_state.hpp"

#include <algorithm>
#include <cmath>

namespace parallax::ui {
namespace {

constexpr double kMaxStops = 100;

}  // namespace

void ViewState::setLinked(bool linked) {
    if (linked == linked_ || panes_.empty()) return;
    if (linked) {
        shared_ = current();
        shared_.extent = {};
    } else {
        for (Viewport& pane : panes_) pane = {shared_.centre, shared_.scale, shared_.fitting, pane.extent};
    }
    linked_ = linked;
    applyFits();
    emit viewChanged();
}

int ViewState::addPane() {
    panes_.push_back(shared_);
    return static_cast<int>(panes_.size()) - 1;
}

void ViewState::setCurrentPane(int pane) {
    if (pane == currentPane_) return;
    currentPane_ = pane;
    if (!linked_) emit viewChanged();
}

void ViewState::setPaneExtent(int pane, QSizeF extent) {
    Viewport& viewport = panes_.at(static_cast<std::size_t>(pane));
    if (extent == viewport.extent) return;
    viewport.extent = extent;
    if (linked_) return;
    if (viewport.fitting) applyFit(viewport);
    emit viewChanged();
}

QSizeF ViewState::extentOf(const Viewport& viewport) const { return linked_ || viewport.extent.isEmpty() ? imageSize_ : viewport.extent; }

void ViewState::setImageSize(QSizeF size) {
    if (size == imageSize_) return;
    imageSize_ = size;
    mark_.reset();  // belongs to the previous image
    setSelection({});
    shared_.fitting = true;
    for (Viewport& pane : panes_) pane.fitting = true;
    applyFits();
    emit viewChanged();
}

void ViewState::setExtent(QSizeF size) {
    if (size == imageSize_) return;
    imageSize_ = size;
    applyFits();
    emit viewChanged();
}

void ViewState::setPaneSize(QSizeF size) {
    if (size == paneSize_ || size.isEmpty()) return;
    paneSize_ = size;
    applyFits();
    emit viewChanged();
}

void ViewState::applyFits() {
    if (shared_.fitting) applyFit(shared_);
    for (Viewport& pane : panes_)
        if (pane.fitting) applyFit(pane);
}

void ViewState::applyFit(Viewport& viewport) const {
    const QSizeF extent = extentOf(viewport);
    if (extent.isEmpty() || paneSize_.isEmpty()) return;
    viewport.centre = QPointF(extent.width() / 2, extent.height() / 2);
    const double scale = std::min(paneSize_.width() / extent.width(), paneSize_.height() / extent.height());
    viewport.scale = std::clamp(scale, kMinimumScale, kMaximumScale);
}

void ViewState::fit() {
    current().fitting = true;
    applyFit(current());
    emit viewChanged();
}

void ViewState::setScale(double scale) {
    current().fitting = false;
    current().scale = std::clamp(scale, kMinimumScale, kMaximumScale);
    emit viewChanged();
}

void ViewState::zoomAt(QPointF fromMiddle, double factor) {
    Viewport& viewport = current();
    const double scale = std::clamp(viewport.scale * factor, kMinimumScale, kMaximumScale);
    viewport.centre += fromMiddle / viewport.scale - fromMiddle / scale;
    viewport.scale = scale;
    viewport.fitting = false;
    emit viewChanged();
}

void ViewState::panBy(QPointF devicePixels) {
    Viewport& viewport = current();
    const QSizeF extent = extentOf(viewport);
    viewport.centre -= devicePixels / viewport.scale;
    // Keeps a part of the image visible.
    viewport.centre.setX(std::clamp(viewport.centre.x(), 0.0, extent.width()));
    viewport.centre.setY(std::clamp(viewport.centre.y(), 0.0, extent.height()));
    viewport.fitting = false;
    emit viewChanged();
}

void ViewState::lookAt(QPointF imagePosition) {
    current().centre = imagePosition;
    current().fitting = false;
    emit viewChanged();
}

void ViewState::goTo(PixelPosition position) {
    constexpr double kReadable = 16;  // device pixels per image pixel
    mark_ = position;
    const QPointF centre(static_cast<double>(position.x) + 0.5, static_cast<double>(position.y) + 0.5);
    // Panes that are not linked go there too: the pixel is about all of them.
    const auto go = [&](Viewport& viewport) {
        viewport.scale = std::max(viewport.scale, kReadable);
        viewport.centre = centre;
        viewport.fitting = false;
    };
    go(shared_);
    if (!linked_)
        for (Viewport& pane : panes_) go(pane);
    emit viewChanged();
}

void ViewState::setMark(std::optional<PixelPosition> position) {
    if (position == mark_) return;
    mark_ = position;
    emit viewChanged();
}

void ViewState::setSelection(const QRect& pixels) {
    const QRect inside = pixels.normalized() & QRect(QPoint(0, 0), imageSize_.toSize());
    const QRect chosen = pixels.isNull() || inside.isEmpty() ? QRect() : inside;
    if (chosen == selection_) return;
    selection_ = chosen;
    emit selectionChanged();
}

QRect ViewState::visiblePixels() const {
    const QSizeF half = paneSize_ / (2 * scale());
    const QRectF seen(centre().x() - half.width(), centre().y() - half.height(), 2 * half.width(), 2 * half.height());
    return seen.intersected(QRectF(QPointF(0, 0), imageSize_)).toAlignedRect() & QRect(QPoint(0, 0), imageSize_.toSize());
}

void ViewState::setSelecting(bool selecting) {
    if (selecting == selecting_) return;
    selecting_ = selecting;
    emit viewChanged();
}

void ViewState::setPicking(bool picking) {
    if (picking == picking_) return;
    picking_ = picking;
    emit pickingChanged();
}

void ViewState::pick(PixelPosition position) {
    const bool inside = position.x >= 0 && position.y >= 0 && static_cast<double>(position.x) < imageSize_.width() &&
                        static_cast<double>(position.y) < imageSize_.height();
    if (picking_ && inside) emit picked(position);
}

void ViewState::setPixelGrid(bool shown) {
    if (shown == pixelGrid_) return;
    pixelGrid_ = shown;
    emit viewChanged();
}

void ViewState::setDisplay(const DisplaySettings& display) {
    DisplaySettings possible = display;
    // Keeps 2^exposure within the range of float.
    possible.exposure = std::clamp(possible.exposure, -kMaxStops, kMaxStops);
    if (possible == display_ || !std::isfinite(possible.exposure) || !std::isfinite(possible.offset)) return;
    display_ = possible;
    emit displayChanged();
}

void ViewState::setExposure(double stops) {
    DisplaySettings changed = display_;
    changed.exposure = stops;
    setDisplay(changed);
}

void ViewState::setDifferenceScale(double scale) {
    DisplaySettings changed = display_;
    changed.differenceScale = scale;
    setDisplay(changed);
}

void ViewState::setDifferenceMode(DifferenceMode mode) {
    DisplaySettings changed = display_;
    changed.differenceMode = mode;
    setDisplay(changed);
}

void ViewState::resetDisplay() { setDisplay(firstDisplay_); }

void ViewState::setCursor(std::optional<PixelPosition> position) {
    if (position == cursor_) return;
    cursor_ = position;
    emit cursorChanged();
}

}  // namespace parallax::ui
