// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/view/small_version.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/image/error.hpp"

namespace parallax::ui {
namespace {

constexpr std::int64_t kMaxSamples = 8;  // per direction

/// Index of sample i of n spread evenly over [first, last).
std::int64_t spread(std::int64_t first, std::int64_t last, std::int64_t i, std::int64_t n) {
    return first + (2 * i + 1) * (last - first) / (2 * n);
}

float meanOf(View<const float> plane, std::int64_t x0, std::int64_t x1, std::int64_t y0, std::int64_t y1) {
    const std::int64_t across = std::min(kMaxSamples, x1 - x0), down = std::min(kMaxSamples, y1 - y0);
    double sum = 0;
    int finite = 0;
    for (std::int64_t j = 0; j < down; ++j) {
        const float* row = plane.row(spread(y0, y1, j, down));
        for (std::int64_t i = 0; i < across; ++i) {
            const float v = row[spread(x0, x1, i, across)];
            if (!std::isfinite(v)) continue;
            sum += static_cast<double>(v);
            ++finite;
        }
    }
    return finite > 0 ? static_cast<float>(sum / finite) : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace

Image smallVersion(const Image& image, int longest, const std::stop_token& stop) {
    const Shape& from = image.shape();
    const std::int64_t larger = std::max(from.width, from.height);
    const auto scaled = [&](std::int64_t n) {
        return larger <= longest ? n : std::max<std::int64_t>(1, (n * longest + larger / 2) / larger);
    };
    Buffer samples(Shape{scaled(from.width), scaled(from.height), 1, from.channels}, SampleType::float32);
    const View<float> out = samples.view<float>();
    for (std::int64_t c = 0; c < from.channels; ++c) {
        View<const float> plane = image.view().channel(c);
        plane.data = plane.row(0, from.depth / 2);
        for (std::int64_t y = 0; y < out.shape.height; ++y) {
            if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
            const std::int64_t y0 = y * from.height / out.shape.height, y1 = (y + 1) * from.height / out.shape.height;
            for (std::int64_t x = 0; x < out.shape.width; ++x)
                out.at(x, y, 0, c) = meanOf(plane, x * from.width / out.shape.width, (x + 1) * from.width / out.shape.width, y0, y1);
        }
    }
    Image small = image.withSamples(std::move(samples));
    small.dataWindow.reset();
    small.displayWindow.reset();
    return small;
}

}  // namespace parallax::ui
