// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of a transform on parts: rows of an image (axis 1) or slices of a volume (axis 2). A part has neighbouring lines of each level,
// and copies of those lines of other parts that its filters read.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/image/view.hpp"

namespace parallax {

/// Lines [first, first + count) of a view.
template <class T>
View<T> linesOf(View<T> view, std::size_t axis, std::int64_t first, std::int64_t count) {
    view.data += first * (axis == 2 ? view.sliceStride : view.rowStride);
    (axis == 2 ? view.shape.depth : view.shape.height) = count;
    return view;
}

/// The first line that a part has of each level, and the axis; {}: of the whole image.
struct FirstLines {
    std::size_t axis = 1;
    std::vector<std::int64_t> first;  ///< index: level
    std::int64_t at(std::size_t a, int level) const { return a == axis && !first.empty() ? first[static_cast<std::size_t>(level)] : 0; }
};

/// One channel of an image, or of a band, as a part can read it.
template <class T>
struct PartLines {
    Shape shape;  ///< of all lines
    std::size_t axis = 1;
    View<const T> own{};
    std::int64_t first = 0, last = 0;         ///< lines in `own`
    View<const T> halo{};                     ///< copies of the lines `haloLines`
    std::span<const std::int64_t> haloLines;  ///< ascending, none of them in [first, last)

    static PartLines whole(const View<const T>& view) { return {view.shape, 1, view, 0, view.shape.height, {}, {}}; }
    bool given() const { return shape.width > 0; }

    /// A row at its place in the whole. Its line must be one of the part's own, or of its halo.
    const T* row(std::int64_t y, std::int64_t z) const {
        std::int64_t& line = axis == 2 ? z : y;
        const bool isOwn = line >= first && line < last;
        line = isOwn ? line - first : std::lower_bound(haloLines.begin(), haloLines.end(), line) - haloLines.begin();
        return (isOwn ? own : halo).row(y, z);
    }
};

}  // namespace parallax
