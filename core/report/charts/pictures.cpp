// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/charts/pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/image/encoded_light.hpp"
#include "core/image/error.hpp"
#include "core/image/transfer.hpp"

namespace parallax {
namespace {

constexpr std::array<std::uint8_t, 3> kNan{255, 0, 255};

/// Smallest integer factor that reduces the longest side to the limit.
std::int64_t reduction(const Shape& shape, int longestSide) {
    return std::max<std::int64_t>(1, (std::max(shape.width, shape.height) + longestSide - 1) / longestSide);
}

ReportPicture blank(const Shape& shape, std::int64_t factor) {
    ReportPicture p;
    p.width = static_cast<int>((shape.width + factor - 1) / factor);
    p.height = static_cast<int>((shape.height + factor - 1) / factor);
    p.rgb.resize(std::size_t{3} * static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height));
    return p;
}

struct ColourChannels {
    std::array<int, 3> colour{0, 0, 0};
    int alpha = -1;
};

bool isNamed(const std::string& channel, char name) {
    return channel == std::string(1, name) || (channel.size() > 1 && channel.ends_with(std::string(".") + name));
}

/// Channels named R, G and B, else the first channel as grey.
ColourChannels colourChannels(const std::vector<std::string>& names, std::int64_t count) {
    ColourChannels c;
    std::array<int, 3> found{-1, -1, -1};
    for (int i = 0; i < static_cast<int>(std::min<std::int64_t>(count, static_cast<std::int64_t>(names.size()))); ++i) {
        const std::string& name = names[static_cast<std::size_t>(i)];
        for (std::size_t k = 0; k < 3; ++k)
            if (found[k] < 0 && isNamed(name, "RGB"[k])) found[k] = i;
        if (c.alpha < 0 && isNamed(name, 'A')) c.alpha = i;
    }
    if (std::all_of(found.begin(), found.end(), [](int i) { return i >= 0; })) c.colour = found;
    else if (c.alpha == 0 && count > 1) c.colour = {1, 1, 1};
    return c;
}

std::uint8_t encoded(double linear) {
    if (!(linear > 0)) return 0;
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(linearToSrgb(std::min(linear, 1.0)), 0.0, 1.0)));
}

void put(ReportPicture& p, std::int64_t x, std::int64_t y, const std::array<std::uint8_t, 3>& colour) {
    std::copy(colour.begin(), colour.end(), p.rgb.begin() + 3 * (y * p.width + x));
}

/// Difference of largest magnitude; NaN stands for a mismatch.
double worstIn(const View<const float>& a, const View<const float>& b, std::int64_t z, std::int64_t x0, std::int64_t x1, std::int64_t y) {
    double worst = 0;
    for (std::int64_t c = 0; c < a.shape.channels; ++c) {
        const float *p = a.row(y, z, c), *q = b.row(y, z, c);
        for (std::int64_t x = x0; x < x1; ++x) {
            // Equal infinities, and NaN in both, do not differ.
            if (p[x] == q[x] || (std::isnan(p[x]) && std::isnan(q[x]))) continue;
            const double d = static_cast<double>(p[x]) - static_cast<double>(q[x]);
            if (!std::isfinite(d)) return std::nan("");
            if (std::fabs(d) > std::fabs(worst)) worst = d;
        }
    }
    return worst;
}

std::int64_t worstSlice(const View<const float>& a, const View<const float>& b) {
    std::int64_t slice = a.shape.depth / 2;
    double largest = 0;
    for (std::int64_t z = 0; z < a.shape.depth; ++z)
        for (std::int64_t y = 0; y < a.shape.height; ++y) {
            const double d = worstIn(a, b, z, 0, a.shape.width, y);
            if (std::isnan(d)) return z;
            if (std::fabs(d) > largest) largest = std::fabs(d), slice = z;
        }
    return slice;
}

}  // namespace

const EntryPictures* ReportPictures::of(const std::string& label) const {
    for (const EntryPictures& e : entries)
        if (e.label == label) return &e;
    return nullptr;
}

int pictureSide(std::size_t records) { return records > 1 ? 128 : 256; }

std::uint32_t differenceColour(double t) {
    struct Stop {
        double at, red, green, blue;
    };
    // As in the window; the two ends differ in lightness too.
    static constexpr std::array<Stop, 5> kStops{
        {{-1, 178, 226, 255}, {-0.45, 44, 125, 214}, {0, 28, 28, 30}, {0.45, 217, 108, 24}, {1, 255, 226, 150}}};
    t = std::clamp(t, -1.0, 1.0);
    std::size_t i = 1;
    while (i + 1 < kStops.size() && t > kStops[i].at) ++i;
    const Stop &a = kStops[i - 1], &b = kStops[i];
    const double f = (t - a.at) / (b.at - a.at);
    const auto mix = [f](double from, double to) { return static_cast<std::uint32_t>(std::lround(from + f * (to - from))); };
    return mix(a.red, b.red) << 16 | mix(a.green, b.green) << 8 | mix(a.blue, b.blue);
}

ReportPicture pictureOf(View<const float> view, const std::vector<std::string>& channels, int longestSide) {
    if (view.shape.empty()) return {};
    const Shape& s = view.shape;
    const std::int64_t factor = reduction(s, longestSide), z = s.depth / 2;
    const ColourChannels order = colourChannels(channels, s.channels);
    ReportPicture p = blank(s, factor);
    for (std::int64_t y = 0; y < p.height; ++y)
        for (std::int64_t x = 0; x < p.width; ++x) {
            std::array<double, 4> sum{};
            const std::int64_t x1 = std::min((x + 1) * factor, s.width), y1 = std::min((y + 1) * factor, s.height);
            for (std::int64_t v = y * factor; v < y1; ++v)
                for (std::int64_t u = x * factor; u < x1; ++u) {
                    for (std::size_t c = 0; c < 3; ++c) sum[c] += static_cast<double>(view.at(u, v, z, order.colour[c]));
                    if (order.alpha >= 0) sum[3] += static_cast<double>(view.at(u, v, z, order.alpha));
                }
            const auto n = static_cast<double>((x1 - x * factor) * (y1 - y * factor));
            if (std::isnan(sum[0]) || std::isnan(sum[1]) || std::isnan(sum[2])) {
                put(p, x, y, kNan);
                continue;
            }
            double behind = 0;
            if (order.alpha >= 0) behind = std::clamp(1 - sum[3] / n, 0.0, 1.0) * (((x >> 3) + (y >> 3)) & 1 ? 0.19 : 0.10);
            put(p, x, y, {encoded(sum[0] / n + behind), encoded(sum[1] / n + behind), encoded(sum[2] / n + behind)});
        }
    return p;
}

ReportPicture differenceOf(View<const float> result, View<const float> reference, int longestSide, double& scale) {
    if (result.shape != reference.shape) throw Error(ErrorCode::usage, "Images of different sizes cannot be compared");
    scale = 0;
    if (result.shape.empty()) return {};
    const Shape& s = result.shape;
    const std::int64_t factor = reduction(s, longestSide), z = s.depth > 1 ? worstSlice(result, reference) : 0;
    ReportPicture p = blank(s, factor);
    std::vector<double> values(static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height)), magnitudes;
    for (std::int64_t v = 0; v < s.height; ++v)
        for (std::int64_t x = 0; x < p.width; ++x) {
            double& here = values[static_cast<std::size_t>(v / factor * p.width + x)];
            if (std::isnan(here)) continue;
            const double d = worstIn(result, reference, z, x * factor, std::min((x + 1) * factor, s.width), v);
            if (std::isnan(d) || std::fabs(d) > std::fabs(here)) here = d;
        }
    for (const double v : values)
        if (v != 0 && !std::isnan(v)) magnitudes.push_back(std::fabs(v));
    if (!magnitudes.empty()) {
        const auto at = magnitudes.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(magnitudes.size() - 1));
        std::nth_element(magnitudes.begin(), at, magnitudes.end());
        scale = *at;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t colour = differenceColour(scale > 0 ? values[i] / scale : 0);
        const auto x = static_cast<std::int64_t>(i) % p.width, y = static_cast<std::int64_t>(i) / p.width;
        if (std::isnan(values[i])) put(p, x, y, kNan);
        else
            put(p, x, y,
                {static_cast<std::uint8_t>(colour >> 16), static_cast<std::uint8_t>(colour >> 8), static_cast<std::uint8_t>(colour)});
    }
    return p;
}

ReportPictures picturesOf(const Image& input, int longestSide) {
    ReportPictures p;
    std::optional<Image> linear;
    p.input = pictureOf(linearView(input, input.view(), linear), input.channelNames(), longestSide);
    const std::int64_t factor = reduction(input.shape(), longestSide);
    p.note = factor > 1 ? "Reduced by a factor of " + std::to_string(factor) + "; a pixel of a difference shows the maximum of its samples"
                        : "Full size";
    if (input.shape().depth > 1)
        p.note += "; slice " + std::to_string(input.shape().depth / 2 + 1) + " of " + std::to_string(input.shape().depth) +
                  "; differences in the slice with the maximum";
    return p;
}

void addPictures(ReportPictures& pictures, const std::string& label, const Image& input, View<const float> result,
                 View<const float> reference, int longestSide) {
    EntryPictures e;
    e.label = label;
    std::optional<Image> linear;
    e.result = pictureOf(linearView(input, result, linear), input.channelNames(), longestSide);
    // The reference has no difference.
    if (reference.data && reference.data != result.data && reference.shape == result.shape)
        e.difference = differenceOf(result, reference, longestSide, e.scale);
    pictures.entries.push_back(std::move(e));
}

}  // namespace parallax
