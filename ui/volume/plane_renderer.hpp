// SPDX-License-Identifier: GPL-3.0-or-later
// A plane of samples as a picture of the pixels of the screen: true aspect, whatever the distances between voxels.
#pragma once

#include <QImage>
#include <cstdint>
#include <vector>

#include "ui/canvas/display_transform.hpp"
#include "ui/models/volume/volume_frame.hpp"
#include "ui/models/volume/volume_slice.hpp"

namespace parallax::ui {

/// What is done where pixels and voxels do not fall together.
enum class PlaneFilter {
    smooth,    ///< linear between the centres of voxels; the mean where voxels are smaller than pixels
    voxels,    ///< the nearest voxel; the mean where voxels are smaller than pixels
    strongest  ///< the nearest voxel; the sample of largest magnitude where voxels are smaller than pixels: for differences
};

/// Which samples along one axis make each pixel, and with which weights.
class AxisTaps {
public:
    struct Pixel {
        std::int64_t first = 0;
        std::int32_t count = 0, at = 0;  ///< weights() from `at`
        friend bool operator==(const Pixel&, const Pixel&) = default;
    };
    /// Pixel i covers the mm from `start` + i * `step` on; `step` may be negative. All of them should lie in the volume.
    AxisTaps(const AxisMap& axis, double start, double step, int pixels, PlaneFilter filter);

    const std::vector<Pixel>& pixels() const { return pixels_; }
    const float* weights(const Pixel& pixel) const { return weights_.data() + pixel.at; }
    /// Samples of the pixel that has most.
    int most() const { return most_; }

private:
    std::vector<Pixel> pixels_;
    std::vector<float> weights_;
    int most_ = 1;
};

/// Colours of samples, from a table: fine enough that no step of the screen is missed.
class PlaneColours {
public:
    PlaneColours(const Colouring& colouring, bool inverted);
    void row(const float* samples, int count, QRgb* out) const;

private:
    static constexpr int kSteps = 4096;
    std::vector<QRgb> table_;
    float gain_ = 1, offset_ = 0;
    bool magnitude_ = false, squared_ = false, marks_ = false;
};

/// One pixel of the picture for each pixel of the taps.
QImage renderPlane(const PlaneSlice& slice, const AxisTaps& columns, const AxisTaps& rows, PlaneFilter filter, const PlaneColours& colours);

}  // namespace parallax::ui
