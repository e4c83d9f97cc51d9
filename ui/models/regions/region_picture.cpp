// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/regions/region_picture.hpp"

#include <algorithm>
#include <cmath>

namespace parallax::ui {

std::array<std::size_t, 3> axesOf(RegionPlane plane) {
    switch (plane) {
        case RegionPlane::xy: return {0, 1, 2};
        case RegionPlane::xz: return {0, 2, 1};
        case RegionPlane::yz: break;
    }
    return {1, 2, 0};
}

RegionView viewOf(const Shape& mosaic, const std::vector<Region>& regions, RegionView view) {
    view.origin = {};
    view.extent = {mosaic.width, mosaic.height, mosaic.depth};
    if (view.alone >= static_cast<int>(regions.size())) view.alone = -1;
    if (view.alone >= 0) {
        const Region& region = regions[static_cast<std::size_t>(view.alone)];
        view.origin = region.origin;
        view.extent = region.extent;
    }
    const std::size_t through = axesOf(view.plane)[2];
    view.slice = std::clamp(view.slice, view.origin[through], view.origin[through] + view.extent[through] - 1);
    return view;
}

namespace {

bool holds(const Region& region, const std::array<std::int64_t, 3>& sample) {
    for (std::size_t a = 0; a < 3; ++a)
        if (sample[a] < region.origin[a] || sample[a] >= region.origin[a] + region.extent[a]) return false;
    return true;
}

}  // namespace

int regionAt(const std::vector<Region>& regions, const std::array<std::int64_t, 3>& sample) {
    for (std::size_t i = 0; i < regions.size(); ++i)
        if (holds(regions[i], sample)) return static_cast<int>(i);
    return -1;
}

std::array<std::int64_t, 3> sampleAt(const RegionView& view, double right, double down) {
    const auto axes = axesOf(view.plane);
    std::array<std::int64_t, 3> sample{};
    const auto place = [&](std::size_t axis, double part) {
        const std::int64_t n = view.extent[axis];
        sample[axis] = view.origin[axis] + std::clamp<std::int64_t>(static_cast<std::int64_t>(part * static_cast<double>(n)), 0, n - 1);
    };
    place(axes[0], right);
    place(axes[1], down);
    sample[axes[2]] = view.slice;
    return sample;
}

std::vector<RegionPixel> drawRegions(const View<const float>& channel, const std::vector<Region>& regions,
                                     const std::vector<RegionFigures>& figures, const std::vector<double>& gains, const RegionView& view,
                                     int width, int height) {
    std::vector<RegionPixel> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    std::vector<double> middle, factor;
    for (std::size_t i = 0; i < regions.size(); ++i) {
        const double reach = viewedReach(figures, i);
        middle.push_back(figures[i].middle);
        factor.push_back(reach > 0 ? gains[i] / reach : 0);
    }
    int last = -1;  // region of the previous pixel, usually the same
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto s = sampleAt(view, (x + 0.5) / width, (y + 0.5) / height);
            if (last < 0 || !holds(regions[static_cast<std::size_t>(last)], s)) last = regionAt(regions, s);
            if (last < 0) continue;
            RegionPixel& p = pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
            const double v = static_cast<double>(channel.at(s[0], s[1], s[2]));
            if (!std::isfinite(v)) {
                p.kind = RegionPixel::Kind::notFinite;
                continue;
            }
            const auto r = static_cast<std::size_t>(last);
            p.kind = RegionPixel::Kind::value;
            p.grey = static_cast<std::uint8_t>(std::lround(std::clamp(127.5 + 127.5 * (v - middle[r]) * factor[r], 0.0, 255.0)));
        }
    return pixels;
}

}  // namespace parallax::ui
