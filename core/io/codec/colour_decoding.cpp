// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/colour_decoding.hpp"

#include <algorithm>
#include <cmath>

#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/codec/stored_samples.hpp"

namespace parallax {
namespace {

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

}  // namespace parallax
