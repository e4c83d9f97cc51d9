// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/image.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/image/error.hpp"

namespace parallax {

double SampleStatistics::maxAbs() const { return std::max(std::fabs(min), std::fabs(max)); }

std::vector<std::string> defaultChannelNames(std::int64_t channels) {
    switch (channels) {
        case 1: return {"Y"};
        case 2: return {"Y", "A"};
        case 3: return {"R", "G", "B"};
        case 4: return {"R", "G", "B", "A"};
        default: break;
    }
    std::vector<std::string> names;
    for (std::int64_t c = 0; c < channels; ++c) names.push_back("C" + std::to_string(c));
    return names;
}

Image::Image(Buffer samples, std::vector<std::string> channelNames) : samples_(std::move(samples)), channelNames_(std::move(channelNames)) {
    if (channelNames_.empty()) channelNames_ = defaultChannelNames(shape().channels);
    if (static_cast<std::int64_t>(channelNames_.size()) != shape().channels) {
        throw Error(ErrorCode::failed, "An image needs one name for each channel");
    }
}

int Image::alphaChannel() const {
    for (std::size_t i = 0; i < channelNames_.size(); ++i) {
        const std::string& n = channelNames_[i];
        if (n == "A" || (n.size() > 2 && n.ends_with(".A"))) return static_cast<int>(i);
    }
    return -1;
}

Image Image::withSamples(Buffer samples) const {
    const bool sameChannels = samples.shape().channels == shape().channels;
    Image result(std::move(samples), sameChannels ? channelNames_ : std::vector<std::string>{});
    result.metadata = metadata;
    result.source = source;
    if (result.shape().width == shape().width && result.shape().height == shape().height) {
        result.dataWindow = dataWindow;
        result.displayWindow = displayWindow;
    }
    if (!sameChannels) result.source.windows.clear();
    result.provenance = provenance;
    if (isVolume() && !result.isVolume()) return result;
    result.pixelAspectRatio = pixelAspectRatio;
    result.geometry = geometry;
    if (result.geometry && result.shape().depth != shape().depth) result.geometry->slicePositions.clear();
    return result;
}

Image Image::clone() const { return withSamples(samples_.clone()); }

namespace {

struct Accumulator {
    SampleStatistics s{.min = std::numeric_limits<double>::infinity(), .max = -std::numeric_limits<double>::infinity()};
    double sum = 0;
    std::uint64_t finite = 0;

    // Independent lanes, so that compilers can vectorise the sums without reordering them.
    static constexpr int kLanes = 16;

    void addRow(const float* p, std::int64_t n) {
        if (!addFiniteRow(p, n)) addAnyRow(p, n);
    }

    /// Returns false, and adds nothing, if a sample is NaN or infinite.
    bool addFiniteRow(const float* p, std::int64_t n) {
        float lo[kLanes], hi[kLanes], zero[kLanes] = {};  // zero: NaN after such a sample
        double sums[kLanes] = {};
        std::fill_n(lo, kLanes, std::numeric_limits<float>::infinity());
        std::fill_n(hi, kLanes, -std::numeric_limits<float>::infinity());
        const auto add = [&](float v, int lane) {
            zero[lane] += v - v;
            lo[lane] = v < lo[lane] ? v : lo[lane];
            hi[lane] = v > hi[lane] ? v : hi[lane];
            sums[lane] += static_cast<double>(v);
        };
        std::int64_t i = 0;
        for (; i + kLanes <= n; i += kLanes)
            for (int lane = 0; lane < kLanes; ++lane) add(p[i + lane], lane);
        for (int lane = 0; i < n; ++i, ++lane) add(p[i], lane);
        if (!std::all_of(zero, zero + kLanes, [](float z) { return z == 0; })) return false;
        for (int lane = 0; lane < kLanes; ++lane) {
            sum += sums[lane];
            s.min = std::min<double>(s.min, lo[lane]);
            s.max = std::max<double>(s.max, hi[lane]);
        }
        finite += static_cast<std::uint64_t>(n);
        return true;
    }

    void addAnyRow(const float* p, std::int64_t n) {
        float lo[kLanes], hi[kLanes];
        double sums[kLanes] = {};
        std::int32_t good[kLanes] = {};
        std::fill_n(lo, kLanes, std::numeric_limits<float>::infinity());
        std::fill_n(hi, kLanes, -std::numeric_limits<float>::infinity());
        const auto add = [&](float v, int lane) {
            const bool ok = std::fabs(v) <= std::numeric_limits<float>::max();
            const float kept = ok ? v : 0.0F;
            good[lane] += ok;
            sums[lane] += static_cast<double>(kept);
            lo[lane] = ok && v < lo[lane] ? v : lo[lane];
            hi[lane] = ok && v > hi[lane] ? v : hi[lane];
        };
        std::int64_t i = 0;
        for (; i + kLanes <= n; i += kLanes)
            for (int lane = 0; lane < kLanes; ++lane) add(p[i + lane], lane);
        for (int lane = 0; i < n; ++i, ++lane) add(p[i], lane);
        std::int64_t goodAll = 0;
        for (int lane = 0; lane < kLanes; ++lane) {
            goodAll += good[lane];
            sum += sums[lane];
            if (good[lane] == 0) continue;
            s.min = std::min<double>(s.min, lo[lane]);
            s.max = std::max<double>(s.max, hi[lane]);
        }
        finite += static_cast<std::uint64_t>(goodAll);
        if (goodAll == n) return;
        for (std::int64_t k = 0; k < n; ++k) {
            s.nan += std::isnan(p[k]);
            s.positiveInfinity += std::isinf(p[k]) && p[k] > 0;
            s.negativeInfinity += std::isinf(p[k]) && p[k] < 0;
        }
    }
    SampleStatistics finish() {
        if (finite == 0) s.min = s.max = 0;
        s.mean = finite ? sum / static_cast<double>(finite) : 0;
        return s;
    }
};

}  // namespace

SampleStatistics computeStatistics(View<const float> v) {
    Accumulator a;
    for (std::int64_t c = 0; c < v.shape.channels; ++c)
        for (std::int64_t z = 0; z < v.shape.depth; ++z)
            for (std::int64_t y = 0; y < v.shape.height; ++y) a.addRow(v.row(y, z, c), v.shape.width);
    return a.finish();
}

SampleStatistics computeStatistics(const Image& image) { return computeStatistics(image.view()); }

}  // namespace parallax
