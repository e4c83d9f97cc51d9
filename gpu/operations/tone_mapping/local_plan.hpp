// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/operations/tone_mapping/plan.hpp"
#include "gpu/operations/tone_mapping/launchers.hpp"

namespace parallax::gpu {

/// The Gaussians in the layout of the kernels, and the size of a band.
struct LocalPlan {
    ToneBand band;               ///< without memory and rows
    std::vector<float> weights;  ///< of all Gaussians for the columns, then for the rows
    ToneWeights argument{};      ///< the same, if they fit
    std::int64_t bandRows = 0;   ///< maximum rows of the image in a band

    /// `together`: Gaussians whose weights for the rows are interleaved, if all fit in the argument.
    LocalPlan(const ToneMappingPlan& plan, const Shape& shape, std::uint64_t bandBytes, int together = kToneRowTuning.together) {
        constexpr auto roundUp = [](std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; };
        std::int64_t taps = 0;
        for (const ToneScale& scale : plan.scales) {
            ToneGaussian& g = band.gaussians[band.count++];
            g.radius = scale.radius;
            g.chunks = static_cast<int>(roundUp(2 * scale.radius + 1, kToneChunk)) / kToneChunk;
            g.offset = static_cast<int>(weights.size());
            weights.resize(weights.size() + static_cast<std::size_t>(g.lead()));
            weights.insert(weights.end(), scale.weights.begin(), scale.weights.end());
            taps += 2 * g.radius + 1;
            band.radius = std::max(band.radius, g.radius);
        }
        band.columnWeights = static_cast<int>(weights.size());
        addRowWeights(plan, together);
        band.inArgument = weights.size() <= std::size(argument.of);
        if (!band.inArgument) addRowWeights(plan, kToneManyRowTuning.together);
        if (band.inArgument) std::copy(weights.begin(), weights.end(), argument.of);
        band.stripes = (shape.width + kColumnsOfWarp - 1) / kColumnsOfWarp;
        const std::int64_t columns = band.stripes * kColumnsOfWarp;
        const std::int64_t row = band.count * columns * static_cast<std::int64_t>(sizeof(float));
        bandRows = static_cast<std::int64_t>(bandBytes) / row - 2 * band.above();
        bandRows = std::min(bandRows, static_cast<std::int64_t>(kToneBandMultiplyAdds / (2 * static_cast<double>(taps * columns))));
        const std::int64_t unit = ToneBand::roundedRows(1);
        bandRows = std::min(std::max(bandRows / unit, std::int64_t{1}) * unit, ToneBand::roundedRows(shape.height));
        band.rows = bandRows + 2 * band.above();
    }
    std::int64_t bands(std::int64_t height) const { return (height + bandRows - 1) / bandRows; }
    /// Returns the band from row `begin` of an image of this height.
    ToneBand bandAt(std::int64_t begin, std::int64_t height) const {
        ToneBand at = band;
        at.begin = begin;
        at.end = std::min(begin + bandRows, height);
        at.rows = ToneBand::roundedRows(at.end - begin) + 2 * at.above();
        return at;
    }
    /// Bytes of device memory.
    std::uint64_t bytes() const { return (floats() + weights.size()) * sizeof(float); }
    std::size_t floats() const { return static_cast<std::size_t>(band.count * band.stripes * band.rows * kColumnsOfWarp); }

private:
    void addRowWeights(const ToneMappingPlan& plan, int together) {
        weights.resize(static_cast<std::size_t>(band.columnWeights));
        for (int top = band.count - 1, group = 0; top >= 0; top -= together, ++group) {
            band.rowWeights[group] = static_cast<int>(weights.size());
            for (int chunk = 0; chunk <= band.gaussians[top].halfChunks(); ++chunk)
                for (int g = top; g > top - together; --g)
                    for (int i = 0; i < 4; ++i) {
                        const int distance = chunk == 0 ? 4 * i : 4 * (chunk - 1) + 1 + i;
                        const bool has = g >= 0 && (chunk > 0 || i == 0) && distance <= band.gaussians[std::max(g, 0)].radius;
                        const auto at = static_cast<std::size_t>(std::max(g, 0));
                        weights.push_back(
                            has ? static_cast<float>(plan.scales[at].weights[static_cast<std::size_t>(plan.scales[at].radius + distance)])
                                : 0.0F);
                    }
        }
    }
};

}  // namespace parallax::gpu
