// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of a rectangle of pixels in the compared images.
#pragma once

#include <QRect>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/image/difference.hpp"
#include "core/image/image.hpp"

namespace parallax::ui {

/// A view of a rectangle inside the image (empty: all), with all slices and channels.
View<const float> viewOf(const Image& image, const QRect& pixels);

inline QRect pixelsOf(const Image& image) { return {0, 0, static_cast<int>(image.shape().width), static_cast<int>(image.shape().height)}; }

struct ChannelStatistics {
    std::string channel;
    double minimum = 0, maximum = 0, mean = 0;
    double deviation = 0;  ///< standard deviation, with n in the denominator
    std::uint64_t finite = 0, notFinite = 0;
};

/// Computes in two passes in double precision. Throws Error(cancelled).
std::vector<ChannelStatistics> channelStatistics(const Image& image, const QRect& pixels, const std::stop_token& stop);

struct RegionStatistics {
    QRect pixels;
    std::vector<ChannelStatistics> original, a, b;
    std::optional<DifferenceMetrics> difference;  ///< of B against A
};

}  // namespace parallax::ui
