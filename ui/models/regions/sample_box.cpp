// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/regions/sample_box.hpp"

#include <algorithm>

namespace parallax::ui {

SampleBox boxOf(const QRect& pixels) {
    if (pixels.isEmpty()) return {};
    return {.first = {pixels.x(), pixels.y(), 0}, .extent = {pixels.width(), pixels.height(), 1}};
}

SampleBox boxOf(const Shape& shape) { return {.first = {}, .extent = {shape.width, shape.height, shape.depth}}; }

SampleBox clipped(const SampleBox& box, const Shape& shape) {
    const SampleBox whole = boxOf(shape);
    SampleBox part;
    for (std::size_t a = 0; a < 3; ++a) {
        part.first[a] = std::clamp<std::int64_t>(box.first[a], 0, whole.extent[a]);
        part.extent[a] = std::min(box.first[a] + box.extent[a], whole.extent[a]) - part.first[a];
    }
    return part.isEmpty() ? SampleBox{} : part;
}

}  // namespace parallax::ui
