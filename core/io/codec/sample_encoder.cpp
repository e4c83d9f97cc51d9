// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/sample_encoder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/image/transfer.hpp"

namespace parallax {
namespace {

double decode(double v, TransferFunction transfer, double gamma) {
    switch (transfer) {
        case TransferFunction::sRgb: return srgbToLinear(v);
        case TransferFunction::gamma: return std::pow(v, gamma);
        case TransferFunction::linear: break;
    }
    return v;
}

/// Non-negative floats sort like their bits. With 2,048 classes per power of two a class holds few codes, even of 65,536.
constexpr int kShift = 12;
constexpr std::uint32_t classOf(float v) { return std::bit_cast<std::uint32_t>(v) >> kShift; }

}  // namespace

std::vector<float> decodingTable(TransferFunction transfer, double gamma, int maximum) {
    std::vector<float> table(static_cast<std::size_t>(maximum) + 1);
    for (int i = 0; i <= maximum; ++i)
        table[static_cast<std::size_t>(i)] = static_cast<float>(decode(static_cast<double>(i) / maximum, transfer, gamma));
    return table;
}

int encodeSample(double linear, TransferFunction transfer, double gamma, int maximum) {
    if (!(linear > 0)) return 0;  // NaN too
    if (linear >= 1) return maximum;
    const double v = transfer == TransferFunction::sRgb    ? linearToSrgb(linear)
                     : transfer == TransferFunction::gamma ? std::pow(linear, 1 / gamma)
                                                           : linear;
    return static_cast<int>(std::lround(v * maximum));
}

SampleEncoder::SampleEncoder(TransferFunction transfer, double gamma, int maximum) : maximum_(maximum) {
    thresholds_.reserve(static_cast<std::size_t>(maximum) + 1);
    for (int code = 1; code <= maximum; ++code) {
        // The first float at or above the exact boundary.
        const double exact = decode((code - 0.5) / maximum, transfer, gamma);
        auto threshold = static_cast<float>(exact);
        if (static_cast<double>(threshold) < exact) threshold = std::nextafter(threshold, 2.0F);
        thresholds_.push_back(threshold);
    }
    thresholds_.push_back(std::numeric_limits<float>::infinity());
    firstCode_.resize(classOf(1.0F) + 1);
    std::size_t code = 0;
    for (std::size_t k = 0; k < firstCode_.size(); ++k) {
        const auto smallest = std::bit_cast<float>(static_cast<std::uint32_t>(k) << kShift);
        while (thresholds_[code] <= smallest) ++code;
        firstCode_[k] = static_cast<std::uint16_t>(code);
    }
}

int SampleEncoder::inRange(float linear) const {
    linear = std::fabs(linear);  // -0
    std::size_t code = firstCode_[classOf(linear)];
    while (thresholds_[code] <= linear) ++code;
    return static_cast<int>(code);
}

void noteClipped(std::uint64_t samples, std::vector<std::string>& notes) {
    if (samples > 0)
        notes.push_back(std::to_string(samples) +
                        " samples were below 0, above 1 or NaN and were clipped; EXR, float TIFF and PFM keep them");
}

}  // namespace parallax
