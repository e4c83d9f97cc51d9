// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing, resizing and moving a box of voxels in a plane of a volume. Positions are in mm along the voxel axes u and v of the plane.
#pragma once

#include <QPointF>
#include <QRectF>
#include <cstdint>
#include <optional>

#include "ui/models/regions/sample_box.hpp"
#include "ui/models/volume/volume_frame.hpp"

namespace parallax::ui {

/// The part of a box that the mouse holds: for each axis of the plane its lower side (-1), its upper side (1) or neither (0); without any
/// side, the box as a whole.
struct BoxGrip {
    int u = 0, v = 0;
    bool holdsWhole() const { return u == 0 && v == 0; }
    friend bool operator==(const BoxGrip&, const BoxGrip&) = default;
};

/// The outer edges of the box in a plane.
QRectF edgesOf(const SampleBox& box, const VolumeFrame& frame, const PlaneAxes& axes);
/// Does a slice of the plane lie in the box?
bool crosses(const SampleBox& box, const PlaneAxes& axes, std::int64_t slice);
/// The part of a box within `reach` mm of a position; none outside the box.
std::optional<BoxGrip> gripAt(const QRectF& edges, QPointF position, double reach);
/// The box from the voxel at one position to that at another, around a slice; as deep as its shorter side is long.
SampleBox boxBetween(const VolumeFrame& frame, const PlaneAxes& axes, std::int64_t slice, QPointF from, QPointF to);
/// A box whose held sides were dragged from one position to another. It stays in the volume, and at least one voxel wide.
SampleBox dragged(const SampleBox& box, const BoxGrip& grip, const VolumeFrame& frame, const PlaneAxes& axes, QPointF from, QPointF to);

/// The part of a box inside the volume; none if there is none.
std::optional<SampleBox> inside(const std::optional<SampleBox>& box, const VolumeFrame& frame);
/// Volume in mm^3, or in voxels without a geometry. Slices of unequal distances and axes that are not perpendicular count as they are.
double volumeOf(const SampleBox& box, const VolumeFrame& frame);

}  // namespace parallax::ui
