// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/display_transform.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/image/transfer.hpp"
#include "ui/models/view/display_curve.hpp"

namespace parallax::ui {
namespace {

constexpr float kRedLuminance = 0.2126F, kGreenLuminance = 0.7152F, kBlueLuminance = 0.0722F;  // ITU-R BT.709

struct Stop {
    double at;
    int red, green, blue;
};
constexpr std::array<Stop, 5> kDiverging{
    {{-1, 178, 226, 255}, {-0.45, 44, 125, 214}, {0, 28, 28, 30}, {0.45, 217, 108, 24}, {1, 255, 226, 150}}};

/// Colours of t = 0, 1/1024 ... 1.
using MapTable = std::array<QRgb, 1025>;

const MapTable& mapTable(FalseColour map) {
    static const auto make = [](FalseColour m) {
        MapTable t;
        for (std::size_t i = 0; i < t.size(); ++i) t[i] = falseColour(m, static_cast<double>(i) / 1024);
        return t;
    };
    static const MapTable even = make(FalseColour::evenRamp), heat = make(FalseColour::heat), diverging = make(FalseColour::diverging),
                          magma = make(FalseColour::magma);
    switch (map) {
        case FalseColour::heat: return heat;
        case FalseColour::diverging: return diverging;
        case FalseColour::magma: return magma;
        default: return even;
    }
}

/// NaN, such as 0 x infinity, counts as 0.
QRgb fromTable(const MapTable& table, float t) {
    return table[static_cast<std::size_t>(std::lround(1024 * (t > 0 ? std::min(t, 1.0F) : 0.0F)))];
}

/// Converts Oklab to linear sRGB; components outside [0, 1] are out of gamut.
std::array<double, 3> fromOklab(double lightness, double a, double b) {
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

/// Magma by van der Walt and Smith (public domain), every sixteenth colour.
QRgb magmaColour(double t) {
    static constexpr std::array<QRgb, 17> kColours{0xff000004, 0xff0a0822, 0xff1d1146, 0xff36106a, 0xff50127c, 0xff691c81,
                                                   0xff822681, 0xff9c2e7f, 0xffb63779, 0xffcf4170, 0xffe65163, 0xfff5695c,
                                                   0xfffb8761, 0xfffea571, 0xfffec387, 0xfffde0a2, 0xfffcfdbf};
    const double x = std::clamp(t, 0.0, 1.0) * 16;
    const auto i = static_cast<std::size_t>(std::min(x, 15.0));
    const double f = x - static_cast<double>(i);
    const auto mix = [f](int from, int to) { return static_cast<int>(std::lround(from + f * (to - from))); };
    const QRgb a = kColours[i], b = kColours[i + 1];
    return qRgb(mix(qRed(a), qRed(b)), mix(qGreen(a), qGreen(b)), mix(qBlue(a), qBlue(b)));
}

/// Renders a row of the difference; null samples: outside the image.
void renderDifferenceRow(const float* values, std::int64_t step, int width, const DisplaySettings& display, QRgb* out) {
    const float factor = display.differenceScale > 0 ? static_cast<float>(1 / display.differenceScale) : 0.0F;
    const bool isSigned = display.differenceMode == DifferenceMode::signedValue;
    const bool squared = display.differenceMode == DifferenceMode::squared;
    const float limit = static_cast<float>(squared ? std::sqrt(display.differenceScale) : display.differenceScale);
    const BeyondColours beyond = beyondColours(display.differenceMode);
    const MapTable& table = mapTable(mapOf(display.differenceMode));
    for (int x = 0; x < width; ++x) {
        const float v = values ? values[x * step] : 0.0F;
        if (std::isnan(v)) out[x] = kNanColour;
        else if (std::fabs(v) > limit) out[x] = isSigned && v < 0 ? beyond.below : beyond.above;
        else if (isSigned) out[x] = fromTable(table, 0.5F + 0.5F * std::clamp(v * factor, -1.0F, 1.0F));
        else out[x] = fromTable(table, (squared ? v * v : std::fabs(v)) * factor);
    }
}

/// The levels of scaled values in a row of pixels.
struct Levels {
    const DisplayCurve& curve;
    bool dithered;
    std::int64_t left, y;  ///< of the first pixel, in the level

    std::uint8_t at(float scaled, int x) const {
        return dithered ? curve.dithered(scaled, ditherThreshold(left + x, y)) : curve.encoded(scaled);
    }
};

/// Renders a row of single values as grey or false colour.
void renderSingleRow(const std::array<const float*, 3>& in, std::int64_t step, int width, bool luminance, const DisplaySettings& display,
                     const Levels& levels, QRgb* out) {
    const MapTable* map = display.falseColour == FalseColour::none ? nullptr : &mapTable(display.falseColour);
    const auto at = [&](std::size_t c, int x) { return in[c] ? in[c][x * step] : 0.0F; };
    for (int x = 0; x < width; ++x) {
        const float v = luminance ? kRedLuminance * at(0, x) + kGreenLuminance * at(1, x) + kBlueLuminance * at(2, x) : at(0, x);
        const float scaled = levels.curve.scaled(v);
        if (std::isnan(v)) out[x] = kNanColour;
        else if (display.clippingMarks && scaled > 1) out[x] = kOverColour;
        else if (display.clippingMarks && scaled < 0) out[x] = kUnderColour;
        else if (map) out[x] = fromTable(*map, scaled);
        else {
            const std::uint8_t grey = levels.at(scaled, x);
            out[x] = qRgb(grey, grey, grey);
        }
    }
}

}  // namespace

FalseColour mapOf(DifferenceMode mode) {
    if (mode == DifferenceMode::signedValue) return FalseColour::diverging;
    return mode == DifferenceMode::flip ? FalseColour::magma : FalseColour::evenRamp;
}

BeyondColours beyondColours(DifferenceMode mode) {
    static constexpr QRgb kRed = 0xffff2a2a, kGreen = 0xff00ff78;
    // Magma passes through red.
    return {kGreen, mode == DifferenceMode::flip ? kGreen : kRed};
}

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
    // The largest chroma, up to a limit, that is in gamut: only the lightness carries the value.
    for (double chroma = 0.15;; chroma -= 0.004) {
        const auto rgb = fromOklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue));
        if (chroma > 0 && std::any_of(rgb.begin(), rgb.end(), [](double v) { return v < 0 || v > 1; })) continue;
        const auto byte = [](double v) { return static_cast<int>(std::lround(255 * linearToSrgb(std::clamp(v, 0.0, 1.0)))); };
        return qRgb(byte(rgb[0]), byte(rgb[1]), byte(rgb[2]));
    }
}

QRgb falseColour(FalseColour map, double t) {
    if (map == FalseColour::diverging) return divergingColour(2 * t - 1);
    if (map == FalseColour::magma) return magmaColour(t);
    if (map != FalseColour::heat) return sequentialColour(t);
    t = std::clamp(t, 0.0, 1.0);
    const auto part = [t](double from) { return static_cast<int>(std::lround(255 * std::clamp(3 * t - from, 0.0, 1.0))); };
    return qRgb(part(0), part(1), part(2));
}

QImage renderTile(const Pyramid& pyramid, int level, const QRect& part, const Colouring& colouring) {
    QImage image(part.size(), QImage::Format_RGB32);
    const DisplaySettings& display = colouring.display;
    const DisplayCurve curve(display);
    const bool grey = pyramid.channels().grey, marks = display.clippingMarks;
    // An image without the chosen channel is shown in colour.
    const bool chosen = display.channel >= 0 && display.channel < pyramid.image()->shape().channels;
    const bool single = chosen || display.channel == DisplaySettings::kLuminance || display.falseColour != FalseColour::none;
    static constexpr float kDarkSquare = 0.10F, kLightSquare = 0.19F;  // linear
    for (int row = 0; row < part.height(); ++row) {
        auto* out = reinterpret_cast<QRgb*>(image.scanLine(row));
        const std::int64_t y = part.top() + row;
        const Levels levels{curve, colouring.dithered, part.left(), y};
        std::int64_t step = 1;
        std::array<const float*, 4> in{};
        for (int c = 0; c < 4; ++c) {
            const float* line = pyramid.row(level, y, c, step);
            in[static_cast<std::size_t>(c)] = line ? line + part.left() * step : nullptr;
        }
        // A missing channel reports step 1; all others agree, so ask an existing one.
        for (int c = 0; c < 3; ++c)
            if (in[static_cast<std::size_t>(c)]) (void)pyramid.row(level, y, c, step);
        if (colouring.difference) {
            renderDifferenceRow(in[0], step, part.width(), display, out);
            continue;
        }
        if (single) {
            std::array<const float*, 3> values{in[0], in[1], in[2]};
            if (chosen) {
                const float* line = pyramid.channelRow(level, y, display.channel, step);
                values[0] = line + part.left() * step;
            }
            renderSingleRow(values, step, part.width(), !chosen && !grey, display, levels, out);
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
            r = curve.scaled(r), g = curve.scaled(g), b = curve.scaled(b);
            if (marks && (r > 1 || g > 1 || b > 1)) {
                out[x] = kOverColour;
                continue;
            }
            if (marks && (r < 0 || g < 0 || b < 0)) {
                out[x] = kUnderColour;
                continue;
            }
            if (in[3]) {
                const float a = in[3][x * step];
                const bool light = ((((part.left() + x) << level) >> 3) + ((y << level) >> 3)) & 1;
                const float rest = std::clamp(1 - a, 0.0F, 1.0F) * (light ? kLightSquare : kDarkSquare);
                r += rest, g += rest, b += rest;
            }
            out[x] = qRgb(levels.at(r, x), levels.at(g, x), levels.at(b, x));
        }
    }
    return image;
}

}  // namespace parallax::ui
