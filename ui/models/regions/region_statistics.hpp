// SPDX-License-Identifier: GPL-3.0-or-later
// What a rectangle of pixels holds, in the images that are compared.
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

/// The pixels of a rectangle, which must lie inside; all slices and channels. An empty rectangle means all.
View<const float> viewOf(const Image& image, const QRect& pixels);

inline QRect pixelsOf(const Image& image) { return {0, 0, static_cast<int>(image.shape().width), static_cast<int>(image.shape().height)}; }

struct ChannelStatistics {
    std::string channel;
    double minimum = 0, maximum = 0, mean = 0;
    double deviation = 0;  ///< standard deviation of the samples themselves (n in the denominator)
    std::uint64_t finite = 0, notFinite = 0;
};

/// Two passes in double precision. Throws Error(cancelled).
std::vector<ChannelStatistics> channelStatistics(const Image& image, const QRect& pixels, const std::stop_token& stop);

struct RegionStatistics {
    QRect pixels;
    std::vector<ChannelStatistics> original, a, b;
    std::optional<DifferenceMetrics> difference;  ///< of B against A
};

}  // namespace parallax::ui
