// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/encoded_light.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/image/error.hpp"
#include "core/image/transfer.hpp"

namespace parallax {
namespace {

bool isColour(const std::string& channel) {
    const std::string name = channel.substr(channel.rfind('.') + 1);
    return name == "R" || name == "G" || name == "B" || name == "Y";
}

double power(double v, double exponent) { return std::copysign(std::pow(std::fabs(v), exponent), v); }

/// Applies convert(v) to the colours, divided by alpha where it is not 0.
template <class F>
Image converted(const Image& image, bool encoded, const F& convert) {
    Image result = image.clone();
    result.source.encoded = encoded;
    const View<float> v = result.view();
    const int alpha = result.alphaChannel();
    for (std::int64_t c = 0; c < v.shape.channels; ++c) {
        if (!isColour(result.channelNames()[static_cast<std::size_t>(c)])) continue;
        for (std::int64_t y = 0; y < v.shape.height; ++y)
            for (std::int64_t x = 0; x < v.shape.width; ++x) {
                const double a = alpha < 0 ? 1 : static_cast<double>(v.at(x, y, 0, alpha)), scale = a > 0 ? a : 1;
                v.at(x, y, 0, c) = static_cast<float>(convert(static_cast<double>(v.at(x, y, 0, c)) / scale) * scale);
            }
    }
    return result;
}

}  // namespace

Image withEncodedColours(const Image& image) {
    const auto refuse = [](const char* why) { throw Error(ErrorCode::usage, "There are no encoded colours", why, "Use linear light"); };
    if (image.isVolume() || image.source.medical) refuse("the samples of a volume are not light");
    bool any = false;
    for (const std::string& name : image.channelNames()) any = any || isColour(name);
    if (!any) refuse("the image has none of the channels R, G, B and Y");
    const double exponent = 1 / image.source.gamma;
    if (image.source.transfer == TransferFunction::gamma) return converted(image, true, [&](double v) { return power(v, exponent); });
    return converted(image, true, linearToSrgb);
}

Image withLinearColours(const Image& image) {
    const double exponent = image.source.gamma;
    if (image.source.transfer == TransferFunction::gamma) return converted(image, false, [&](double v) { return power(v, exponent); });
    return converted(image, false, srgbToLinear);
}

View<const float> linearView(const Image& like, View<const float> view, std::optional<Image>& copy) {
    if (!like.source.encoded || !view.data) return view;
    Buffer samples(view.shape);
    for (std::int64_t c = 0; c < view.shape.channels; ++c)
        for (std::int64_t z = 0; z < view.shape.depth; ++z)
            for (std::int64_t y = 0; y < view.shape.height; ++y)
                std::copy_n(view.row(y, z, c), view.shape.width, samples.view<float>().row(y, z, c));
    copy.emplace(withLinearColours(like.withSamples(std::move(samples))));
    return std::as_const(*copy).view();
}

}  // namespace parallax
