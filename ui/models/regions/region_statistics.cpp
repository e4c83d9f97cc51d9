// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/regions/region_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/image/error.hpp"

namespace parallax::ui {
namespace {

template <class F>
void forFinite(View<const float> view, const std::stop_token& stop, F&& f) {
    for (std::int64_t z = 0; z < view.shape.depth; ++z)
        for (std::int64_t y = 0; y < view.shape.height; ++y) {
            if ((y & 63) == 0 && stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
            const float* row = view.row(y, z);
            for (std::int64_t x = 0; x < view.shape.width; ++x)
                if (std::isfinite(row[x])) f(static_cast<double>(row[x]));
        }
}

}  // namespace

View<const float> viewOf(const Image& image, const QRect& pixels) {
    View<const float> view = image.view();
    if (pixels.isEmpty()) return view;
    view.data = view.row(pixels.top()) + pixels.left();
    view.shape.width = pixels.width();
    view.shape.height = pixels.height();
    return view;
}

std::vector<ChannelStatistics> channelStatistics(const Image& image, const QRect& pixels, const std::stop_token& stop) {
    const View<const float> view = viewOf(image, pixels);
    std::vector<ChannelStatistics> result;
    for (std::int64_t c = 0; c < view.shape.channels; ++c) {
        ChannelStatistics s{.channel = image.channelNames()[static_cast<std::size_t>(c)]};
        double least = std::numeric_limits<double>::infinity(), largest = -least, sum = 0;
        forFinite(view.channel(c), stop, [&](double v) {
            least = std::min(least, v);
            largest = std::max(largest, v);
            sum += v;
            ++s.finite;
        });
        s.notFinite = static_cast<std::uint64_t>(view.shape.pixels()) - s.finite;
        if (s.finite > 0) {
            s.minimum = least;
            s.maximum = largest;
            s.mean = sum / static_cast<double>(s.finite);
            double squares = 0;
            forFinite(view.channel(c), stop, [&](double v) { squares += (v - s.mean) * (v - s.mean); });
            s.deviation = std::sqrt(squares / static_cast<double>(s.finite));
        }
        result.push_back(std::move(s));
    }
    return result;
}

}  // namespace parallax::ui
