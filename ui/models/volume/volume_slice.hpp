// SPDX-License-Identifier: GPL-3.0-or-later
// Extracts a slice or a slab of a volume as a plane of samples.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/image/view.hpp"

namespace parallax::ui {

enum class SlabMode {
    slice,    ///< a single slice
    maximum,  ///< maximum along the line of sight (MIP)
    minimum,  ///< minimum along the line of sight (MinIP)
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

/// The number of samples that a request reads.
std::int64_t samplesRead(const View<const float>& volume, const SliceRequest& request);

/// Extracts a slice or slab into `out`, whose memory is reused. A NaN in a slab makes the result NaN in every mode. Throws
/// Error(cancelled).
void extractSlice(const View<const float>& volume, const SliceRequest& request, PlaneSlice& out, const std::stop_token& stop = {});

/// The same from contiguous slices: plane(i) returns the samples of slice i, as many as `out` holds.
void joinPlanes(const SliceRequest& request, std::int64_t first, std::int64_t last, const std::function<const float*(std::int64_t)>& plane,
                PlaneSlice& out);

}  // namespace parallax::ui
