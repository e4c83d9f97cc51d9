// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/plane_renderer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace parallax::ui {

namespace {

/// The colours of t = 0 ... 1 in equal steps, cached: some maps are slow to compute, and dragging the window needs them often.
const std::vector<QRgb>& mapColours(FalseColour map, int steps) {
    static const auto make = [](FalseColour m, int n) {
        std::vector<QRgb> table;
        for (int i = 0; i <= n; ++i) table.push_back(falseColour(m, static_cast<double>(i) / n));
        return table;
    };
    static const auto even = make(FalseColour::evenRamp, steps), heat = make(FalseColour::heat, steps),
                      diverging = make(FalseColour::diverging, steps), magma = make(FalseColour::magma, steps);
    switch (map) {
        case FalseColour::heat: return heat;
        case FalseColour::diverging: return diverging;
        case FalseColour::magma: return magma;
        default: return even;
    }
}

}  // namespace

AxisTaps::AxisTaps(const AxisMap& axis, double start, double step, int pixels, PlaneFilter filter) {
    const std::int64_t last = axis.count() - 1;
    pixels_.reserve(static_cast<std::size_t>(std::max(0, pixels)));
    const auto inside = [last](double index) { return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(index)), 0, last); };
    for (int i = 0; i < pixels; ++i) {
        double low = axis.indexOf(start + i * step), high = axis.indexOf(start + (i + 1) * step);
        if (low > high) std::swap(low, high);
        Pixel pixel{.at = static_cast<std::int32_t>(weights_.size())};
        if (high - low > 1) {
            // Voxel k extends from k - 1/2 to k + 1/2.
            pixel.first = inside(low + 0.5);
            const std::int64_t end = std::max(pixel.first, inside(std::nextafter(high + 0.5, low)));
            pixel.count = static_cast<std::int32_t>(end - pixel.first + 1);
            double sum = 0;
            std::vector<double> parts;
            for (std::int64_t k = pixel.first; k <= end; ++k) {
                const double centre = static_cast<double>(k);
                parts.push_back(std::max(0.0, std::min(high, centre + 0.5) - std::max(low, centre - 0.5)));
                sum += parts.back();
            }
            for (const double part : parts) weights_.push_back(static_cast<float>(sum > 0 ? part / sum : 1.0 / pixel.count));
        } else if (const double middle = 0.5 * (low + high);
                   filter == PlaneFilter::smooth && middle > 0 && middle < static_cast<double>(last)) {
            pixel.first = inside(middle);
            const auto part = static_cast<float>(middle - std::floor(middle));
            // A sample of weight 0 must not contribute its NaN.
            pixel.count = part > 0 ? 2 : 1;
            weights_.push_back(1 - part);
            if (part > 0) weights_.push_back(part);
        } else {
            pixel.first = inside(middle + 0.5);
            pixel.count = 1;
            weights_.push_back(1);
        }
        maxCount_ = std::max(maxCount_, static_cast<int>(pixel.count));
        pixels_.push_back(pixel);
    }
}

PlaneColours::PlaneColours(const Colouring& colouring, bool inverted) {
    const DisplaySettings& display = colouring.display;
    FalseColour map = display.falseColour;
    if (colouring.difference) {
        const bool isSigned = display.differenceMode == DifferenceMode::signedValue;
        const double factor = display.differenceScale > 0 ? 1 / display.differenceScale : 0;
        gain_ = static_cast<float>(isSigned ? 0.5 * factor : factor);
        offset_ = isSigned ? 0.5F : 0.0F;
        magnitude_ = !isSigned;
        squared_ = display.differenceMode == DifferenceMode::squared;
        map = mapOf(display.differenceMode);
        limit_ = static_cast<float>(squared_ ? std::sqrt(display.differenceScale) : display.differenceScale);
        beyond_ = beyondColours(display.differenceMode);
        inverted = false;
    } else {
        gain_ = static_cast<float>(std::exp2(display.exposure));
        offset_ = static_cast<float>(display.offset);
        marks_ = display.clippingMarks;
    }
    if (map == FalseColour::none) {
        const DisplayCurve curve(display);
        for (int i = 0; i <= kSteps; ++i) {
            const int grey = curve.encoded(static_cast<float>(i) / kSteps);
            table_.push_back(qRgb(grey, grey, grey));
        }
        if (colouring.dithered) curve_.emplace(curve);
    } else {
        table_ = mapColours(map, kSteps);
    }
    inverted_ = inverted;
    if (inverted) std::reverse(table_.begin(), table_.end());
}

void PlaneColours::row(const float* samples, int count, QRgb* out, int y) const {
    for (int i = 0; i < count; ++i) {
        const float v = samples[i];
        const float t = (squared_ ? v * v : magnitude_ ? std::fabs(v) : v) * gain_ + offset_;
        if (std::isnan(v)) out[i] = kNanColour;
        else if (std::fabs(v) > limit_) out[i] = !magnitude_ && v < 0 ? beyond_.below : beyond_.above;
        else if (marks_ && t > 1) out[i] = kOverColour;
        else if (marks_ && t < 0) out[i] = kUnderColour;
        else if (curve_) {
            const float level = t > 0 ? std::min(t, 1.0F) : 0.0F;
            const int grey = curve_->dithered(inverted_ ? 1 - level : level, ditherThreshold(i, y));
            out[i] = qRgb(grey, grey, grey);
        } else out[i] = table_[static_cast<std::size_t>((t > 0 ? std::min(t, 1.0F) : 0.0F) * kSteps + 0.5F)];  // 0 x infinity is NaN
    }
}

namespace {

float stronger(float a, float b) { return std::fabs(b) > std::fabs(a) || std::isnan(b) ? b : a; }

/// Resamples one row of the slice to screen pixels.
void resampleRow(const float* in, const AxisTaps& columns, bool strongest, float* out) {
    const auto& pixels = columns.pixels();
    const bool single = columns.maxCount() == 1;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const AxisTaps::Pixel& p = pixels[i];
        const float* from = in + p.first;
        if (single || p.count == 1) {
            out[i] = from[0];
        } else if (strongest) {
            float v = from[0];
            for (std::int32_t k = 1; k < p.count; ++k) v = stronger(v, from[k]);
            out[i] = v;
        } else {
            const float* w = columns.weights(p);
            float v = w[0] * from[0];
            for (std::int32_t k = 1; k < p.count; ++k) v += w[k] * from[k];
            out[i] = v;
        }
    }
}

}  // namespace

QImage renderPlane(const PlaneSlice& slice, const AxisTaps& columns, const AxisTaps& rows, PlaneFilter filter,
                   const PlaneColours& colours) {
    const int width = static_cast<int>(columns.pixels().size()), height = static_cast<int>(rows.pixels().size());
    if (width == 0 || height == 0 || slice.samples.empty()) return {};
    QImage image(width, height, QImage::Format_RGB32);
    const bool strongest = filter == PlaneFilter::strongest;
    const auto w = static_cast<std::size_t>(width);
    // Neighbouring pixels share rows of the slice: cache as many as one pixel needs, and one more.
    const auto slotCount = static_cast<std::size_t>(rows.maxCount()) + 1;
    std::vector<float> cache(slotCount * w), combined(w);
    std::vector<std::int64_t> held(slotCount, -1);
    const auto rowOf = [&](std::int64_t y) {
        const auto slot = static_cast<std::size_t>(y) % slotCount;
        float* row = cache.data() + slot * w;
        if (held[slot] != y) {
            resampleRow(slice.row(y), columns, strongest, row);
            held[slot] = y;
        }
        return static_cast<const float*>(row);
    };
    for (int y = 0; y < height; ++y) {
        const AxisTaps::Pixel& p = rows.pixels()[static_cast<std::size_t>(y)];
        auto* out = reinterpret_cast<QRgb*>(image.scanLine(y));
        if (y > 0 && p.count == 1 && !colours.dithers()) {
            const AxisTaps::Pixel& above = rows.pixels()[static_cast<std::size_t>(y) - 1];
            if (above.count == 1 && above.first == p.first) {
                std::memcpy(out, image.constScanLine(y - 1), w * sizeof(QRgb));
                continue;
            }
        }
        if (p.count == 1) {
            colours.row(rowOf(p.first), width, out, y);
            continue;
        }
        const float* weights = rows.weights(p);
        const float* first = rowOf(p.first);
        if (strongest) std::copy_n(first, w, combined.data());
        else
            for (std::size_t x = 0; x < w; ++x) combined[x] = weights[0] * first[x];
        for (std::int32_t k = 1; k < p.count; ++k) {
            const float* next = rowOf(p.first + k);
            if (strongest)
                for (std::size_t x = 0; x < w; ++x) combined[x] = stronger(combined[x], next[x]);
            else
                for (std::size_t x = 0; x < w; ++x) combined[x] += weights[k] * next[x];
        }
        colours.row(combined.data(), width, out, y);
    }
    return image;
}

}  // namespace parallax::ui
