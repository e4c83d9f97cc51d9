// SPDX-License-Identifier: GPL-3.0-or-later
// A box of samples along the axes of an image or volume.
#pragma once

#include <QRect>
#include <array>
#include <cstdint>

#include "core/image/shape.hpp"

namespace parallax::ui {

/// In images a rectangle of pixels, with an extent of 1 along z.
struct SampleBox {
    std::array<std::int64_t, 3> first{}, extent{};  ///< along x, y, z

    /// The index of the last sample along an axis.
    std::int64_t last(std::size_t axis) const { return first[axis] + extent[axis] - 1; }
    bool isEmpty() const { return extent[0] <= 0 || extent[1] <= 0 || extent[2] <= 0; }
    /// Samples of one channel.
    std::int64_t samples() const { return isEmpty() ? 0 : extent[0] * extent[1] * extent[2]; }
    friend bool operator==(const SampleBox&, const SampleBox&) = default;
};

/// The box of a rectangle of pixels in the first slice.
SampleBox boxOf(const QRect& pixels);
/// The box of all samples.
SampleBox boxOf(const Shape& shape);
/// The part of a box that lies in an image; empty if none does.
SampleBox clipped(const SampleBox& box, const Shape& shape);

}  // namespace parallax::ui
