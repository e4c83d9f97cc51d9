// SPDX-License-Identifier: GPL-3.0-or-later
// Input of a PartExecution that reads rows of other parts, too.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/engine/parts/part_execution.hpp"
#include "core/image/buffer.hpp"

namespace parallax {

/// Rows of an image, or slices of a volume, in host memory: those of one part where they are, and copies of the rows of other parts that
/// it needs. They are addressed by their coordinates in the whole image.
class PartRows {
public:
    /// The ranges that a part, which is not empty, needs besides its `own` rows or slices: within the image, without its own.
    using Needs = std::function<std::vector<PartRange>(const PartRange& own)>;

    /// The whole image, which must outlive it.
    PartRows(const View<const float>& image);
    /// The samples of a part, which must outlive it. Gets those that it needs from the other parts; all ranks construct theirs at the same
    /// time, with the same `needs`.
    PartRows(const ImagePart& part, const View<const float>& own, const Needs& needs, Communicator& communicator);

    /// Extents of the whole image.
    const Shape& shape() const { return shape_; }
    /// A row of the part or of those that it needs.
    const float* row(std::int64_t y, std::int64_t z, std::int64_t channel) const {
        const std::int64_t unit = slices_ ? z : y;
        if (unit >= range_.first && unit < range_.last) return rowOf(own_, range_, y, z, channel);
        return otherRow(unit, y, z, channel);
    }

private:
    struct Copy {
        PartRange range;
        Buffer samples;
    };
    const float* rowOf(const View<const float>& view, const PartRange& range, std::int64_t y, std::int64_t z, std::int64_t channel) const {
        return slices_ ? view.row(y, z - range.first, channel) : view.row(y - range.first, z, channel);
    }
    const float* otherRow(std::int64_t unit, std::int64_t y, std::int64_t z, std::int64_t channel) const;

    Shape shape_;
    bool slices_;
    PartRange range_;
    View<const float> own_;
    std::vector<Copy> copies_;
};

/// PartRows::Needs of parts that need the `reach` rows or slices before their own ones and after them.
PartRows::Needs neighboursUpTo(std::int64_t reach, const Shape& image);

}  // namespace parallax
