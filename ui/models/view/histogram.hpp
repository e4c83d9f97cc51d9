// SPDX-License-Identifier: GPL-3.0-or-later
// How often which value occurs, per channel. Every sample is counted, none is estimated.
#pragma once

#include <QRect>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/image/image.hpp"

namespace parallax::ui {

/// How the axis of values is divided.
enum class HistogramScale {
    automatic,   ///< logarithmic for values from 0 that reach far beyond 1, else linear
    linear,      ///< bins of one width from the least to the largest value, at least 0 to 1 if there is no negative one
    logarithmic  ///< eight bins of one width in every factor of two; positive values only
};

/// What of a pixel is counted.
enum class HistogramOf {
    channels,  ///< the samples of each channel, of the first four
    luminance  ///< 0.2126 R + 0.7152 G + 0.0722 B of what is shown as the picture; a grey one is its own luminance
};

struct ChannelHistogram {
    std::string name;
    std::vector<std::uint64_t> counts;
    std::uint64_t below = 0;  ///< finite samples under the first edge, as zero on a logarithmic axis
    std::uint64_t nan = 0, infinite = 0;
    double minimum = 0, maximum = 0, mean = 0;  ///< of the finite samples; 0 if there is none
};

struct Histogram {
    bool logarithmic = false;
    std::vector<double> edges;  ///< one more than bins, ascending; a bin holds its lower edge, the last one both
    std::vector<ChannelHistogram> channels;
    std::uint64_t samples = 0;  ///< of one channel
};

/// Of a rectangle that lies inside, or of all if it is empty. Throws Error(cancelled) soon after a stop was asked for. The luminance is a
/// single channel without a name.
Histogram computeHistogram(const Image& image, const QRect& pixels, HistogramScale scale, const std::stop_token& stop,
                           HistogramOf of = HistogramOf::channels);

}  // namespace parallax::ui
