// SPDX-License-Identifier: GPL-3.0-or-later
// Orientation of a volume in the patient, and the planes shown on the screen. Planes follow the voxel grid; nothing is resampled.
#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/image/geometry.hpp"
#include "core/image/image.hpp"
#include "core/image/shape.hpp"

namespace parallax::ui {

enum class PlaneKind { axial, coronal, sagittal };
inline constexpr std::array<PlaneKind, 3> kAllPlanes{PlaneKind::axial, PlaneKind::coronal, PlaneKind::sagittal};

/// Indices of a voxel along x, y and z of the file.
using Voxel = std::array<std::int64_t, 3>;

/// Positions of voxels along one axis in mm, from the outer edge of the first voxel.
class AxisMap {
public:
    AxisMap() = default;
    /// Evenly spaced.
    AxisMap(std::int64_t count, double spacing);
    /// With centres at these positions (mm, ascending, at least two).
    explicit AxisMap(const std::vector<double>& positions);

    std::int64_t count() const { return count_; }
    /// Length in mm from the outer edge of the first voxel to that of the last.
    double extent() const { return extent_; }
    /// Position in mm of a voxel's centre; interpolates between voxels and extrapolates beyond the ends.
    double mmOf(double index) const;
    /// The inverse of mmOf().
    double indexOf(double mm) const;
    /// The voxel with the nearest centre.
    std::int64_t nearest(double mm) const;
    /// Is the position inside the volume?
    bool holds(double mm) const { return mm >= 0 && mm < extent_; }

private:
    std::int64_t count_ = 1;
    double spacing_ = 1, extent_ = 1;
    std::vector<double> centres_;  // empty: evenly spaced
};

/// Orientation of a plane on the screen.
struct PlaneAxes {
    int u = 0, v = 1, n = 2;            ///< voxel axes that point right, down and through the plane
    bool flipU = false, flipV = false;  ///< the voxel axis points left, up instead
    int towards = 1;                    ///< step along n towards the head, the front or the patient's right
};

class VolumeFrame {
public:
    VolumeFrame() : VolumeFrame(Shape{1, 1, 1, 1}, std::nullopt) {}
    /// `oriented` false: only the spacing of the geometry is meaningful.
    VolumeFrame(const Shape& shape, const std::optional<Geometry>& geometry, bool oriented = true);
    explicit VolumeFrame(const Image& image);

    const AxisMap& axis(int a) const { return axes_[static_cast<std::size_t>(a)]; }
    Voxel counts() const { return {axes_[0].count(), axes_[1].count(), axes_[2].count()}; }
    bool holds(const Voxel& voxel) const;
    Voxel clamped(const Voxel& voxel) const;
    /// Radiological: the patient's right is on the left of axial and coronal planes; otherwise on the right. Unknown orientation: x points
    /// right in both.
    PlaneAxes plane(PlaneKind kind, bool radiological) const;

    /// Is the orientation in the patient known? Otherwise planes are named by their voxel axes.
    bool placed() const { return geometry_ && oriented_; }
    const std::optional<Geometry>& geometry() const { return geometry_; }
    /// Patient coordinates in mm (LPS) of a voxel's centre.
    std::array<double, 3> patientOf(const Voxel& voxel) const;
    /// The cosine of the angle between two voxel axes; not 0 where the slices of a series are shifted against each other.
    double cosine(int a, int b) const;
    /// The largest angle between a voxel axis and its patient axis, in degrees.
    double obliqueness() const { return obliqueness_; }

    /// Orientation letters of a voxel axis, forwards or backwards: "L", "LA" if oblique. Empty if not placed.
    QString letters(int axis, bool forwards) const;
    /// The smallest voxel spacing in mm.
    double finestSpacing() const;

    friend bool operator==(const VolumeFrame& a, const VolumeFrame& b);

private:
    std::array<AxisMap, 3> axes_;
    std::optional<Geometry> geometry_;
    bool oriented_ = true;
    std::array<int, 3> voxelAxis_{0, 1, 2};           // voxel axes of the patient's x, y, z
    std::array<bool, 3> forwards_{true, true, true};  // does that voxel axis point towards L, P, S?
    double obliqueness_ = 0;
};

/// Formats patient coordinates: "L 12.3 · P 4.5 · S 100.0 mm".
QString patientText(const std::array<double, 3>& lps);

}  // namespace parallax::ui
