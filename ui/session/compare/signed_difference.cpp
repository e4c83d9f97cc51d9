// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/compare/signed_difference.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/image/error.hpp"

namespace parallax::ui {
namespace {

/// For each pixel, the value of largest magnitude over the channels of `difference` of samples that are neither equal nor both NaN.
template <typename Difference>
Image strongestOfChannels(const Image& a, const Image& b, const std::stop_token& stop, std::shared_ptr<Allocator> memory, const char* name,
                          Difference&& difference) {
    const Shape shape = a.shape();
    Buffer buffer(Shape{shape.width, shape.height, shape.depth, 1}, SampleType::float32, std::move(memory));
    for (std::int64_t row = 0; row < shape.height * shape.depth; ++row) {
        if ((row & 63) == 0 && stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
        const std::int64_t y = row % shape.height, z = row / shape.height;
        float* out = buffer.view<float>().row(y, z);
        for (std::int64_t x = 0; x < shape.width; ++x) out[x] = 0;
        for (std::int64_t c = 0; c < shape.channels; ++c) {
            const float* first = a.view().row(y, z, c);
            const float* second = b.view().row(y, z, c);
            for (std::int64_t x = 0; x < shape.width; ++x) {
                if (first[x] == second[x] || (std::isnan(first[x]) && std::isnan(second[x]))) continue;
                const float d = difference(first[x], second[x]);
                if (std::isnan(out[x])) continue;
                if (std::isnan(d) || std::fabs(d) > std::fabs(out[x])) out[x] = d;
            }
        }
    }
    Image image(std::move(buffer), {name});
    image.geometry = a.geometry;
    return image;
}

}  // namespace

Image signedDifference(const Image& a, const Image& b, const std::stop_token& stop, std::shared_ptr<Allocator> memory) {
    return strongestOfChannels(a, b, stop, std::move(memory), "B-A", [](float first, float second) { return second - first; });
}

Image relativeDifference(const Image& a, const Image& b, const std::stop_token& stop, std::shared_ptr<Allocator> memory) {
    return strongestOfChannels(a, b, stop, std::move(memory), "relative", [](float first, float second) {
        const float apart = std::fabs(second - first);
        // Avoids NaN from infinity / infinity.
        if (std::isinf(apart) && (std::isinf(first) || std::isinf(second))) return apart;
        // In double: the difference of large samples and the quotient of tiny ones keep their digits.
        const double x = first, y = second;
        return static_cast<float>(std::fabs(y - x) / std::max(std::fabs(x), std::fabs(y)));
    });
}

DifferenceRange rangeOf(const Image& difference) {
    constexpr std::int64_t kMaxSamples = 1 << 20;  // enough for a percentile
    const std::int64_t total = difference.shape().pixels(), step = std::max<std::int64_t>(1, total / kMaxSamples);
    const float* samples = difference.view().data;
    DifferenceRange range;
    std::vector<float> magnitudes;
    float largest = 0;
    for (std::int64_t i = 0; i < total; ++i) {
        const float m = std::fabs(samples[i]);
        range.infinite = range.infinite || std::isinf(m);
        if (!std::isfinite(m) || m == 0) continue;
        largest = std::max(largest, m);
        if (i % step == 0) magnitudes.push_back(m);
    }
    range.largest = range.typical = static_cast<double>(largest);
    if (magnitudes.empty()) return range;
    const auto at = magnitudes.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(magnitudes.size() - 1) * 0.99);
    std::nth_element(magnitudes.begin(), at, magnitudes.end());
    range.typical = static_cast<double>(*at);
    return range;
}

}  // namespace parallax::ui
