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
    std::vector<float> weights;  ///< of all Gaussians, each filled up with zeros
    std::int64_t bandRows = 0;   ///< at most that many rows of the image in a band

    LocalPlan(const ToneMappingPlan& plan, const Shape& shape, std::uint64_t bandBytes) {
        constexpr auto roundUp = [](std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; };
        std::int64_t taps = 0;
        for (const ToneScale& scale : plan.scales) {
            ToneGaussian& g = band.gaussians[band.count++];
            g.radius = scale.radius;
            g.chunks = static_cast<int>(roundUp(2 * scale.radius + 1, kToneChunk)) / kToneChunk;
            g.offset = static_cast<int>(weights.size());
            weights.insert(weights.end(), scale.weights.begin(), scale.weights.end());
            weights.resize(static_cast<std::size_t>(g.offset + g.chunks * kToneChunk));
            taps += g.chunks * kToneChunk;
            band.radius = std::max(band.radius, g.radius);
            band.tail = std::max(band.tail, g.tail());
        }
        band.stripes = (shape.width + kColumnsOfWarp - 1) / kColumnsOfWarp;
        const std::int64_t columns = band.stripes * kColumnsOfWarp;
        const std::int64_t row = band.count * columns * static_cast<std::int64_t>(sizeof(float));
        bandRows = static_cast<std::int64_t>(bandBytes) / row - band.radius - band.tail;
        bandRows = std::min(bandRows, static_cast<std::int64_t>(kToneBandMultiplyAdds / (2 * static_cast<double>(taps * columns))));
        const std::int64_t unit = ToneBand::roundedRows(1);
        bandRows = std::min(std::max(bandRows / unit, std::int64_t{1}) * unit, ToneBand::roundedRows(shape.height));
        band.rows = bandRows + band.radius + band.tail;
    }
    /// The band from row `begin` of an image of this height.
    ToneBand bandAt(std::int64_t begin, std::int64_t height) const {
        ToneBand at = band;
        at.begin = begin;
        at.end = std::min(begin + bandRows, height);
        at.rows = ToneBand::roundedRows(at.end - begin) + at.radius + at.tail;
        return at;
    }
    /// climbScales loads, and does not use, a row behind its last one.
    std::size_t floats() const { return static_cast<std::size_t>(band.count * band.stripes * band.rows * kColumnsOfWarp + kColumnsOfWarp); }
};

}  // namespace parallax::gpu
