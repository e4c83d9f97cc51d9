// SPDX-License-Identifier: GPL-3.0-or-later
// Slices across the axis along which samples lie side by side in memory, as sagittal ones of most volumes: each sample of such a slice is
// in a cache line of its own, and the sixteen of that line belong to sixteen neighbouring slices. So they are taken sixteen at a time,
// and while a person scrolls, the next sixteen a little with each step.
#pragma once

#include <cstdint>
#include <vector>

#include "ui/models/volume/volume_slice.hpp"

namespace parallax::ui {

/// Of one pane. Not for several threads.
class SideSlices {
public:
    /// As extractSlice(), from slices that it keeps: those of the last calls, as long as volume, plane and direction are the same. Where
    /// slices are no such slices, or would take more than kMostBytes, it is extractSlice().
    void extract(const View<const float>& volume, const SliceRequest& request, PlaneSlice& out);
    /// Forgets what it keeps. To be called before the samples of a volume change or go.
    void clear();

    static constexpr std::int64_t kMostBytes = std::int64_t{256} << 20;

private:
    static constexpr std::int64_t kTogether = 16;  ///< floats of a cache line
    static constexpr std::int64_t kSteps = 12;     ///< in which the next group is made: before the sixteen slices are passed
    struct Group {
        std::int64_t index = -1;     ///< slices from kTogether * index on
        std::int64_t rows = 0;       ///< of each slice that are there
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
