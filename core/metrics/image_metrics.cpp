// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/image_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "core/image/encoded_light.hpp"
#include "core/image/error.hpp"
#include "core/metrics/metric_tasks.hpp"

namespace parallax {
namespace {

/// Selects channels and scale of both images.
class Subject {
public:
    Subject(const Image& a, const Image& b, const ImageMetricOptions& options) : Subject(a, a.view(), b.view(), options) {}
    /// `like`: names of the channels and geometry of both.
    Subject(const Image& like, View<const float> a, View<const float> b, const ImageMetricOptions& options)
        : a_(a), b_(b), options_(options) {
        requireSameShape({a, b});
        if (like.shape().channels == a.shape.channels) {
            values_ = valueChannels(like);
            colours_ = colourChannels(like);
            light_ = hasLight(like);
        } else {
            values_.resize(static_cast<std::size_t>(a.shape.channels));
            std::iota(values_.begin(), values_.end(), 0);
        }
        float least = 0, most = 0;
        for (const std::int64_t c : values_) {
            const SampleStatistics s = computeStatistics(a.channel(c));
            least = std::min(least, static_cast<float>(s.min));
            most = std::max(most, static_cast<float>(s.max));
        }
        range_ = most > least ? static_cast<double>(most) - static_cast<double>(least) : 1;
        high_ = light_ && (options.range == DynamicRange::high || (options.range == DynamicRange::automatic && most > 1));
    }
    bool light() const { return light_; }
    bool highDynamicRange() const { return high_; }
    double linearRange() const { return range_; }

    double ssim(SsimScale scale, View<float> map, RunContext& context) const {
        std::vector<ColourChannels> each;
        if (colours_) each.push_back(*colours_);
        else
            for (const std::int64_t c : values_) each.push_back({c, c, c});
        const double share = 1 / static_cast<double>(each.size());
        double mean = 0;
        for (const ColourChannels& channels : each)
            mean += share * structuralSimilarity({a_, b_, channels}, {scale, range_, share}, map, context);
        return mean;
    }
    UlpMetrics ulp(RunContext& context) const { return ulpMetrics(a_, b_, context); }
    FlipMetrics flip(View<float> map, RunContext& context) const {
        return parallax::flip({a_, b_, *colours_}, {options_.pixelsPerDegree, high_}, map, context);
    }

private:
    View<const float> a_, b_;
    ImageMetricOptions options_;
    std::vector<std::int64_t> values_;  ///< channels but alpha
    std::optional<ColourChannels> colours_;
    bool light_ = false, high_ = false;
    double range_ = 1;
};

float absoluteError(float a, float b) {
    if (std::isfinite(a) && std::isfinite(b)) return std::fabs(b - a);
    return (std::isnan(a) && std::isnan(b)) || a == b ? 0 : std::numeric_limits<float>::infinity();
}

void addAbsolute(const Image& a, const Image& b, View<float> map, RunContext& context) {
    const Shape& s = a.shape();
    forEachTask(context, s.height * s.depth, [&](std::int64_t row, int) {
        const std::int64_t y = row % s.height, z = row / s.height;
        float* out = map.row(y, z);
        for (std::int64_t c = 0; c < s.channels; ++c) {
            const float *p = a.view().row(y, z, c), *q = b.view().row(y, z, c);
            for (std::int64_t x = 0; x < s.width; ++x) out[x] = std::max(out[x], absoluteError(p[x], q[x]));
        }
    });
}

}  // namespace

bool hasLight(const Image& image) { return colourChannels(image) && !image.isVolume() && !(image.geometry && image.shape().channels == 1); }

namespace {

ImageMetrics metricsOf(const Subject& subject, RunContext& context) {
    ImageMetrics m;
    m.light = subject.light();
    m.highDynamicRange = subject.highDynamicRange();
    m.linearRange = subject.linearRange();
    m.ulp = subject.ulp(context);
    if (m.light) m.ssim = subject.ssim(SsimScale::display, {}, context);
    if (!m.light || m.highDynamicRange) m.ssimLinear = subject.ssim(SsimScale::linear, {}, context);
    if (m.light) m.flip = subject.flip({}, context);
    return m;
}

}  // namespace

ImageMetrics computeImageMetrics(const Image& a, const Image& b, const ImageMetricOptions& options, RunContext& context) {
    return metricsOf(Subject(a, b, options), context);
}

ResultMetrics computeResultMetrics(const Image& like, View<const float> reference, View<const float> result, RunContext& context) {
    std::optional<Image> first, second;
    const ImageMetrics m = metricsOf(Subject(like, linearView(like, reference, first), linearView(like, result, second), {}), context);
    return {.ssim = m.ssim,
            .ssimLinear = m.ssimLinear,
            .flip = m.flip ? std::optional(m.flip->mean) : std::nullopt,
            .highDynamicRange = m.highDynamicRange,
            .largestUlp = m.ulp.largest};
}

Image makeErrorMap(const Image& a, const Image& b, ErrorMap kind, const ImageMetricOptions& options, RunContext& context,
                   std::shared_ptr<Allocator> memory) {
    const Subject subject(a, b, options);
    if (kind == ErrorMap::flip && !subject.light())
        throw Error(ErrorCode::usage, "There is no FLIP of these samples", "FLIP compares colours, or one channel, of images",
                    "Choose the absolute difference or SSIM");
    const Shape& s = a.shape();
    Buffer samples(Shape{s.width, s.height, s.depth, 1}, SampleType::float32, std::move(memory));
    const View<float> map = samples.view<float>();
    std::fill_n(map.data, s.pixels(), 0.0F);
    switch (kind) {
        case ErrorMap::absolute: addAbsolute(a, b, map, context); break;
        case ErrorMap::ssim: (void)subject.ssim(subject.light() ? SsimScale::display : SsimScale::linear, map, context); break;
        case ErrorMap::flip: (void)subject.flip(map, context); break;
    }
    Image image(std::move(samples), {kind == ErrorMap::absolute ? "|B-A|" : kind == ErrorMap::ssim ? "1-SSIM" : "FLIP"});
    image.geometry = a.geometry;
    return image;
}

}  // namespace parallax
