// SPDX-License-Identifier: GPL-3.0-or-later
// How the voxels of a volume lie in the patient, and which of them a plane on the screen shows. Planes follow the voxel grid:
// nothing is resampled to stand square in the patient.
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

/// Index of a voxel along x, y and z of the file.
using Voxel = std::array<std::int64_t, 3>;

/// Voxels along one axis in mm. 0 mm is the outer edge of the first one.
class AxisMap {
public:
    AxisMap() = default;
    /// Evenly spaced.
    AxisMap(std::int64_t count, double spacing);
    /// At these places (mm, ascending, at least two).
    explicit AxisMap(const std::vector<double>& positions);

    std::int64_t count() const { return count_; }
    /// mm from the outer edge of the first voxel to that of the last.
    double extent() const { return extent_; }
    /// mm of a voxel's centre, or of a place between voxels; beyond the ends by the outer distances.
    double mmOf(double index) const;
    /// The inverse of mmOf().
    double indexOf(double mm) const;
    /// The voxel whose centre is nearest; the outer one beyond the ends.
    std::int64_t nearest(double mm) const;
    /// Does the place lie in the volume?
    bool holds(double mm) const { return mm >= 0 && mm < extent_; }

private:
    std::int64_t count_ = 1;
    double spacing_ = 1, extent_ = 1;
    std::vector<double> centres_;  // empty: even
};

/// How a plane lies on the screen.
struct PlaneAxes {
    int u = 0, v = 1, n = 2;            ///< voxel axis that goes to the right, down, and through the plane
    bool flipU = false, flipV = false;  ///< the voxel axis goes to the left, up
    int towards = 1;                    ///< step along n that goes to the head, the front or the patient's right
};

class VolumeFrame {
public:
    VolumeFrame() : VolumeFrame(Shape{1, 1, 1, 1}, std::nullopt) {}
    /// Not oriented: only the distances of the geometry mean something.
    VolumeFrame(const Shape& shape, const std::optional<Geometry>& geometry, bool oriented = true);
    explicit VolumeFrame(const Image& image);

    const AxisMap& axis(int a) const { return axes_[static_cast<std::size_t>(a)]; }
    Voxel counts() const { return {axes_[0].count(), axes_[1].count(), axes_[2].count()}; }
    bool holds(const Voxel& voxel) const;
    Voxel clamped(const Voxel& voxel) const;
    /// Radiological: the patient's right is on the left of axial and coronal planes. Else on the right. Where nothing is known of sides,
    /// x goes to the right in any case.
    PlaneAxes plane(PlaneKind kind, bool radiological) const;

    /// Is it known where the patient's sides are? Else planes are called by their voxel axes.
    bool placed() const { return geometry_ && oriented_; }
    const std::optional<Geometry>& geometry() const { return geometry_; }
    /// Patient coordinates in mm (LPS) of a voxel's centre.
    std::array<double, 3> patientOf(const Voxel& voxel) const;
    /// The largest angle between an axis of the voxels and the patient's axis that it stands for, in degrees.
    double obliqueness() const { return obliqueness_; }

    /// "L", "LA" where it is oblique; of the direction along a voxel axis, or against it. Empty if not placed.
    QString letters(int axis, bool forwards) const;
    /// Smallest distance between voxels, mm.
    double finestSpacing() const;

    friend bool operator==(const VolumeFrame& a, const VolumeFrame& b);

private:
    std::array<AxisMap, 3> axes_;
    std::optional<Geometry> geometry_;
    bool oriented_ = true;
    std::array<int, 3> voxelAxis_{0, 1, 2};           // of the patient's x, y, z
    std::array<bool, 3> forwards_{true, true, true};  // does that voxel axis go towards L, P, S?
    double obliqueness_ = 0;
};

/// "L 12.3 · P 4.5 · S 100.0 mm" of patient coordinates.
QString patientText(const std::array<double, 3>& lps);

}  // namespace parallax::ui
