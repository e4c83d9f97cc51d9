// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/value_scale.hpp"

#include <algorithm>
#include <cmath>

namespace parallax::ui {

ValueScale valueScaleOf(const Image& image) {
    constexpr double kMaxSamples = 1e6;
    const View<const float> view = image.view();
    const Shape& shape = view.shape;
    ValueScale scale;
    scale.extent = static_cast<double>(std::max({shape.width, shape.height, shape.depth}));
    // Rows are read whole, so that single bright pixels are not missed along them.
    const std::int64_t rows = shape.height * shape.depth * shape.channels;
    const double samples = static_cast<double>(rows) * static_cast<double>(shape.width);
    const auto step = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(samples / kMaxSamples)));
    double sum = 0, count = 0, largest = 0;
    for (std::int64_t row = 0; row < rows; row += step) {
        const std::int64_t c = row % shape.channels, y = row / shape.channels % shape.height, z = row / shape.channels / shape.height;
        if (static_cast<int>(c) == image.alphaChannel()) continue;
        for (std::int64_t x = 0; x < shape.width; ++x) {
            const double magnitude = std::fabs(static_cast<double>(view.at(x, y, z, c)));
            if (!std::isfinite(magnitude) || magnitude == 0) continue;
            sum += magnitude;
            ++count;
            largest = std::max(largest, magnitude);
        }
    }
    if (count == 0) return {.extent = scale.extent};
    scale.typical = sum / count;
    scale.largest = largest;
    return scale;
}

}  // namespace parallax::ui
