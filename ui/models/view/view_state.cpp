// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/view/view_state.hpp"

#include <algorithm>
#include <cmath>

namespace parallax::ui {
namespace {

constexpr double kMaxStops = 100;

}  // namespace

void ViewState::setImageSize(QSizeF size) {
    if (size == imageSize_) return;
    imageSize_ = size;
    mark_.reset();  // belongs to the previous image
    setSelection({});
    fitting_ = true;
    applyFit();
    emit viewChanged();
}

void ViewState::setExtent(QSizeF size) {
    if (size == imageSize_) return;
    imageSize_ = size;
    if (fitting_) applyFit();
    emit viewChanged();
}

void ViewState::setPaneSize(QSizeF size) {
    if (size == paneSize_ || size.isEmpty()) return;
    paneSize_ = size;
    if (fitting_) applyFit();
    emit viewChanged();
}

void ViewState::applyFit() {
    if (imageSize_.isEmpty() || paneSize_.isEmpty()) return;
    centre_ = QPointF(imageSize_.width() / 2, imageSize_.height() / 2);
    const double scale = std::min(paneSize_.width() / imageSize_.width(), paneSize_.height() / imageSize_.height());
    scale_ = std::clamp(scale, kMinimumScale, kMaximumScale);
}

void ViewState::fit() {
    fitting_ = true;
    applyFit();
    emit viewChanged();
}

void ViewState::setScale(double scale) {
    fitting_ = false;
    scale_ = std::clamp(scale, kMinimumScale, kMaximumScale);
    emit viewChanged();
}

void ViewState::zoomAt(QPointF fromMiddle, double factor) {
    const double scale = std::clamp(scale_ * factor, kMinimumScale, kMaximumScale);
    centre_ += fromMiddle / scale_ - fromMiddle / scale;
    scale_ = scale;
    fitting_ = false;
    emit viewChanged();
}

void ViewState::panBy(QPointF devicePixels) {
    centre_ -= devicePixels / scale_;
    // Keeps a part of the image visible.
    centre_.setX(std::clamp(centre_.x(), 0.0, imageSize_.width()));
    centre_.setY(std::clamp(centre_.y(), 0.0, imageSize_.height()));
    fitting_ = false;
    emit viewChanged();
}

void ViewState::lookAt(QPointF imagePosition) {
    centre_ = imagePosition;
    fitting_ = false;
    emit viewChanged();
}

void ViewState::goTo(PixelPosition position) {
    constexpr double kReadable = 16;  // device pixels per image pixel
    mark_ = position;
    scale_ = std::max(scale_, kReadable);
    lookAt(QPointF(static_cast<double>(position.x) + 0.5, static_cast<double>(position.y) + 0.5));
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
    const QSizeF half = paneSize_ / (2 * scale_);
    const QRectF seen(centre_.x() - half.width(), centre_.y() - half.height(), 2 * half.width(), 2 * half.height());
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
