// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a plane of a mosaic of regions, or of a single region, as grey values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ui/models/regions/region_figures.hpp"

namespace parallax::ui {

/// The two axes of the plane.
enum class RegionPlane { xy, xz, yz };
inline constexpr std::array<RegionPlane, 3> kRegionPlanes{RegionPlane::xy, RegionPlane::xz, RegionPlane::yz};
/// The axes that point right, down and through the plane.
std::array<std::size_t, 3> axesOf(RegionPlane plane);

/// The visible part of a mosaic.
struct RegionView {
    RegionPlane plane = RegionPlane::xy;
    std::int64_t slice = 0;                          ///< index along the third axis of the whole mosaic
    int alone = -1;                                  ///< index of the only visible region, or -1: all
    std::array<std::int64_t, 3> origin{}, extent{};  ///< set by viewOf()
};

/// Returns the view with origin and extent set, and the slice clamped to them.
RegionView viewOf(const Shape& mosaic, const std::vector<Region>& regions, RegionView view);

/// Index of the region that holds a sample; -1 in a gap between regions.
int regionAt(const std::vector<Region>& regions, const std::array<std::int64_t, 3>& sample);
/// The sample of the mosaic at a point of the plane (0 to 1 right and down).
std::array<std::int64_t, 3> sampleAt(const RegionView& view, double right, double down);

struct RegionPixel {
    enum class Kind : std::uint8_t { value, gap, notFinite };
    Kind kind = Kind::gap;
    std::uint8_t grey = 0;
};
/// Draws width x height pixels, each from the sample at its centre: 128 is the middle of its region, and at gain 1 the farthest sample is
/// black or white.
std::vector<RegionPixel> drawRegions(const View<const float>& channel, const std::vector<Region>& regions,
                                     const std::vector<RegionFigures>& figures, const std::vector<double>& gains, const RegionView& view,
                                     int width, int height);

}  // namespace parallax::ui
