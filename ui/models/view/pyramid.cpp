// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/view/pyramid.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/image/error.hpp"

namespace parallax::ui {
namespace {

constexpr std::int64_t kSmallest = 256;

int findChannel(const std::vector<std::string>& names, const std::string& name) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return static_cast<int>(i);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i].ends_with("." + name)) return static_cast<int>(i);
    return -1;
}

float stronger(float a, float b) {
    if (std::isnan(a)) return a;
    if (std::isnan(b)) return b;
    return std::fabs(b) > std::fabs(a) ? b : a;
}

void reduce(View<const float> in, View<float> out, Reduction reduction, const std::stop_token& stop) {
    for (std::int64_t y = 0; y < out.shape.height; ++y) {
        if ((y & 63) == 0 && stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
        const float* upper = in.row(2 * y);
        const float* lower = in.row(std::min(2 * y + 1, in.shape.height - 1));
        float* target = out.row(y);
        const std::int64_t pairs = in.shape.width / 2;
        if (reduction == Reduction::mean) {
            for (std::int64_t x = 0; x < pairs; ++x)
                target[x] = 0.25F * ((upper[2 * x] + upper[2 * x + 1]) + (lower[2 * x] + lower[2 * x + 1]));
            if (pairs < out.shape.width) target[pairs] = 0.5F * (upper[2 * pairs] + lower[2 * pairs]);
        } else {
            for (std::int64_t x = 0; x < pairs; ++x)
                target[x] = stronger(stronger(upper[2 * x], upper[2 * x + 1]), stronger(lower[2 * x], lower[2 * x + 1]));
            if (pairs < out.shape.width) target[pairs] = stronger(upper[2 * pairs], lower[2 * pairs]);
        }
    }
}

}  // namespace

DisplayChannels displayChannels(const Image& image) {
    const auto& names = image.channelNames();
    DisplayChannels result;
    result.alpha = image.alphaChannel();
    const std::array<int, 3> rgb{findChannel(names, "R"), findChannel(names, "G"), findChannel(names, "B")};
    if (rgb[0] >= 0 || rgb[1] >= 0 || rgb[2] >= 0) {
        result.colour = rgb;
        result.grey = false;
        return result;
    }
    int shown = std::max(0, findChannel(names, "Y"));
    if (shown == result.alpha && names.size() > 1) shown = result.alpha == 0 ? 1 : 0;
    if (names.size() == 1) result.alpha = -1;  // a single alpha channel is shown as grey
    result.colour = {shown, shown, shown};
    return result;
}

Pyramid::Pyramid(ImagePtr image) : image_(std::move(image)), channels_(displayChannels(*image_)) {
    while (std::max(width(levelCount_ - 1), height(levelCount_ - 1)) > kSmallest) ++levelCount_;
}

Pyramid::Pyramid(ImagePtr image, Reduction reduction, const std::stop_token& stop, std::shared_ptr<Allocator> memory)
    : Pyramid(std::move(image)) {
    for (const int channel : {channels_.colour[0], channels_.colour[1], channels_.colour[2], channels_.alpha})
        if (channel >= 0 && std::find(planes_.begin(), planes_.end(), channel) == planes_.end()) planes_.push_back(channel);
    for (int level = 1; level < levelCount_; ++level) {
        Buffer buffer(Shape{width(level), height(level), 1, static_cast<std::int64_t>(planes_.size())}, SampleType::float32, memory);
        for (std::size_t i = 0; i < planes_.size(); ++i) {
            const auto source = level == 1 ? image_->view().channel(planes_[i])
                                           : std::as_const(reduced_.back()).view<float>().channel(static_cast<std::int64_t>(i));
            reduce(source, buffer.view<float>().channel(static_cast<std::int64_t>(i)), reduction, stop);
        }
        reduced_.push_back(std::move(buffer));
    }
}

int Pyramid::plane(int displayed) const { return displayed == 3 ? channels_.alpha : channels_.colour[static_cast<std::size_t>(displayed)]; }

const float* Pyramid::row(int level, std::int64_t y, int displayed, std::int64_t& step) const {
    const int channel = plane(displayed);
    step = 1;
    return channel < 0 ? nullptr : channelRow(level, y, channel, step);
}

const float* Pyramid::channelRow(int level, std::int64_t y, int channel, std::int64_t& step) const {
    step = 1;
    if (level == 0) return image_->view().row(y, 0, channel);
    const auto reduced = std::find(planes_.begin(), planes_.end(), channel);
    if (reduced != planes_.end() && level <= static_cast<int>(reduced_.size()))
        return reduced_[static_cast<std::size_t>(level - 1)].view<float>().row(y, 0, reduced - planes_.begin());
    step = std::int64_t{1} << level;
    return image_->view().row(std::min(y << level, image_->shape().height - 1), 0, channel);
}

}  // namespace parallax::ui
