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

/// Non-negative floats sort like their bits. With 2,048 classes per power of two a class holds few codes, even of 65,536.
constexpr int kShift = 12;
constexpr std::uint32_t classOf(float v) { return std::bit_cast<std::uint32_t>(v) >> kShift; }

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

RowPacker::RowPacker(const View<const float>& image, const std::vector<int>& channels, int bits, TransferFunction transfer, double gamma,
                     std::endian order)
    : image_(image),
      channels_(channels),
      wide_(bits == 16),
      bigEndian_(order == std::endian::big),
      colours_(transfer, gamma, (1 << bits) - 1),
      alphas_(TransferFunction::linear, 1, (1 << bits) - 1) {}

std::size_t RowPacker::rowBytes() const { return static_cast<std::size_t>(image_.shape.width) * channels_.size() * (wide_ ? 2 : 1); }

void RowPacker::operator()(std::int64_t y, std::uint8_t* to) {
    const std::size_t n = channels_.size();
    const bool alpha = n % 2 == 0;
    for (std::int64_t x = 0; x < image_.shape.width; ++x) {
        const float a = alpha ? image_.at(x, y, 0, channels_.back()) : 1.0F;
        for (std::size_t c = 0; c < n; ++c) {
            const float s = image_.at(x, y, 0, channels_[c]);
            const int code = alpha && c == n - 1 ? alphas_(a) : colours_(alpha ? (a > 0 ? s / a : 0) : s);
            const auto low = static_cast<std::uint8_t>(code & 255), high = static_cast<std::uint8_t>(code >> 8);
            if (wide_ && bigEndian_) *to++ = high;
            *to++ = low;
            if (wide_ && !bigEndian_) *to++ = high;
        }
    }
}

void RowPacker::noteClipped(std::vector<std::string>& notes) const {
    if (const std::uint64_t samples = colours_.outside() + alphas_.outside(); samples > 0)
        notes.push_back(std::to_string(samples) +
                        " samples were below 0, above 1 or NaN and were clipped; EXR, float TIFF and PFM keep them");
}

}  // namespace parallax
