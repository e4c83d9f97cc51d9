// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/regions/region_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "core/image/error.hpp"

namespace parallax::ui {
namespace {

/// Returns the samples of a row, valid until the next call.
using RowOf = std::function<const float*(std::int64_t y, std::int64_t z)>;

template <class F>
void forFinite(const Shape& shape, const RowOf& rowOf, const std::stop_token& stop, F&& f) {
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height; ++y) {
            if ((y & 63) == 0 && stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
            const float* row = rowOf(y, z);
            for (std::int64_t x = 0; x < shape.width; ++x)
                if (std::isfinite(row[x])) f(row[x]);
        }
}

/// An integer that is ordered as the floats are.
std::uint32_t orderOf(float v) {
    const auto bits = std::bit_cast<std::uint32_t>(v);
    return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}
float valueOf(std::uint32_t order) { return std::bit_cast<float>((order & 0x80000000U) != 0 ? order & 0x7fffffffU : ~order); }

/// Finds the samples of these ranks (from 0) in the sorted finite samples, without sorting: counts their upper 16 bits, then the lower ones
/// of those that share them with a sought sample.
std::map<std::uint64_t, double> samplesOfRanks(const Shape& shape, const RowOf& rowOf, const std::vector<std::uint64_t>& ranks,
                                               const std::stop_token& stop) {
    constexpr std::size_t kBins = std::size_t{1} << 16;
    std::vector<std::uint64_t> upper(kBins, 0);
    forFinite(shape, rowOf, stop, [&](float v) { ++upper[orderOf(v) >> 16]; });
    struct Sought {
        std::uint64_t before = 0;  // samples in lower bins
        std::vector<std::uint64_t> lower;
    };
    std::map<std::uint32_t, Sought> bins;
    std::map<std::uint64_t, std::uint32_t> binOfRank;
    for (const std::uint64_t rank : ranks) {
        std::uint64_t before = 0;
        std::uint32_t bin = 0;
        while (before + upper[bin] <= rank) before += upper[bin++];
        bins[bin] = {before, std::vector<std::uint64_t>(kBins, 0)};
        binOfRank[rank] = bin;
    }
    std::vector<std::uint64_t*> counters(kBins, nullptr);
    for (auto& [bin, sought] : bins) counters[bin] = sought.lower.data();
    forFinite(shape, rowOf, stop, [&](float v) {
        const std::uint32_t order = orderOf(v);
        if (std::uint64_t* const counts = counters[order >> 16]) ++counts[order & 0xffffU];
    });
    std::map<std::uint64_t, double> found;
    for (const auto& [rank, bin] : binOfRank) {
        const Sought& sought = bins[bin];
        std::uint64_t before = sought.before;
        std::uint32_t low = 0;
        while (before + sought.lower[low] <= rank) before += sought.lower[low++];
        found[rank] = static_cast<double>(valueOf((bin << 16) | low));
    }
    return found;
}

void addPercentiles(const Shape& shape, const RowOf& rowOf, const std::stop_token& stop, ChannelStatistics& s) {
    std::array<double, kPercentiles.size()> places{};
    std::vector<std::uint64_t> ranks;
    const auto last = s.finite - 1;
    for (std::size_t i = 0; i < places.size(); ++i) {
        places[i] = kPercentiles[i] / 100.0 * static_cast<double>(last);
        const auto rank = static_cast<std::uint64_t>(places[i]);
        ranks.insert(ranks.end(), {rank, std::min(rank + 1, last)});
    }
    const std::map<std::uint64_t, double> found = samplesOfRanks(shape, rowOf, ranks, stop);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto rank = static_cast<std::uint64_t>(places[i]);
        const double below = found.at(rank), above = found.at(std::min(rank + 1, last));
        s.percentiles[i] = below + (places[i] - static_cast<double>(rank)) * (above - below);
    }
}

ChannelStatistics statisticsOf(const std::string& channel, const Shape& shape, const RowOf& rowOf, const std::stop_token& stop) {
    ChannelStatistics s{.channel = channel};
    double least = std::numeric_limits<double>::infinity(), largest = -least, sum = 0;
    forFinite(shape, rowOf, stop, [&](float sample) {
        const auto v = static_cast<double>(sample);
        least = std::min(least, v);
        largest = std::max(largest, v);
        sum += v;
        ++s.finite;
    });
    s.notFinite = static_cast<std::uint64_t>(shape.pixels()) - s.finite;
    if (s.finite == 0) return s;
    s.minimum = least;
    s.maximum = largest;
    s.mean = sum / static_cast<double>(s.finite);
    double squares = 0;
    forFinite(shape, rowOf, stop, [&](float sample) {
        const double fromMean = static_cast<double>(sample) - s.mean;
        squares += fromMean * fromMean;
    });
    s.deviation = std::sqrt(squares / static_cast<double>(s.finite));
    addPercentiles(shape, rowOf, stop, s);
    return s;
}

std::vector<ChannelStatistics> statisticsOf(const Image& image, const View<const float>& view, const std::stop_token& stop) {
    std::vector<ChannelStatistics> result;
    for (std::int64_t c = 0; c < view.shape.channels; ++c) {
        const auto rowOf = [&view, c](std::int64_t y, std::int64_t z) { return view.row(y, z, c); };
        result.push_back(statisticsOf(image.channelNames()[static_cast<std::size_t>(c)], view.shape, rowOf, stop));
    }
    return result;
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

View<const float> viewOf(const Image& image, const SampleBox& box) {
    View<const float> view = image.view();
    view.data = view.row(box.first[1], box.first[2]) + box.first[0];
    view.shape.width = box.extent[0];
    view.shape.height = box.extent[1];
    view.shape.depth = box.extent[2];
    return view;
}

std::vector<ChannelStatistics> channelStatistics(const Image& image, const QRect& pixels, const std::stop_token& stop) {
    return statisticsOf(image, viewOf(image, pixels), stop);
}

std::vector<ChannelStatistics> channelStatistics(const Image& image, const SampleBox& box, const std::stop_token& stop) {
    return statisticsOf(image, viewOf(image, box), stop);
}

std::vector<ChannelStatistics> differenceStatistics(const Image& a, const Image& b, const SampleBox& box, const std::stop_token& stop) {
    const View<const float> first = viewOf(a, box), second = viewOf(b, box);
    std::vector<float> differences(static_cast<std::size_t>(box.extent[0]));
    std::vector<ChannelStatistics> result;
    for (std::int64_t c = 0; c < first.shape.channels; ++c) {
        const auto rowOf = [&](std::int64_t y, std::int64_t z) {
            std::transform(second.row(y, z, c), second.row(y, z, c) + box.extent[0], first.row(y, z, c), differences.begin(),
                           std::minus<>());
            return static_cast<const float*>(differences.data());
        };
        result.push_back(statisticsOf(b.channelNames()[static_cast<std::size_t>(c)], first.shape, rowOf, stop));
    }
    return result;
}

}  // namespace parallax::ui
