// SPDX-License-Identifier: GPL-3.0-or-later
// A slice or a slab of a volume as a plane of samples, in the units of the volume.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/image/view.hpp"

namespace parallax::ui {

enum class SlabMode {
    slice,    ///< the one slice
    maximum,  ///< the largest sample along the line of sight (MIP)
    minimum,  ///< the least (MinIP)
    mean
};

struct SliceRequest {
    int u = 0, v = 1, n = 2;           ///< voxel axes: along a row of the plane, down its columns, through it
    std::int64_t first = 0, last = 0;  ///< slices along n, both included
    SlabMode mode = SlabMode::slice;   ///< `slice` takes `first`
    bool magnitude = false;            ///< maximum and minimum both take the sample of largest magnitude: for differences
    friend bool operator==(const SliceRequest&, const SliceRequest&) = default;
};

struct PlaneSlice {
    std::int64_t width = 0, height = 0;
    std::vector<float> samples;  ///< row by row
    const float* row(std::int64_t y) const { return samples.data() + y * width; }
};

/// Samples that a request reads.
std::int64_t samplesRead(const View<const float>& volume, const SliceRequest& request);

/// NaN in a slab: a sample that is NaN makes the result NaN, in every mode, so that none is hidden. `out` keeps its memory.
/// Throws Error(cancelled) soon after a stop was asked for.
void extractSlice(const View<const float>& volume, const SliceRequest& request, PlaneSlice& out, const std::stop_token& stop = {});

/// The same from slices that lie in memory one by one: plane(i) has the samples of slice i, row by row, as many as `out` has already.
void joinPlanes(const SliceRequest& request, std::int64_t first, std::int64_t last, const std::function<const float*(std::int64_t)>& plane,
                PlaneSlice& out);

}  // namespace parallax::ui
