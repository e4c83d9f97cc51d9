// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/openmp/transform.hpp"

#include "core/backends/openmp/parallel.hpp"
#include "core/operations/wavelet/openmp/tiles.hpp"

namespace parallax {

TiledTransform::TiledTransform(const WaveletPlan& plan, int threads, bool forward, bool inverse)
    : plan_(plan), threads_(threads), levels_(plan, {}, threads, forward, inverse), gaps_(plan.gaps()) {
    for (int level = 1; level < plan.levels; ++level) {
        Shape shape = plan.levelShape(level);
        shape.channels = 1;
        approximations_.emplace_back(shape, SampleType::float64);
    }
}

/// Without data for the last level, whose approximation is in the mosaic.
View<double> TiledTransform::approximation(int level) {
    return level < plan_.levels ? approximations_[static_cast<std::size_t>(level) - 1].view<double>() : View<double>{};
}

void TiledTransform::clearGaps(const View<float>& mosaic, const RunContext& context) {
    std::vector<std::pair<const WaveletGap*, std::int64_t>> slices;
    for (const WaveletGap& gap : gaps_)
        for (std::int64_t z = gap.first[2]; z < gap.end[2]; ++z) slices.emplace_back(&gap, z);
    parallelTasks(context, static_cast<std::int64_t>(slices.size()), threads_, [&](std::int64_t task, int) {
        const auto& [gap, z] = slices[static_cast<std::size_t>(task)];
        for (std::int64_t y = gap->first[1]; y < gap->end[1]; ++y)
            std::fill(mosaic.row(y, z) + gap->first[0], mosaic.row(y, z) + gap->end[0], 0.0F);
    });
}

void TiledTransform::forward(const View<const float>& image, const View<float>& mosaic, const RunContext& context,
                             ProgressShare& progress) {
    levels_.analyse(1, PartLines<float>::whole(image), mosaic, approximation(1), context, progress);
    for (int level = 2; level <= plan_.levels; ++level)
        levels_.analyse(level, PartLines<double>::whole(approximation(level - 1)), mosaic, approximation(level), context, progress);
    clearGaps(mosaic, context);
}

void TiledTransform::inverse(const View<const float>& mosaic, const View<float>& image, const RunContext& context,
                             ProgressShare& progress) {
    for (int level = plan_.levels; level >= 1; --level) {
        LevelPasses<float>::Bands bands;
        for (unsigned details = 0; details < 8; ++details) {
            bool exists = true;
            for (std::size_t a = 0; a < 3; ++a) exists = exists && (plan_.axes[a].transformed || (details >> a & 1U) == 0);
            if (exists) bands.bands[details] = PartLines<float>::whole(bandView(plan_, mosaic, level, details));
        }
        if (level < plan_.levels) bands.approximation = PartLines<double>::whole(approximation(level));
        LevelPasses<float>::Output output;
        if (level == 1) output.image = image;
        else output.approximation = approximation(level - 1);
        levels_.synthesise(level, bands, output, context, progress);
    }
}

std::uint64_t TiledTransform::bytes(const WaveletPlan& plan, int threads, bool forward, bool inverse) {
    std::uint64_t samples = 0;
    for (int level = 1; level < plan.levels; ++level) samples += static_cast<std::uint64_t>(plan.levelShape(level).pixels());
    return samples * sizeof(double) + TiledLevels::bytes(plan, threads, forward, inverse);
}

}  // namespace parallax
