// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/view/non_finite.hpp"

#include <algorithm>
#include <cmath>

#include "core/image/error.hpp"

namespace parallax::ui {
namespace {

/// The first column from `begin` to `end` that has such a sample in any channel; `end` if there is none.
std::int64_t firstInRow(const View<const float>& view, std::int64_t y, std::int64_t z, std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = 0; c < view.shape.channels; ++c) {
        const float* row = view.row(y, z, c);
        end = std::find_if_not(row + begin, row + end, [](float v) { return std::isfinite(v); }) - row;
    }
    return end;
}

}  // namespace

NonFiniteCounts nonFiniteSamples(const Image& image) {
    NonFiniteCounts counts;
    for (const SampleStatistics& s : image.source.storedStatistics) {
        counts.nan += s.nan;
        counts.infinite += s.positiveInfinity + s.negativeInfinity;
    }
    return counts;
}

std::optional<PixelPosition> nextNonFinitePixel(const Image& image, const std::optional<PixelPosition>& after,
                                                const std::stop_token& stop) {
    const View<const float> view = image.view();
    const std::int64_t width = view.shape.width, height = view.shape.height, rows = height * view.shape.depth;
    const std::int64_t start = after ? after->z * height + after->y : 0, column = after ? std::min(after->x + 1, width) : 0;
    // The mark may be of a result that is larger. The row of `after` is read twice: at last up to that pixel.
    for (std::int64_t i = 0; i <= rows; ++i) {
        if ((i & 63) == 0 && stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
        const std::int64_t row = (start + i) % rows, begin = i == 0 ? column : 0, end = i == rows ? column : width;
        const std::int64_t x = firstInRow(view, row % height, row / height, begin, end);
        if (x < end) return PixelPosition{x, row % height, row / height};
    }
    return {};
}

}  // namespace parallax::ui
