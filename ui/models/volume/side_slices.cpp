// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/volume/side_slices.hpp"

#include <algorithm>
#include <array>

namespace parallax::ui {

void SideSlices::clear() {
    volume_ = {};
    groups_.clear();
    groups_.shrink_to_fit();
}

SideSlices::Group& SideSlices::groupOf(std::int64_t index, std::int64_t firstKept, std::int64_t lastKept) {
    Group* free = nullptr;
    for (Group& g : groups_) {
        if (g.index == index) return g;
        if (g.index < firstKept || g.index > lastKept) free = &g;
    }
    if (!free) free = &groups_.emplace_back();
    free->index = index;
    free->rows = 0;
    free->samples.resize(static_cast<std::size_t>(kTogether * width_ * height_));
    return *free;
}

void SideSlices::fill(Group& group, std::int64_t untilRow) const {
    const std::int64_t first = group.index * kTogether, slices = std::min(kTogether, count_ - first), plane = width_ * height_;
    for (; group.rows < untilRow; ++group.rows) {
        const float* from = volume_.data + group.rows * strideV_ + first;
        float* to = group.samples.data() + group.rows * width_;
        // Blocks of 16 pixels, so that whole cache lines are written too.
        for (std::int64_t u = 0; u < width_; u += kTogether) {
            const std::int64_t pixels = std::min(kTogether, width_ - u);
            std::array<float, static_cast<std::size_t>(kTogether * kTogether)> block;
            for (std::int64_t j = 0; j < pixels; ++j) std::copy_n(from + (u + j) * strideU_, slices, block.data() + j * kTogether);
            for (std::int64_t k = 0; k < slices; ++k)
                for (std::int64_t j = 0; j < pixels; ++j) to[k * plane + u + j] = block[static_cast<std::size_t>(j * kTogether + k)];
        }
    }
}

void SideSlices::extract(const View<const float>& volume, const SliceRequest& r, PlaneSlice& out) {
    const std::array<std::int64_t, 3> counts{volume.shape.width, volume.shape.height, volume.shape.depth};
    const std::array<std::int64_t, 3> strides{1, volume.rowStride, volume.sliceStride};
    const auto of = [](const std::array<std::int64_t, 3>& values, int axis) { return values[static_cast<std::size_t>(axis)]; };
    const std::int64_t count = of(counts, r.n), first = std::clamp<std::int64_t>(r.first, 0, count - 1),
                       last = r.mode == SlabMode::slice ? first : std::clamp<std::int64_t>(r.last, first, count - 1);
    const std::int64_t firstGroup = first / kTogether, lastGroup = last / kTogether;
    const std::int64_t groupBytes = kTogether * of(counts, r.u) * of(counts, r.v) * static_cast<std::int64_t>(sizeof(float));
    // One more group is prefetched.
    if (r.n != 0 || (lastGroup - firstGroup + 2) * groupBytes > kMaxBytes) {
        clear();
        extractSlice(volume, r, out);
        return;
    }
    const bool same = volume.data == volume_.data && volume.shape == volume_.shape && volume.rowStride == volume_.rowStride &&
                      volume.sliceStride == volume_.sliceStride && r.u == u_ && r.v == v_ && r.n == n_;
    if (!same) {
        for (Group& g : groups_) g.index = -1;
        volume_ = volume;
        u_ = r.u, v_ = r.v, n_ = r.n;
        width_ = of(counts, r.u), height_ = of(counts, r.v), count_ = count;
        strideU_ = of(strides, r.u), strideV_ = of(strides, r.v);
        before_ = first;
    }
    const std::int64_t step = first - before_, next = step > 0 ? lastGroup + 1 : firstGroup - 1;
    before_ = first;
    const std::int64_t firstKept = step < 0 ? next : firstGroup, lastKept = step > 0 ? next : lastGroup;
    for (std::int64_t g = firstGroup; g <= lastGroup; ++g) fill(groupOf(g, firstKept, lastKept), height_);

    // The cached slices are contiguous planes.
    out.width = width_;
    out.height = height_;
    out.samples.resize(static_cast<std::size_t>(width_ * height_));
    joinPlanes(
        r, first, last,
        [&](std::int64_t slice) {
            const Group& g = groupOf(slice / kTogether, firstKept, lastKept);
            return g.samples.data() + slice % kTogether * width_ * height_;
        },
        out);
    if (step != 0 && next >= 0 && next * kTogether < count_) {
        Group& g = groupOf(next, firstKept, lastKept);
        const std::int64_t steps = std::max<std::int64_t>(1, kSteps / (step > 0 ? step : -step));
        fill(g, std::min(height_, g.rows + (height_ + steps - 1) / steps));
    }
}

}  // namespace parallax::ui
