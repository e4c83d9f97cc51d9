// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace parallax {

/// Position and orientation of a volume. Patient axes are LPS (x to the left, y to the back, z to the head), lengths in mm.
struct Geometry {
    std::array<double, 3> spacing{1, 1, 1};                      ///< mm between sample centres along x, y, z
    std::array<double, 3> origin{0, 0, 0};                       ///< mm, centre of sample (0, 0, 0)
    std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< columns are the axis directions (unit length), row major
    std::string unit;                                            ///< of the samples, as in "HU"; empty if unknown
    /// If distances between slices differ (a missing slice): position of each along the third axis in mm from slice 0, and spacing[2] is
    /// the median distance. Empty: slice z is at z * spacing[2].
    std::vector<double> slicePositions;
};

/// Patient coordinates in mm of a sample or of a point between samples: origin + direction * (spacing * index).
inline std::array<double, 3> positionOf(const Geometry& g, double x, double y, double z) {
    double along = z * g.spacing[2];
    if (const std::size_t n = g.slicePositions.size(); n > 1) {
        // Interpolates between slices and extrapolates from the two outermost.
        const double last = static_cast<double>(n - 2);
        const auto i = static_cast<std::size_t>(z <= 0 ? 0 : std::fmin(std::floor(z), last));
        along = g.slicePositions[i] + (z - static_cast<double>(i)) * (g.slicePositions[i + 1] - g.slicePositions[i]);
    }
    const double steps[3] = {x * g.spacing[0], y * g.spacing[1], along};
    std::array<double, 3> p = g.origin;
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t axis = 0; axis < 3; ++axis) p[row] += g.direction[3 * row + axis] * steps[axis];
    return p;
}

/// The samples of two volumes of one size have the same positions within a thousandth of the finer spacing. Checks the corners, and those
/// of every slice if distances between slices differ.
inline bool sameGeometry(const Geometry& a, const Geometry& b, std::size_t width, std::size_t height, std::size_t depth) {
    double finest = a.spacing[0];
    for (const auto& spacing : {a.spacing, b.spacing})
        for (const double s : spacing) finest = std::fmin(finest, s);
    const bool uneven = !a.slicePositions.empty() || !b.slicePositions.empty();
    const auto last = [](std::size_t n) { return static_cast<double>(n > 0 ? n - 1 : 0); };
    for (std::size_t z = 0; z < depth; ++z) {
        if (!uneven && z != 0 && z + 1 != depth) continue;
        for (const double x : {0.0, last(width)})
            for (const double y : {0.0, last(height)}) {
                const auto p = positionOf(a, x, y, static_cast<double>(z)), q = positionOf(b, x, y, static_cast<double>(z));
                if (!(std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) <= 1e-3 * finest)) return false;
            }
    }
    return true;
}

}  // namespace parallax
