// SPDX-License-Identifier: GPL-3.0-or-later
// A plane of a mosaic of regions, or of one region alone, as grey values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ui/models/regions/region_figures.hpp"

namespace parallax::ui {

/// Which two axes are seen; the third one is gone through.
enum class RegionPlane { xy, xz, yz };
inline constexpr std::array<RegionPlane, 3> kRegionPlanes{RegionPlane::xy, RegionPlane::xz, RegionPlane::yz};
/// Axes to the right, down, and through.
std::array<std::size_t, 3> axesOf(RegionPlane plane);

/// What is seen of a mosaic.
struct RegionView {
    RegionPlane plane = RegionPlane::xy;
    std::int64_t slice = 0;                          ///< along the third axis, of the whole mosaic
    int alone = -1;                                  ///< the only region that is seen, or -1: all
    std::array<std::int64_t, 3> origin{}, extent{};  ///< set by viewOf()
};

/// Fills origin and extent, and brings the slice into the range that is there.
RegionView viewOf(const Shape& mosaic, const std::vector<Region>& regions, RegionView view);

/// The region that a sample belongs to; -1 in a gap between regions.
int regionAt(const std::vector<Region>& regions, const std::array<std::int64_t, 3>& sample);
/// Where a point of the plane (0 to 1 to the right and down) is in the mosaic.
std::array<std::int64_t, 3> sampleAt(const RegionView& view, double right, double down);

struct RegionPixel {
    enum class Kind : std::uint8_t { value, gap, notFinite };
    Kind kind = Kind::gap;
    std::uint8_t grey = 0;
};
/// width x height pixels, each the sample that lies in its middle: 128 is the middle of its region, and gain 1 brings the farthest sample
/// to black or white.
std::vector<RegionPixel> drawRegions(const View<const float>& channel, const std::vector<Region>& regions,
                                     const std::vector<RegionFigures>& figures, const std::vector<double>& gains, const RegionView& view,
                                     int width, int height);

}  // namespace parallax::ui
