// SPDX-License-Identifier: GPL-3.0-or-later
// Renders a plane of samples at screen resolution, in true aspect for any voxel spacing.
#pragma once

#include <QImage>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "ui/canvas/display_transform.hpp"
#include "ui/models/view/display_curve.hpp"
#include "ui/models/volume/volume_frame.hpp"
#include "ui/models/volume/volume_slice.hpp"

namespace parallax::ui {

/// How voxels are resampled to pixels.
enum class PlaneFilter {
    smooth,    ///< linear between the centres of voxels; the mean where voxels are smaller than pixels
    voxels,    ///< the nearest voxel; the mean where voxels are smaller than pixels
    strongest  ///< the nearest voxel; the sample of largest magnitude where voxels are smaller than pixels: for differences
};

/// The samples along one axis that contribute to each pixel, with their weights.
class AxisTaps {
public:
    struct Pixel {
        std::int64_t first = 0;
        std::int32_t count = 0, at = 0;  ///< index of the first weight
        friend bool operator==(const Pixel&, const Pixel&) = default;
    };
    /// Pixel i covers the mm from `start` + i * `step` on; `step` may be negative. All pixels should lie in the volume.
    AxisTaps(const AxisMap& axis, double start, double step, int pixels, PlaneFilter filter);

    const std::vector<Pixel>& pixels() const { return pixels_; }
    const float* weights(const Pixel& pixel) const { return weights_.data() + pixel.at; }
    /// The largest number of samples of a pixel.
    int maxCount() const { return maxCount_; }

private:
    std::vector<Pixel> pixels_;
    std::vector<float> weights_;
    int maxCount_ = 1;
};

/// Maps samples to colours by a table that is finer than the 256 levels of the screen.
class PlaneColours {
public:
    PlaneColours(const Colouring& colouring, bool inverted);
    /// Colours of row `y` of a picture, which dithering depends on.
    void row(const float* samples, int count, QRgb* out, int y = 0) const;
    bool dithers() const { return curve_.has_value(); }

private:
    static constexpr int kSteps = 4096;
    std::vector<QRgb> table_;
    std::optional<DisplayCurve> curve_;  ///< for dithered grey, instead of the table
    float gain_ = 1, offset_ = 0;
    float limit_ = std::numeric_limits<float>::infinity();  // of a difference
    BeyondColours beyond_{};
    bool magnitude_ = false, squared_ = false, marks_ = false, inverted_ = false;
};

/// Renders one pixel for each pair of pixels of `columns` and `rows`.
QImage renderPlane(const PlaneSlice& slice, const AxisTaps& columns, const AxisTaps& rows, PlaneFilter filter, const PlaneColours& colours);

}  // namespace parallax::ui
