// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/regular_grid.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "core/image/error.hpp"

namespace parallax {
namespace {

using Vector3 = std::array<double, 3>;

constexpr double kStraight = 1e-6;    ///< 1 - cosine of a tilt that does not count: 0.08 degrees
constexpr double kSamePlace = 1e-6;   ///< distance in samples
constexpr double kRightAngle = 1e-4;  ///< largest cosine between rows and columns

double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector3 axisOf(const Geometry& g, std::size_t axis) { return {g.direction[axis], g.direction[3 + axis], g.direction[6 + axis]}; }

/// Unit normal of the slices, on the side of the third axis.
Vector3 normalOf(const Geometry& g) {
    const Vector3 x = axisOf(g, 0), y = axisOf(g, 1);
    Vector3 n{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    const double length = std::copysign(std::sqrt(dot(n, n)), dot(n, axisOf(g, 2)));
    for (double& v : n) v /= length;
    return n;
}

/// Six digits at most, whatever the locale.
std::string shortNumber(double value) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6).ptr};
}

/// A position between samples along one axis: before + share of the step to the next one.
struct Between {
    std::int64_t before = 0;
    double share = 0;
};

Between between(double position) {
    const double nearest = std::round(position);
    if (std::fabs(position - nearest) < kSamePlace) return {static_cast<std::int64_t>(nearest), 0};
    const double before = std::floor(position);
    return {static_cast<std::int64_t>(before), position - before};
}

/// Whether position and its neighbour exist among `count` samples.
bool inside(const Between& b, std::int64_t count) { return b.before >= 0 && b.before + (b.share > 0 ? 1 : 0) < count; }

class Resampling {
public:
    explicit Resampling(const Image& image) : image_(image), old_(*image.geometry) {
        const Shape& s = image.shape();
        const Vector3 normal = normalOf(old_), along = axisOf(old_, 2);
        cosine_ = dot(normal, along);
        for (std::int64_t z = 0; z < s.depth; ++z)
            places_.push_back(old_.slicePositions.empty() ? static_cast<double>(z) * old_.spacing[2]
                                                          : old_.slicePositions[static_cast<std::size_t>(z)]);
        const double length = places_.back();
        const std::int64_t steps =
            old_.slicePositions.empty() ? s.depth - 1 : std::max<std::int64_t>(1, std::llround(length / old_.spacing[2]));
        step_ = length / static_cast<double>(steps);
        shape_ = {s.width, s.height, steps + 1, s.channels};
        new_ = old_;
        new_.slicePositions.clear();
        new_.spacing[2] = step_ * cosine_;
        for (std::size_t row = 0; row < 3; ++row) new_.direction[3 * row + 2] = normal[row];
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const Vector3 direction = axisOf(old_, axis);
            shear_[axis] = dot(along, direction) / old_.spacing[axis];
            std::int64_t& extent = axis == 0 ? shape_.width : shape_.height;
            const double moved = shear_[axis] * length;
            first_[axis] = static_cast<std::int64_t>(std::floor(std::min(0.0, moved) + kSamePlace));
            extent += static_cast<std::int64_t>(std::ceil(std::max(0.0, moved) - kSamePlace)) - first_[axis];
            for (std::size_t row = 0; row < 3; ++row)
                new_.origin[row] += direction[row] * old_.spacing[axis] * static_cast<double>(first_[axis]);
        }
        fill_ = fillValue();
    }

    Image run(const std::stop_token& stop) const {
        Image result = image_.withSamples(Buffer(shape_));
        const View<float> out = result.view();
        for (std::int64_t c = 0; c < shape_.channels; ++c)
            for (std::int64_t z = 0; z < shape_.depth; ++z) {
                if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
                resampleSlice(out, z, c);
            }
        result.geometry = new_;
        if (auto& series = result.source.series) {
            series->tiltDegrees = 0;
            series->sliceDistances.assign(static_cast<std::size_t>(shape_.depth - 1), new_.spacing[2]);
        }
        result.provenance.push_back("Resampled to a regular grid of " + std::to_string(shape_.width) + " x " +
                                    std::to_string(shape_.height) + " x " + std::to_string(shape_.depth) +
                                    " by linear interpolation: slices " + shortNumber(new_.spacing[2]) + " mm apart" +
                                    (old_.slicePositions.empty() ? "" : " (about the median distance)") + ", " +
                                    shortNumber(static_cast<double>(fill_)) + " outside of the old ones");
        return result;
    }

private:
    struct Tap {
        const float* row;
        double weight;
    };

    float fillValue() const {
        if (image_.source.series && image_.source.series->padding) return static_cast<float>(*image_.source.series->padding);
        const SampleStatistics all = computeStatistics(image_);
        return static_cast<float>(all.min);
    }

    /// The slices around a place along the third axis.
    Between slicesAt(double place) const {
        const auto last = static_cast<std::int64_t>(places_.size()) - 1;
        const auto next = std::upper_bound(places_.begin(), places_.end(), place) - places_.begin();
        const std::int64_t before = std::clamp<std::int64_t>(next - 1, 0, std::max<std::int64_t>(last - 1, 0));
        const double from = places_[static_cast<std::size_t>(before)], to = places_[static_cast<std::size_t>(std::min(before + 1, last))];
        return between(static_cast<double>(before) + (to > from ? (place - from) / (to - from) : 0));
    }

    void resampleSlice(const View<float>& out, std::int64_t z, std::int64_t c) const {
        const double place = static_cast<double>(z) * step_;
        const Between slices = slicesAt(place);
        const auto sourceOf = [&](std::size_t axis) { return between(static_cast<double>(first_[axis]) - shear_[axis] * place); };
        const Between columns = sourceOf(0), rows = sourceOf(1);
        const Shape& s = image_.shape();
        for (std::int64_t y = 0; y < shape_.height; ++y) {
            float* const line = out.row(y, z, c);
            std::fill_n(line, shape_.width, fill_);
            const Between row{rows.before + y, rows.share};
            if (!inside(row, s.height)) continue;
            const std::vector<Tap> taps = tapsOf(slices, row, columns.share, c);
            const std::int64_t begin = std::max<std::int64_t>(0, -columns.before);
            const std::int64_t end = std::min(shape_.width, s.width - columns.before - (columns.share > 0 ? 1 : 0));
            for (std::int64_t x = begin; x < end; ++x) line[x] = valueOf(taps, x + columns.before);
        }
    }

    /// Rows and weights that contribute; none of weight 0, so that their NaN does not spread.
    std::vector<Tap> tapsOf(const Between& slices, const Between& row, double columnShare, std::int64_t c) const {
        std::vector<Tap> taps;
        const auto add = [&](std::int64_t dz, std::int64_t dy, std::int64_t dx) {
            const auto weight = [](double share, std::int64_t step) { return step == 0 ? 1 - share : share; };
            const double w = weight(slices.share, dz) * weight(row.share, dy) * weight(columnShare, dx);
            if (w > 0) taps.push_back({image_.view().row(row.before + dy, slices.before + dz, c) + dx, w});
        };
        for (const std::int64_t dz : {0, 1})
            for (const std::int64_t dy : {0, 1})
                for (const std::int64_t dx : {0, 1}) add(dz, dy, dx);
        return taps;
    }

    float valueOf(const std::vector<Tap>& taps, std::int64_t x) const {
        const bool padded = image_.source.series && image_.source.series->padding;
        double sum = 0;
        for (const Tap& tap : taps) {
            if (padded && tap.row[x] == fill_) return fill_;
            sum += tap.weight * static_cast<double>(tap.row[x]);
        }
        return static_cast<float>(sum);
    }

    const Image& image_;
    const Geometry& old_;
    Geometry new_;
    Shape shape_;
    std::vector<double> places_;               // of the slices along the third axis, mm
    double cosine_ = 1, step_ = 1;             // mm along the third axis
    std::array<double, 2> shear_{};            // columns and rows for each mm along the third axis
    std::array<std::int64_t, 2> first_{0, 0};  // column and row of the old grid at which the new one begins
    float fill_ = 0;
};

}  // namespace

std::string irregularityOf(const Image& image) {
    if (!image.isVolume() || !image.geometry) return {};
    const bool uneven = !image.geometry->slicePositions.empty();
    const bool sheared = 1 - dot(normalOf(*image.geometry), axisOf(*image.geometry, 2)) > kStraight;
    if (uneven && sheared) return "its slices are unevenly spaced and sheared";
    return uneven ? "its slices are unevenly spaced" : sheared ? "its slices are sheared" : "";
}

Image onRegularGrid(const Image& image, const std::stop_token& stop) {
    const auto refuse = [](const char* why, const char* advice) { throw Error(ErrorCode::usage, "Cannot resample", why, advice); };
    if (!image.isVolume()) refuse("the image is not a volume", "Leave out --resample");
    if (irregularityOf(image).empty()) refuse("the samples are on a regular grid already", "Leave out --resample");
    const Geometry& g = *image.geometry;
    if (!(std::fabs(dot(axisOf(g, 0), axisOf(g, 1))) < kRightAngle)) refuse("rows and columns are not at right angles", "");
    if (!std::is_sorted(g.slicePositions.begin(), g.slicePositions.end()) || !(g.spacing[2] > 0))
        refuse("the slices are not in the order of their positions", "");
    return Resampling(image).run(stop);
}

}  // namespace parallax
