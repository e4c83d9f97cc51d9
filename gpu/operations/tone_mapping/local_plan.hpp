// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <vector>

#include "parallax/gpu/operations/tone_mapping/launchers.hpp"
#include "parallax/operations/tone_mapping/plan.hpp"

namespace parallax::gpu {

/// The Gaussians as the kernels take them, and the band that their results have room for.
struct LocalPlan {
    ToneBand band;               ///< without memory and rows
    std::vector<float> weights;  ///< of all Gaussians, for the columns, then for the rows
    std::int64_t bandRows = 0;   ///< at most that many rows of the image in a band

    LocalPlan(const ToneMappingPlan& plan, const Shape& shape, std::uint64_t bandBytes) {
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
        for (int g = 0; g < band.count; ++g) {
            const std::vector<double>& all = plan.scales[static_cast<std::size_t>(g)].weights;
            ToneGaussian& gaussian = band.gaussians[g];
            gaussian.halfOffset = static_cast<int>(weights.size());
            weights.push_back(static_cast<float>(all[static_cast<std::size_t>(gaussian.radius)]));
            weights.resize(weights.size() + 3);
            weights.insert(weights.end(), all.begin() + gaussian.radius + 1, all.end());
            weights.resize(static_cast<std::size_t>(gaussian.halfOffset + 4 + 4 * gaussian.halfChunks()));
        }
        band.all = static_cast<int>(weights.size());
        band.stripes = (shape.width + kColumnsOfWarp - 1) / kColumnsOfWarp;
        const std::int64_t columns = band.stripes * kColumnsOfWarp;
        const std::int64_t row = band.count * columns * static_cast<std::int64_t>(sizeof(float));
        bandRows = static_cast<std::int64_t>(bandBytes) / row - 2 * band.above();
        bandRows = std::min(bandRows, static_cast<std::int64_t>(kToneBandMultiplyAdds / (2 * static_cast<double>(taps * columns))));
        const std::int64_t unit = ToneBand::roundedRows(1);
        bandRows = std::min(std::max(bandRows / unit, std::int64_t{1}) * unit, ToneBand::roundedRows(shape.height));
        band.rows = bandRows + 2 * band.above();
    }
    /// The band from row `begin` of an image of this height.
    ToneBand bandAt(std::int64_t begin, std::int64_t height) const {
        ToneBand at = band;
        at.begin = begin;
        at.end = std::min(begin + bandRows, height);
        at.rows = ToneBand::roundedRows(at.end - begin) + 2 * at.above();
        return at;
    }
    std::size_t floats() const { return static_cast<std::size_t>(band.count * band.stripes * band.rows * kColumnsOfWarp); }
};

}  // namespace parallax::gpu
