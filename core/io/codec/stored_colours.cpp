// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/stored_colours.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/image/transfer.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/codec/stored_samples.hpp"

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

/// Non-negative floats sort like their bits. With 128 classes per power of two the curves are almost straight within a class.
constexpr int kShift = 16;
constexpr std::int32_t classOf(float v) { return std::bit_cast<std::int32_t>(v) >> kShift; }

constexpr std::int64_t kBandRows = 64;

/// `alpha` holds the decoded alpha of the row, or is null.
void decodeRow(float* row, const float* alpha, std::int64_t width, const std::vector<float>& table, StoredAlpha stored) {
    if (table.empty()) {
        if (alpha && stored == StoredAlpha::straight)
            for (std::int64_t x = 0; x < width; ++x) row[x] *= alpha[x];
        return;
    }
    const auto maximum = static_cast<float>(table.size() - 1);
    for (std::int64_t x = 0; x < width; ++x) {
        const float a = alpha ? alpha[x] : 1.0F;
        float code = row[x];
        if (alpha && stored == StoredAlpha::encoded && a > 0)
            code = static_cast<float>(std::lround(static_cast<double>(code) / static_cast<double>(a)));
        row[x] = table[static_cast<std::size_t>(std::clamp(code, 0.0F, maximum))] * a;
    }
}

}  // namespace

std::vector<float> decodingTable(TransferFunction transfer, double gamma, int maximum) {
    std::vector<float> table(static_cast<std::size_t>(maximum) + 1);
    for (int i = 0; i <= maximum; ++i)
        table[static_cast<std::size_t>(i)] = static_cast<float>(decode(static_cast<double>(i) / maximum, transfer, gamma));
    return table;
}

void decodeColours(Image& image, const std::vector<float>& table, StoredAlpha stored, const LoadOptions& options) {
    const View<float> v = image.view();
    const std::int64_t width = v.shape.width, height = v.shape.height, channels = v.shape.channels;
    const int alpha = image.alphaChannel();
    const std::int64_t bands = (height + kBandRows - 1) / kBandRows;
    std::vector<std::vector<StatisticsSum>> sums(static_cast<std::size_t>(bands));
    runTasks(bands, options, {0.7, 1}, [&](std::int64_t band) {
        auto& sum = sums[static_cast<std::size_t>(band)];
        sum.resize(static_cast<std::size_t>(channels));
        for (std::int64_t y = band * kBandRows; y < std::min(height, (band + 1) * kBandRows); ++y) {
            for (std::int64_t c = 0; c < channels; ++c)
                sum[static_cast<std::size_t>(c)].add(computeStatistics(denseView<const float>(&v.at(0, y, 0, c), {width, 1})),
                                                     static_cast<std::uint64_t>(width));
            float* const alphas = alpha >= 0 ? &v.at(0, y, 0, alpha) : nullptr;
            if (alphas && !table.empty())
                for (std::int64_t x = 0; x < width; ++x) alphas[x] /= static_cast<float>(table.size() - 1);
            for (std::int64_t c = 0; c < channels; ++c)
                if (c != alpha) decodeRow(&v.at(0, y, 0, c), c < alpha ? alphas : nullptr, width, table, stored);
        }
    });
    for (std::int64_t c = 0; c < channels; ++c) {
        StatisticsSum total;
        for (std::int64_t band = 0; band < bands; ++band)
            total.add(sums[static_cast<std::size_t>(band)][static_cast<std::size_t>(c)].result(),
                      static_cast<std::uint64_t>(width * (std::min(height, (band + 1) * kBandRows) - band * kBandRows)));
        image.source.storedStatistics.push_back(total.result());
    }
}

int encodeSample(double linear, TransferFunction transfer, double gamma, int maximum) {
    if (!(linear > 0)) return 0;  // NaN too
    if (linear >= 1) return maximum;
    const double v = transfer == TransferFunction::sRgb    ? linearToSrgb(linear)
                     : transfer == TransferFunction::gamma ? std::pow(linear, 1 / gamma)
                                                           : linear;
    return static_cast<int>(std::lround(v * maximum));
}

SampleEncoder::SampleEncoder(TransferFunction transfer, double gamma, int maximum) {
    thresholds_.reserve(static_cast<std::size_t>(maximum) + 1);
    for (int code = 1; code <= maximum; ++code) {
        // The first float at or above the exact boundary.
        const double exact = decode((code - 0.5) / maximum, transfer, gamma);
        auto threshold = static_cast<float>(exact);
        if (static_cast<double>(threshold) < exact) threshold = std::nextafter(threshold, 2.0F);
        thresholds_.push_back(threshold);
    }
    thresholds_.push_back(std::numeric_limits<float>::infinity());
    fitSegments();
}

void SampleEncoder::fitSegments() {
    const auto codeAt = [&](float v) { return std::upper_bound(thresholds_.begin(), thresholds_.end(), v) - thresholds_.begin(); };
    // The code with a fraction: how far the sample is between two thresholds.
    const auto position = [&](float v) {
        const auto code = static_cast<std::size_t>(codeAt(v));
        const double below = code > 0 ? static_cast<double>(thresholds_[code - 1]) : 0, above = static_cast<double>(thresholds_[code]);
        return static_cast<double>(code) + (std::isfinite(above) && above > below ? (static_cast<double>(v) - below) / (above - below) : 0);
    };
    constexpr float kMargin = 1.0F / 64;  // more than the rounding errors
    const auto startOf = [](std::int32_t k) { return std::bit_cast<float>(k << kShift); };
    firstSegment_ = classOf(thresholds_.front()) - 1;
    for (std::int32_t k = firstSegment_; k <= classOf(1.0F); ++k) {
        const float from = startOf(k), to = startOf(k + 1);
        Segment s;
        if (k > firstSegment_ && from < 1) {
            const double a = position(from), b = position(to);
            s.slope = static_cast<float>((b - a) / (static_cast<double>(to) - static_cast<double>(from)));
            s.base = static_cast<float>(a - static_cast<double>(s.slope) * static_cast<double>(from));
        } else if (from >= 1) {
            s.base = static_cast<float>(thresholds_.size() - 1);
        }
        segments_.push_back(s);
        // Lowered until it is not too large for the last float below each threshold and for the last one of the segment.
        Segment& fitted = segments_.back();
        if (fitted.slope == 0) continue;
        const auto lower = [&](float v, std::ptrdiff_t code) {
            while (fitted.base + fitted.slope * v > static_cast<float>(code) + 1 - kMargin) fitted.base -= kMargin;
        };
        for (std::ptrdiff_t code = codeAt(from); thresholds_[static_cast<std::size_t>(code)] < to; ++code)
            lower(std::nextafter(thresholds_[static_cast<std::size_t>(code)], 0.0F), code);
        lower(std::nextafter(to, 0.0F), codeAt(std::nextafter(to, 0.0F)));
    }
}

inline int SampleEncoder::codeOf(float inRange) const {
    const std::int32_t segment = std::max(0, classOf(inRange) - firstSegment_);
    const Segment s = segments_[static_cast<std::size_t>(segment)];
    int code = std::max(0, static_cast<int>(s.base + s.slope * inRange));
    while (thresholds_[static_cast<std::size_t>(code)] <= inRange) ++code;
    return code;
}

int SampleEncoder::operator()(float linear) const {
    return codeOf(linear > 0 ? std::min(linear, 1.0F) : 0.0F);  // NaN gives 0
}

template <class Store>
std::uint64_t SampleEncoder::encodeEach(std::span<const float> linear, const Store& store) const {
    std::uint64_t outside = 0;
    for (std::size_t i = 0; i < linear.size(); ++i) {
        const float v = linear[i];
        outside += !(v >= 0 && v <= 1);
        store(i, (*this)(v));
    }
    return outside;
}

std::uint64_t SampleEncoder::encodeRow(std::span<const float> linear, std::uint16_t* to, std::size_t stride, bool swapped) const {
    if (swapped)
        return encodeEach(linear, [&](std::size_t i, int code) { to[i * stride] = __builtin_bswap16(static_cast<std::uint16_t>(code)); });
    return encodeEach(linear, [&](std::size_t i, int code) { to[i * stride] = static_cast<std::uint16_t>(code); });
}

std::uint64_t SampleEncoder::encodeRow(std::span<const float> linear, std::uint8_t* to, std::size_t stride) const {
    return encodeEach(linear, [&](std::size_t i, int code) { to[i * stride] = static_cast<std::uint8_t>(code); });
}

RowPacker::RowPacker(const View<const float>& image, const std::vector<int>& channels, int bits, TransferFunction transfer, double gamma,
                     std::endian order)
    : image_(image),
      channels_(channels),
      wide_(bits == 16),
      swapped_(order != std::endian::native),
      colours_(transfer, gamma, (1 << bits) - 1),
      alphas_(TransferFunction::linear, 1, (1 << bits) - 1) {}

std::size_t RowPacker::rowBytes() const { return static_cast<std::size_t>(image_.shape.width) * channels_.size() * (wide_ ? 2 : 1); }

std::uint64_t RowPacker::operator()(std::int64_t y, std::uint8_t* to) const {
    const std::size_t n = channels_.size(), width = static_cast<std::size_t>(image_.shape.width);
    const float* const alpha = n % 2 == 0 ? image_.row(y, 0, channels_.back()) : nullptr;
    std::vector<float> straight(alpha ? width : 0);
    std::uint64_t clipped = 0;
    for (std::size_t c = 0; c < n; ++c) {
        std::span<const float> row(image_.row(y, 0, channels_[c]), width);
        const bool colour = !alpha || c + 1 < n;
        if (alpha && colour) {
            for (std::size_t x = 0; x < width; ++x) straight[x] = alpha[x] > 0 ? row[x] / alpha[x] : 0;
            row = straight;
        }
        const SampleEncoder& encoder = colour ? colours_ : alphas_;
        clipped +=
            wide_ ? encoder.encodeRow(row, reinterpret_cast<std::uint16_t*>(to) + c, n, swapped_) : encoder.encodeRow(row, to + c, n);
    }
    return clipped;
}

void noteClipped(std::uint64_t samples, std::vector<std::string>& notes) {
    if (samples > 0)
        notes.push_back(std::to_string(samples) +
                        " samples were below 0, above 1 or NaN and were clipped; EXR, float TIFF and PFM keep them");
}

}  // namespace parallax
