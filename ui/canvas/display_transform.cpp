// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/canvas/display_transform.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "parallax/image/transfer.hpp"

namespace parallax::ui {
namespace {

/// sRGB of a linear value by the upper bits of its float pattern: 512 entries per factor of two keep the error below a
/// quarter of an 8-bit step, and it is the only way to do millions of values between two frames on one core.
class SrgbTable {
public:
    SrgbTable() {
        for (std::uint32_t i = 0; i < table_.size(); ++i) {
            const float middle = std::bit_cast<float>(kLowest + (i << kShift) + (1U << (kShift - 1)));
            table_[i] = static_cast<std::uint8_t>(std::lround(255 * std::min(1.0, linearToSrgb(middle))));
        }
    }
    /// NaN must be handled before.
    std::uint8_t operator()(float v) const {
        if (!(v > 0x1p-16F)) return 0;
        if (v >= 1.0F) return 255;
        return table_[(std::bit_cast<std::uint32_t>(v) - kLowest) >> kShift];
    }

private:
    static constexpr std::uint32_t kLowest = (127U - 16U) << 23;
    static constexpr int kShift = 14;
    std::array<std::uint8_t, std::size_t{16} << 9> table_{};
};

const SrgbTable& srgbTable() {
    static const SrgbTable table;
    return table;
}

struct Stop {
    double at;
    int red, green, blue;
};
constexpr std::array<Stop, 5> kDiverging{
    {{-1, 178, 226, 255}, {-0.45, 44, 125, 214}, {0, 28, 28, 30}, {0.45, 217, 108, 24}, {1, 255, 226, 150}}};

const std::vector<QRgb>& divergingTable() {
    static const std::vector<QRgb> table = [] {
        std::vector<QRgb> t(1025);
        for (std::size_t i = 0; i < t.size(); ++i) t[i] = divergingColour(static_cast<double>(i) / 512 - 1);
        return t;
    }();
    return table;
}

const std::vector<QRgb>& sequentialTable() {
    static const std::vector<QRgb> table = [] {
        std::vector<QRgb> t(1025);
        for (std::size_t i = 0; i < t.size(); ++i) t[i] = sequentialColour(static_cast<double>(i) / 1024);
        return t;
    }();
    return table;
}

/// Linear sRGB of an Oklab colour; components outside of [0, 1] are not in the gamut.
std::array<double, 3> fromOklab(double lightness, double a, double b) {
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

void renderMagnitudeRow(const float* values, std::int64_t step, int width, float factor, bool squared, QRgb* out) {
    const std::vector<QRgb>& table = sequentialTable();
    for (int x = 0; x < width; ++x) {
        const float v = values ? values[x * step] : 0.0F;
        const float m = squared ? v * v : std::fabs(v);
        if (std::isnan(v)) out[x] = kNanColour;
        else out[x] = table[static_cast<std::size_t>(std::lround(1024 * std::clamp(m * factor, 0.0F, 1.0F)))];
    }
}

void renderDifferenceRow(const float* values, std::int64_t step, int width, float factor, QRgb* out) {
    const std::vector<QRgb>& table = divergingTable();
    for (int x = 0; x < width; ++x) {
        const float v = values ? values[x * step] : 0.0F;
        if (std::isnan(v)) out[x] = kNanColour;
        else out[x] = table[static_cast<std::size_t>(std::lround(512 + 512 * std::clamp(v * factor, -1.0F, 1.0F)))];
    }
}

}  // namespace

QRgb divergingColour(double t) {
    t = std::clamp(t, -1.0, 1.0);
    std::size_t i = 1;
    while (i + 1 < kDiverging.size() && t > kDiverging[i].at) ++i;
    const Stop &a = kDiverging[i - 1], &b = kDiverging[i];
    const double f = (t - a.at) / (b.at - a.at);
    const auto mix = [f](int from, int to) { return static_cast<int>(std::lround(from + f * (to - from))); };
    return qRgb(mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue));
}

QRgb sequentialColour(double t) {
    t = std::clamp(t, 0.0, 1.0);
    const double lightness = 0.16 + 0.78 * t, hue = (310 - 205 * t) * std::numbers::pi / 180;
    // As colourful as the screen allows, up to a limit: only the lightness carries the value.
    for (double chroma = 0.15;; chroma -= 0.004) {
        const auto rgb = fromOklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue));
        if (chroma > 0 && std::any_of(rgb.begin(), rgb.end(), [](double v) { return v < 0 || v > 1; })) continue;
        const auto byte = [](double v) { return static_cast<int>(std::lround(255 * linearToSrgb(std::clamp(v, 0.0, 1.0)))); };
        return qRgb(byte(rgb[0]), byte(rgb[1]), byte(rgb[2]));
    }
}

QImage renderTile(const Pyramid& pyramid, int level, const QRect& part, const Colouring& colouring) {
    QImage image(part.size(), QImage::Format_RGB32);
    const SrgbTable& table = srgbTable();
    const float gain = static_cast<float>(std::exp2(colouring.exposure));
    const float differenceFactor = colouring.scale > 0 ? static_cast<float>(1 / colouring.scale) : 0.0F;
    const bool grey = pyramid.channels().grey;
    static constexpr float kDarkSquare = 0.10F, kLightSquare = 0.19F;  // linear
    for (int row = 0; row < part.height(); ++row) {
        auto* out = reinterpret_cast<QRgb*>(image.scanLine(row));
        const std::int64_t y = part.top() + row;
        std::int64_t step = 1;
        std::array<const float*, 4> in{};
        for (int c = 0; c < 4; ++c) {
            const float* line = pyramid.row(level, y, c, step);
            in[static_cast<std::size_t>(c)] = line ? line + part.left() * step : nullptr;
        }
        // A missing channel reports step 1; all others agree, so ask once for one that is there.
        for (int c = 0; c < 3; ++c)
            if (in[static_cast<std::size_t>(c)]) (void)pyramid.row(level, y, c, step);
        if (colouring.difference) {
            if (colouring.mode == DifferenceMode::signedValue) renderDifferenceRow(in[0], step, part.width(), differenceFactor, out);
            else renderMagnitudeRow(in[0], step, part.width(), differenceFactor, colouring.mode == DifferenceMode::squared, out);
            continue;
        }
        for (int x = 0; x < part.width(); ++x) {
            float r = in[0] ? in[0][x * step] : 0.0F;
            float g = grey ? r : in[1] ? in[1][x * step] : 0.0F;
            float b = grey ? r : in[2] ? in[2][x * step] : 0.0F;
            if (std::isnan(r) || std::isnan(g) || std::isnan(b)) {
                out[x] = kNanColour;
                continue;
            }
            r *= gain, g *= gain, b *= gain;
            if (in[3]) {
                const float a = in[3][x * step];
                const bool light = ((((part.left() + x) << level) >> 3) + ((y << level) >> 3)) & 1;
                const float rest = std::clamp(1 - a, 0.0F, 1.0F) * (light ? kLightSquare : kDarkSquare);
                r += rest, g += rest, b += rest;
            }
            out[x] = qRgb(table(r), table(g), table(b));
        }
    }
    return image;
}

}  // namespace parallax::ui
