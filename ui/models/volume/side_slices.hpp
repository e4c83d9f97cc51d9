// SPDX-License-Identifier: GPL-3.0-or-later
// Slices across the contiguous axis, such as sagittal slices of most volumes. Each sample is in a cache line of its own, which also holds
// the neighbouring 15 slices: read 16 slices at a time, and prefetch the next 16 in small steps while the user scrolls.
#pragma once

#include <cstdint>
#include <vector>

#include "ui/models/volume/volume_slice.hpp"

namespace parallax::ui {

/// The cache of one pane. Not thread safe.
class SideSlices {
public:
    /// The same as extractSlice(), from cached slices of the last calls if volume, plane and direction are the same. Other planes, and
    /// slices that would take more than kMaxBytes, are not cached.
    void extract(const View<const float>& volume, const SliceRequest& request, PlaneSlice& out);
    /// Clears the cache. Call it before the samples of a volume change or are deleted.
    void clear();

    static constexpr std::int64_t kMaxBytes = std::int64_t{256} << 20;

private:
    static constexpr std::int64_t kTogether = 16;  ///< floats of a cache line
    static constexpr std::int64_t kSteps = 12;     ///< calls in which the next group is filled, fewer than 16 so that it is ready in time
    struct Group {
        std::int64_t index = -1;     ///< first slice is kTogether * index
        std::int64_t rows = 0;       ///< filled rows of each slice
        std::vector<float> samples;  ///< slice by slice
    };
    Group& groupOf(std::int64_t index, std::int64_t firstKept, std::int64_t lastKept);
    void fill(Group& group, std::int64_t untilRow) const;

    View<const float> volume_;
    int u_ = 0, v_ = 1, n_ = 2;
    std::int64_t width_ = 0, height_ = 0, count_ = 0, strideU_ = 0, strideV_ = 0;
    std::int64_t before_ = 0;  ///< first slice of the last call
    std::vector<Group> groups_;
};

}  // namespace parallax::ui
