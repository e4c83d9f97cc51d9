// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/view/auto_display.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ui/models/regions/region_statistics.hpp"
#include "ui/models/view/display_curve.hpp"
#include "ui/models/view/pyramid.hpp"
#include "ui/models/volume/volume_state.hpp"

namespace parallax::ui {
namespace {

constexpr double kMaxPixels = 40000;
constexpr std::int64_t kMaxSlices = 16;  // of a volume, spread over it
constexpr double kUpper = 0.99, kLower = 0.01;

float quantile(std::vector<float>& values, double part) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

}  // namespace

DisplaySettings automaticDisplay(const Image& image, const QRect& pixels, const DisplaySettings& settings, bool ownRange) {
    const View<const float> view = viewOf(image, pixels);
    const bool chosen = settings.channel >= 0 && settings.channel < view.shape.channels;
    std::vector<int> channels;
    for (const int c : displayChannels(image).colour)
        if (c >= 0 && std::find(channels.begin(), channels.end(), c) == channels.end()) channels.push_back(c);
    if (chosen) channels = {settings.channel};
    const auto total = static_cast<double>(view.shape.width * view.shape.height);
    const auto step = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(std::sqrt(total / kMaxPixels))));
    std::vector<float> values;
    const bool volume = view.shape.depth > 1;
    const std::int64_t slices = volume ? std::min<std::int64_t>(view.shape.depth, kMaxSlices) : 1;
    for (std::int64_t i = 0; i < slices; ++i)
        for (std::int64_t y = step / 2; y < view.shape.height; y += step)
            for (std::int64_t x = step / 2; x < view.shape.width; x += step) {
                // A pixel is as bright as its brightest channel; both ends of a range need all of them.
                float brightest = -std::numeric_limits<float>::infinity();
                for (const int c : channels) {
                    const float v = view.at(x, y, (2 * i + 1) * view.shape.depth / (2 * slices), c);
                    brightest = std::max(brightest, v);
                    if (ownRange && std::isfinite(v)) values.push_back(v);
                }
                if (!ownRange && std::isfinite(brightest)) values.push_back(brightest);
            }
    if (values.empty()) return settings;
    const double white = static_cast<double>(quantile(values, kUpper));
    // Measurements have no natural zero.
    const bool measured = ownRange || holdsMeasurements(image);
    const double black = settings.single() || measured ? static_cast<double>(quantile(values, kLower)) : 0.0;
    if (!(white > black)) return settings;
    DisplaySettings result = withLevels(settings, black, white);
    // Rounded as the controls show it.
    if (black == 0 && !measured) result.exposure = std::floor(10 * result.exposure) / 10;
    return result;
}

}  // namespace parallax::ui
