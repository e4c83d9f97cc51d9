// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/view/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/image/error.hpp"
#include "ui/models/regions/region_statistics.hpp"
#include "ui/models/view/pyramid.hpp"

namespace parallax::ui {
namespace {

constexpr int kLinearBins = 256;
constexpr int kMaxChannels = 4;
/// Octaves of a logarithmic axis below the largest value; smaller values are noise.
constexpr int kMaxOctaves = 28;
constexpr int kMantissaBits = 23, kBinBits = 3;  // eight bins in an octave

/// A quantity of each pixel: a weighted sum of channels.
struct Quantity {
    std::string name;
    View<const float> view;
    std::vector<std::pair<std::int64_t, float>> parts;  ///< channel and weight
};

/// Calls f(row of values) for every row of a quantity.
template <class F>
void forRows(const Quantity& quantity, const std::stop_token& stop, F&& f) {
    const View<const float>& view = quantity.view;
    const bool unweighted = quantity.parts.size() == 1 && quantity.parts.front().second == 1;
    std::vector<float> sum(unweighted ? 0 : static_cast<std::size_t>(view.shape.width));
    for (std::int64_t z = 0; z < view.shape.depth; ++z)
        for (std::int64_t y = 0; y < view.shape.height; ++y) {
            if ((y & 63) == 0 && stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
            if (unweighted) {
                f(view.row(y, z, quantity.parts.front().first));
                continue;
            }
            std::fill(sum.begin(), sum.end(), 0.0F);
            for (const auto& [channel, weight] : quantity.parts) {
                const float* row = view.row(y, z, channel);
                for (std::size_t x = 0; x < sum.size(); ++x) sum[x] += weight * row[x];
            }
            f(static_cast<const float*>(sum.data()));
        }
}

std::vector<Quantity> quantitiesOf(const Image& image, View<const float> view, HistogramOf of) {
    std::vector<Quantity> quantities;
    if (of == HistogramOf::channels) {
        for (std::int64_t c = 0; c < std::min<std::int64_t>(view.shape.channels, kMaxChannels); ++c)
            quantities.push_back({image.channelNames()[static_cast<std::size_t>(c)], view, {{c, 1.0F}}});
        return quantities;
    }
    const DisplayChannels shown = displayChannels(image);
    Quantity luminance{{}, view, {}};
    constexpr float kWeights[] = {0.2126F, 0.7152F, 0.0722F};
    if (shown.grey) luminance.parts = {{shown.colour[0], 1.0F}};
    else
        for (std::size_t i = 0; i < 3; ++i)
            if (shown.colour[i] >= 0) luminance.parts.emplace_back(shown.colour[i], kWeights[i]);
    quantities.push_back(std::move(luminance));
    return quantities;
}

void measure(const Quantity& view, ChannelHistogram& channel, const std::stop_token& stop) {
    float least = std::numeric_limits<float>::infinity(), largest = -least;
    double sum = 0;
    std::uint64_t finite = 0;
    forRows(view, stop, [&](const float* row) {
        double rowSum = 0;
        for (std::int64_t x = 0; x < view.view.shape.width; ++x) {
            const float v = row[x];
            if (!std::isfinite(v)) {
                ++(std::isnan(v) ? channel.nan : channel.infinite);
                continue;
            }
            least = std::min(least, v);
            largest = std::max(largest, v);
            rowSum += v;
            ++finite;
        }
        sum += rowSum;
    });
    if (finite == 0) return;
    channel.minimum = static_cast<double>(least);
    channel.maximum = static_cast<double>(largest);
    channel.mean = sum / static_cast<double>(finite);
}

/// Bins by the upper bits of a float, which ascend with its value: exact edges without a logarithm.
struct OctaveBins {
    std::int32_t first = 0, last = 0;  ///< upper bits of the first and of the last bin
    OctaveBins(double largest) {
        last = upperBits(static_cast<float>(largest));
        first = std::max(upperBits(std::numeric_limits<float>::min()), last - (kMaxOctaves << kBinBits));
    }
    static std::int32_t upperBits(float v) { return std::bit_cast<std::int32_t>(v) >> (kMantissaBits - kBinBits); }
    /// Clamped, since the last edge of the largest floats would be infinity.
    static double edge(std::int32_t bits) {
        return static_cast<double>(std::min(std::bit_cast<float>(bits << (kMantissaBits - kBinBits)), std::numeric_limits<float>::max()));
    }
};

}  // namespace

Histogram computeHistogram(const Image& image, const QRect& pixels, HistogramScale scale, const std::stop_token& stop, HistogramOf of) {
    Histogram h;
    const View<const float> view = viewOf(image, pixels);
    h.samples = static_cast<std::uint64_t>(view.shape.pixels());
    double least = 0, largest = 0;
    const std::vector<Quantity> quantities = quantitiesOf(image, view, of);
    for (const Quantity& quantity : quantities) {
        ChannelHistogram channel{.name = quantity.name};
        measure(quantity, channel, stop);
        least = std::min(least, channel.minimum);
        largest = std::max(largest, channel.maximum);
        h.channels.push_back(std::move(channel));
    }
    constexpr double kFarBeyondOne = 2;
    h.logarithmic = largest > static_cast<double>(std::numeric_limits<float>::min()) &&
                    (scale == HistogramScale::logarithmic || (scale == HistogramScale::automatic && least >= 0 && largest > kFarBeyondOne));
    if (h.logarithmic) {
        const OctaveBins bins(largest);
        for (std::int32_t b = bins.first; b <= bins.last + 1; ++b) h.edges.push_back(OctaveBins::edge(b));
        for (std::size_t c = 0; c < h.channels.size(); ++c) {
            ChannelHistogram& channel = h.channels[c];
            channel.counts.assign(h.edges.size() - 1, 0);
            forRows(quantities[c], stop, [&](const float* row) {
                for (std::int64_t x = 0; x < view.shape.width; ++x) {
                    if (!std::isfinite(row[x])) continue;
                    // Negative values have a negative bit pattern: they count as below too.
                    const std::int32_t bin = OctaveBins::upperBits(row[x]) - bins.first;
                    if (bin < 0) ++channel.below;
                    else ++channel.counts[static_cast<std::size_t>(bin)];
                }
            });
        }
        return h;
    }
    if (least >= 0) largest = std::max(largest, 1.0);
    if (!(largest > least)) largest = least + 1;
    for (int i = 0; i <= kLinearBins; ++i) h.edges.push_back(least + (largest - least) * i / kLinearBins);
    const double factor = kLinearBins / (largest - least);
    for (std::size_t c = 0; c < h.channels.size(); ++c) {
        ChannelHistogram& channel = h.channels[c];
        channel.counts.assign(kLinearBins, 0);
        forRows(quantities[c], stop, [&](const float* row) {
            for (std::int64_t x = 0; x < view.shape.width; ++x) {
                if (!std::isfinite(row[x])) continue;
                const auto bin = static_cast<std::size_t>((static_cast<double>(row[x]) - least) * factor);
                ++channel.counts[std::min<std::size_t>(bin, kLinearBins - 1)];
            }
        });
    }
    return h;
}

}  // namespace parallax::ui
