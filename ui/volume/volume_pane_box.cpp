// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a pane that draws, resizes and moves the box of the selection.
#include "ui/volume/volume_pane.hpp"

namespace parallax::ui {
namespace {

constexpr double kGrabDistance = 7;  // pixels

}  // namespace

QRectF VolumePane::boxPlace() const {
    if (!state_.box()) return {};
    const QRectF edges = edgesOf(*state_.box(), state_.frame(), state_.axes(kind_));
    return QRectF(placeOf(edges.topLeft()), placeOf(edges.bottomRight())).normalized();
}

QPointF VolumePane::mmAt(QPointF position) const { return state_.mmAt(state_.axes(kind_), fromMiddle(position)); }

std::optional<BoxGrip> VolumePane::boxGripAt(QPointF position) const {
    if (!state_.box()) return {};
    const double reach = kGrabDistance * devicePixelRatioF() / state_.scale();
    return gripAt(edgesOf(*state_.box(), state_.frame(), state_.axes(kind_)), mmAt(position), reach);
}

void VolumePane::moveBox(QPointF position) {
    const PlaneAxes axes = state_.axes(kind_);
    const QPointF from = mmAt(from_), to = mmAt(position);
    state_.setBox(boxFrom_ ? dragged(*boxFrom_, boxGrip_, state_.frame(), axes, from, to)
                           : boxBetween(state_.frame(), axes, slice(), from, to));
}

void VolumePane::beginBox(QPointF position) {
    const std::optional<BoxGrip> grip = boxGripAt(position);
    boxFrom_ = grip ? state_.box() : std::nullopt;
    boxGrip_ = grip.value_or(BoxGrip{});
}

void VolumePane::endBox() {
    // A click beside the box removes it.
    if (!moved_ && !boxFrom_) state_.setBox({});
}

Qt::CursorShape VolumePane::boxCursorAt(QPointF position) const {
    const std::optional<BoxGrip> grip = boxGripAt(position);
    if (!grip) return Qt::CrossCursor;
    if (grip->holdsWhole()) return Qt::SizeAllCursor;
    if (grip->v == 0) return Qt::SizeHorCursor;
    if (grip->u == 0) return Qt::SizeVerCursor;
    const PlaneAxes axes = state_.axes(kind_);
    const bool falling = (grip->u == grip->v) == (axes.flipU == axes.flipV);
    return falling ? Qt::SizeFDiagCursor : Qt::SizeBDiagCursor;
}

}  // namespace parallax::ui
