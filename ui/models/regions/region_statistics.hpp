// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of a rectangle of pixels or a box of voxels in the compared images.
#pragma once

#include <QRect>
#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/image/difference.hpp"
#include "core/image/image.hpp"
#include "ui/models/regions/sample_box.hpp"

namespace parallax::ui {

/// A view of a rectangle inside the image (empty: all), with all slices and channels.
View<const float> viewOf(const Image& image, const QRect& pixels);
/// A view of a box inside the image, with all channels.
View<const float> viewOf(const Image& image, const SampleBox& box);

inline QRect pixelsOf(const Image& image) { return {0, 0, static_cast<int>(image.shape().width), static_cast<int>(image.shape().height)}; }

inline constexpr std::array<int, 7> kPercentiles{1, 5, 25, 50, 75, 95, 99};

/// Statistics of the finite samples of one channel.
struct ChannelStatistics {
    std::string channel;
    double minimum = 0, maximum = 0, mean = 0;
    double deviation = 0;  ///< standard deviation, with n in the denominator
    std::uint64_t finite = 0, notFinite = 0;
    /// In the order of kPercentiles, interpolated linearly between neighbours in the sorted samples (type 7 of Hyndman and Fan 1996).
    std::array<double, kPercentiles.size()> percentiles{};
};

/// Computes in four passes, in double precision. Throws Error(cancelled).
std::vector<ChannelStatistics> channelStatistics(const Image& image, const QRect& pixels, const std::stop_token& stop);
std::vector<ChannelStatistics> channelStatistics(const Image& image, const SampleBox& box, const std::stop_token& stop);
/// Statistics of b - a for each channel, rounded to float. Images of the same shape.
std::vector<ChannelStatistics> differenceStatistics(const Image& a, const Image& b, const SampleBox& box, const std::stop_token& stop);

struct RegionStatistics {
    SampleBox box;
    std::vector<ChannelStatistics> original, a, b;
    std::vector<ChannelStatistics> bMinusA;
    std::optional<DifferenceMetrics> difference;  ///< of B against A
};

}  // namespace parallax::ui
