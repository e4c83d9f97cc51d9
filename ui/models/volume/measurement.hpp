// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths and angles on a plane of a volume.
#pragma once

#include <QPointF>
#include <cstdint>
#include <vector>

#include "ui/models/volume/volume_frame.hpp"

namespace parallax::ui {

/// A length, or an angle between two lengths, on one slice.
struct Measurement {
    PlaneKind kind = PlaneKind::axial;
    std::int64_t slice = 0;  ///< index of the voxels that it lies on, along the plane's normal
    /// The two ends; or end, vertex, end. In mm along the plane's voxel axes u and v.
    std::vector<QPointF> points;
    friend bool operator==(const Measurement&, const Measurement&) = default;
};

/// The lengths between neighbouring points in mm. The axes of a plane across a tilted series are not perpendicular.
std::vector<double> lengthsOf(const Measurement& measurement, const VolumeFrame& frame);
/// The angle at the vertex in degrees, from 0 to 180; 0 if one of its sides has no length. Requires three points.
double angleOf(const Measurement& measurement, const VolumeFrame& frame);
/// The longest of 1, 2, 5, 10, 20, 50, ... and 0.5, 0.2, 0.1, ... that is at most `longest`, which is positive.
double roundLength(double longest);

}  // namespace parallax::ui
