// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/raw_preview.hpp"

#include <algorithm>
#include <cmath>

#include "ui/models/view/auto_display.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/session/worker.hpp"
#include "ui/volume/plane_renderer.hpp"

namespace parallax::ui {
namespace {

QImage pictureOf(const Image& slice, QSize limit, const std::stop_token& stop) {
    const Shape& shape = slice.shape();
    const Geometry geometry = slice.geometry.value_or(Geometry{});
    const AxisMap x(shape.width, geometry.spacing[0]), y(shape.height, geometry.spacing[1]);
    const double scale = std::min(limit.width() / x.extent(), limit.height() / y.extent());
    const int width = std::clamp(static_cast<int>(std::lround(x.extent() * scale)), 1, limit.width());
    const int height = std::clamp(static_cast<int>(std::lround(y.extent() * scale)), 1, limit.height());
    PlaneSlice samples;
    extractSlice(slice.view(), SliceRequest{}, samples, stop);
    DisplaySettings display;
    display.encoding = DisplayEncoding::linear;
    display.channel = 0;
    const PlaneColours colours({.difference = false, .display = automaticDisplay(slice, {}, display)}, false);
    return renderPlane(samples, AxisTaps(x, 0, x.extent() / width, width, PlaneFilter::smooth),
                       AxisTaps(y, 0, y.extent() / height, height, PlaneFilter::smooth), PlaneFilter::smooth, colours);
}

}  // namespace

RawPreview makeRawPreview(const RawRequest& layout, QSize limit, const std::stop_token& stop) {
    RawPreview preview{.picture = {}, .problem = {}, .slice = layout.shape.depth / 2, .values = {}};
    guarded(
        {},
        [&] {
            LoadOptions options;
            options.stop = stop;
            const Image slice = loadRawSlice(layout, preview.slice, options);
            preview.values = slice.source.storedStatistics.front();
            preview.picture = pictureOf(slice, limit, stop);
        },
        [&](ErrorCode, const Message& message) { preview.problem = message.why.isEmpty() ? message.what : message.why; });
    return preview;
}

}  // namespace parallax::ui
