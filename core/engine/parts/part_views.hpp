// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/view.hpp"
#include "core/parallel/partition.hpp"

namespace parallax {

/// Whether parts of an image are slices, not rows.
inline bool inSlices(const Shape& shape) { return shape.depth > 1; }

inline Shape shapeOf(Shape shape, const PartRange& range) {
    (inSlices(shape) ? shape.depth : shape.height) = range.count();
    return shape;
}

/// The samples of a part, as a view of the whole.
template <class T>
View<T> viewOf(View<T> view, const PartRange& range) {
    const bool slices = inSlices(view.shape);
    view.data += range.first * (slices ? view.sliceStride : view.rowStride);
    view.shape = shapeOf(view.shape, range);
    return view;
}

}  // namespace parallax
