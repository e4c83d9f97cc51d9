// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/view/display_curve.hpp"

#include <algorithm>
#include <mutex>

#include "core/image/transfer.hpp"

namespace parallax::ui {
namespace {

double encode(double v, DisplayEncoding encoding, double gamma) {
    switch (encoding) {
        case DisplayEncoding::srgb: return linearToSrgb(v);
        case DisplayEncoding::gamma: return std::pow(v, 1 / gamma);
        case DisplayEncoding::linear: return v;
    }
    return v;
}

std::shared_ptr<const EncodingTable> tableFor(DisplayEncoding encoding, double gamma) {
    static const auto srgb = std::make_shared<const EncodingTable>(DisplayEncoding::srgb, 1);
    static const auto linear = std::make_shared<const EncodingTable>(DisplayEncoding::linear, 1);
    if (encoding == DisplayEncoding::srgb) return srgb;
    if (encoding == DisplayEncoding::linear) return linear;
    static std::mutex mutex;
    static std::shared_ptr<const EncodingTable> last;
    static double lastGamma = 0;
    const std::scoped_lock lock(mutex);
    if (!last || gamma != lastGamma) {
        last = std::make_shared<const EncodingTable>(DisplayEncoding::gamma, gamma);
        lastGamma = gamma;
    }
    return last;
}

}  // namespace

EncodingTable::EncodingTable(DisplayEncoding encoding, double gamma) {
    const auto byte = [&](float v) {
        return static_cast<std::uint8_t>(std::lround(255 * std::clamp(encode(static_cast<double>(v), encoding, gamma), 0.0, 1.0)));
    };
    for (std::uint32_t i = 0; i < table_.size(); ++i)
        table_[i] = byte(std::bit_cast<float>(kLowest + (i << kShift) + (1U << (kShift - 1))));
    lowest_ = byte(std::bit_cast<float>(kLowest) / 2);
    for (std::uint32_t i = 0; i < exact_.size(); ++i)
        exact_[i] =
            static_cast<float>(255 * encode(static_cast<double>(std::bit_cast<float>(kLowest + (i << kExactShift))), encoding, gamma));
}

float ditherThreshold(std::int64_t x, std::int64_t y) {
    static const auto matrix = [] {
        std::array<float, 64> thresholds{};
        for (std::uint32_t i = 0; i < 64; ++i) {
            // The bits of x ^ y and y, interleaved, the lowest ones first.
            const std::uint32_t column = i % 8, row = i / 8, mixed = column ^ row;
            std::uint32_t rank = 0;
            for (int bit = 0; bit < 3; ++bit) rank = (rank << 2) | (((mixed >> bit) & 1U) << 1) | ((row >> bit) & 1U);
            thresholds[i] = (static_cast<float>(rank) + 0.5F) / 64;
        }
        return thresholds;
    }();
    return matrix[static_cast<std::size_t>((y & 7) * 8 + (x & 7))];
}

DisplayCurve::DisplayCurve(const DisplaySettings& settings)
    : table_(tableFor(settings.encoding, settings.gamma)),
      gain_(static_cast<float>(std::exp2(settings.exposure))),
      offset_(static_cast<float>(settings.offset)) {}

DisplaySettings withLevels(DisplaySettings settings, double black, double white) {
    settings.exposure = -std::log2(white - black);
    settings.offset = black == 0 ? 0 : -black / (white - black);
    return settings;
}

double blackOf(const DisplaySettings& settings) { return -settings.offset / std::exp2(settings.exposure); }
double whiteOf(const DisplaySettings& settings) { return (1 - settings.offset) / std::exp2(settings.exposure); }

}  // namespace parallax::ui
