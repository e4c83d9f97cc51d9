// SPDX-License-Identifier: GPL-3.0-or-later
// Reduced copies of an image for display: level 0 is the image itself, each further level has half the size.
#pragma once

#include <array>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/image/image.hpp"

namespace parallax::ui {

/// The channels that are displayed.
struct DisplayChannels {
    std::array<int, 3> colour{0, 0, 0};  ///< -1: black
    int alpha = -1;
    bool grey = true;
};
DisplayChannels displayChannels(const Image& image);

enum class Reduction {
    mean,      ///< for images
    strongest  ///< sample of largest magnitude: a single wrong pixel of a difference stays visible at every size
};

class Pyramid {
public:
    Pyramid() = default;
    /// Without reduced levels: small views take every n-th sample.
    explicit Pyramid(ImagePtr image);
    /// With all reduced levels, down to one tile. Throws Error(cancelled), Error(memory).
    Pyramid(ImagePtr image, Reduction reduction, const std::stop_token& stop, std::shared_ptr<Allocator> memory = hostAllocator());

    const ImagePtr& image() const { return image_; }
    const DisplayChannels& channels() const { return channels_; }
    /// Number of levels, whether or not they have been reduced yet.
    int levels() const { return levelCount_; }
    bool complete() const { return static_cast<int>(reduced_.size()) + 1 >= levelCount_; }
    std::int64_t width(int level) const { return (image_->shape().width + (std::int64_t{1} << level) - 1) >> level; }
    std::int64_t height(int level) const { return (image_->shape().height + (std::int64_t{1} << level) - 1) >> level; }
    /// Row y of a displayed channel (0, 1, 2 colour, 3 alpha) in a level, and the step between its samples; null: black.
    const float* row(int level, std::int64_t y, int displayed, std::int64_t& step) const;
    /// The same of any channel of the image. Channels that are not displayed have no reduced levels: every n-th sample.
    const float* channelRow(int level, std::int64_t y, int channel, std::int64_t& step) const;

private:
    int plane(int displayed) const;

    ImagePtr image_;
    DisplayChannels channels_;
    int levelCount_ = 1;
    std::vector<int> planes_;      // channels in the reduced levels
    std::vector<Buffer> reduced_;  // level 1, 2, ...
};

using PyramidPtr = std::shared_ptr<const Pyramid>;

}  // namespace parallax::ui
