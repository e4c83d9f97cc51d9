// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram of the values of an image, per channel. Counts every sample.
#pragma once

#include <QRect>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/image/image.hpp"

namespace parallax::ui {

/// Scale of the axis of values.
enum class HistogramScale {
    automatic,   ///< logarithmic for non-negative values that reach far beyond 1, else linear
    linear,      ///< bins of equal width from the smallest to the largest value; at least 0 to 1 if none is negative
    logarithmic  ///< eight bins of equal width per octave; positive values only
};

/// The counted quantity of a pixel.
enum class HistogramOf {
    channels,  ///< samples of the first four channels
    luminance  ///< 0.2126 R + 0.7152 G + 0.0722 B of the displayed channels; grey is its own luminance
};

struct ChannelHistogram {
    std::string name;
    std::vector<std::uint64_t> counts;
    std::uint64_t below = 0;  ///< finite samples below the first edge, such as zero on a logarithmic axis
    std::uint64_t nan = 0, infinite = 0;
    double minimum = 0, maximum = 0, mean = 0;  ///< of the finite samples; 0 if there is none
};

struct Histogram {
    bool logarithmic = false;
    std::vector<double> edges;  ///< ascending, one more than bins; a bin includes its lower edge, the last one both
    std::vector<ChannelHistogram> channels;
    std::uint64_t samples = 0;  ///< of one channel
};

/// Computes the histogram of a rectangle inside the image (empty: all). The luminance is a single channel without a name. Throws
/// Error(cancelled).
Histogram computeHistogram(const Image& image, const QRect& pixels, HistogramScale scale, const std::stop_token& stop,
                           HistogramOf of = HistogramOf::channels);

}  // namespace parallax::ui
