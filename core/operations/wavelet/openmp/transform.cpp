// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/openmp/transform.hpp"

#include "core/backends/openmp/parallel.hpp"
#include "core/operations/wavelet/openmp/tile_job.hpp"

namespace parallax {
namespace {

/// Results larger than this do not stay in the caches. Storing past them costs a thread some time, but saves memory from reading each line
/// before it is written, which is what limits several threads.
constexpr std::int64_t kStreamBytes = std::int64_t{16} << 20;
constexpr int kStreamThreads = 4;
bool streams(const Shape& shape, int threads) {
    return threads >= kStreamThreads && shape.pixels() * static_cast<std::int64_t>(sizeof(float)) >= kStreamBytes;
}

}  // namespace

struct TiledTransform::State {
    State(const WaveletPlan& p, int workers, bool withForward, bool withInverse)
        : plan(p),
          threads(workers),
          lo(p.bank.decLo.begin(), p.bank.decLo.end()),
          hi(p.bank.decHi.begin(), p.bank.decHi.end()),
          gaps(p.gaps()) {
        std::vector<LevelTiles> all;
        for (int level = 1; level <= plan.levels; ++level) {
            if (withForward) forward.emplace_back(plan, level, threads, WaveletDirection::forward);
            if (withInverse) inverse.emplace_back(plan, level, threads, WaveletDirection::inverse);
            if (level == plan.levels) continue;
            Shape shape = plan.levelShape(level);
            shape.channels = 1;
            approximations.emplace_back(shape, SampleType::float64);
        }
        for (const auto* tiles : {&forward, &inverse}) all.insert(all.end(), tiles->begin(), tiles->end());
        for (int i = 0; i < threads; ++i) workspaces.push_back(std::make_unique<WaveletTileWorkspace>(all));
        // Low-pass rows first, then high-pass rows.
        for (const auto* taps : {&plan.bank.recLo, &plan.bank.recHi})
            for (std::size_t j = 0; j < taps->size(); j += 2) {
                even.push_back((*taps)[j]);
                odd.push_back((*taps)[j + 1]);
            }
    }

    /// Bands of a level within a mosaic; of the approximation, unless it is the last, only the extent counts.
    template <class T>
    std::array<View<T>, 8> bandsOf(const View<T>& mosaic, int level) {
        std::array<View<T>, 8> bands{};
        for (unsigned details = 0; details < 8; ++details) {
            bool exists = true;
            for (std::size_t a = 0; a < 3; ++a) exists = exists && (plan.axes[a].transformed || (details >> a & 1U) == 0);
            if (exists) bands[details] = bandView(plan, mosaic, level, details);
        }
        return bands;
    }
    /// Returns the approximation of a level; without data for the last one, which is in the mosaic.
    View<double> approximation(int level) {
        return level < plan.levels ? approximations[static_cast<std::size_t>(level) - 1].view<double>() : View<double>{};
    }

    template <class Tile>
    void runTiles(const LevelTiles& tiles, const RunContext& context, const Tile& tile) {
        const std::int64_t nx = tiles.x.parts(), ny = tiles.y.parts();
        parallelTasks(context, tiles.tasks(), threads, [&](std::int64_t task, int worker) {
            // Strips of a band one after the other: they share the rows of their input.
            tile(*workspaces[static_cast<std::size_t>(worker)], TileIndex{task % nx, task / nx % ny, task / nx / ny});
            finishRowStreams();
        });
    }

    void clearGaps(const View<float>& mosaic, const RunContext& context) {
        std::vector<std::pair<const WaveletGap*, std::int64_t>> slices;
        for (const WaveletGap& gap : gaps)
            for (std::int64_t z = gap.first[2]; z < gap.end[2]; ++z) slices.emplace_back(&gap, z);
        parallelTasks(context, static_cast<std::int64_t>(slices.size()), threads, [&](std::int64_t task, int) {
            const auto& [gap, z] = slices[static_cast<std::size_t>(task)];
            for (std::int64_t y = gap->first[1]; y < gap->end[1]; ++y)
                std::fill(mosaic.row(y, z) + gap->first[0], mosaic.row(y, z) + gap->end[0], 0.0F);
        });
    }

    WaveletPlan plan;
    int threads;
    std::vector<LevelTiles> forward, inverse;  // index level - 1
    std::vector<Buffer> approximations;        // of level 1, 2, ..., but not of the last
    std::vector<std::unique_ptr<WaveletTileWorkspace>> workspaces;
    std::vector<double> lo, hi, even, odd;
    std::vector<WaveletGap> gaps;
};

TiledTransform::TiledTransform(const WaveletPlan& plan, int threads, bool forward, bool inverse)
    : state_(std::make_unique<State>(plan, threads, forward, inverse)) {}
TiledTransform::~TiledTransform() = default;

void TiledTransform::forward(const View<const float>& image, const View<float>& mosaic, const RunContext& context,
                             ProgressShare& progress) {
    State& s = *state_;
    for (int level = 1; level <= s.plan.levels; ++level) {
        const LevelTiles& tiles = s.forward[static_cast<std::size_t>(level) - 1];
        const auto analyse = [&](const auto& in) {
            using In = std::remove_const_t<std::remove_pointer_t<decltype(in.data)>>;
            const LevelJob job{s.plan, tiles, context, progress, level == 1 && streams(in.shape, s.threads)};
            const Analysis<In> analysis{in, s.bandsOf(mosaic, level), s.approximation(level), &s.lo, &s.hi};
            s.runTiles(tiles, context, [&](WaveletTileWorkspace& w, const TileIndex& tile) { analyseTile(job, analysis, w, tile); });
        };
        if (level == 1) analyse(image);
        else analyse(View<const double>(s.approximation(level - 1)));
    }
    s.clearGaps(mosaic, context);
}

void TiledTransform::inverse(const View<const float>& mosaic, const View<float>& image, const RunContext& context,
                             ProgressShare& progress) {
    State& s = *state_;
    for (int level = s.plan.levels; level >= 1; --level) {
        const LevelTiles& tiles = s.inverse[static_cast<std::size_t>(level) - 1];
        const bool last = level == 1;
        const Synthesis synthesis{s.bandsOf(mosaic, level),
                                  View<const double>(s.approximation(level)),
                                  last ? image : View<float>{},
                                  last ? View<double>{} : s.approximation(level - 1),
                                  &s.even,
                                  &s.odd};
        const LevelJob job{s.plan, tiles, context, progress, last && streams(image.shape, s.threads)};
        s.runTiles(tiles, context, [&](WaveletTileWorkspace& w, const TileIndex& tile) { synthesiseTile(job, synthesis, w, tile); });
    }
}

std::int64_t TiledTransform::units() const {
    std::int64_t units = 0;
    for (const auto* levels : {&state_->forward, &state_->inverse})
        for (const LevelTiles& tiles : *levels) units += tiles.units();
    return units;
}

std::uint64_t TiledTransform::bytes(const WaveletPlan& plan, int threads, bool forward, bool inverse) {
    std::vector<LevelTiles> all;
    std::uint64_t samples = 0;
    for (int level = 1; level <= plan.levels; ++level) {
        if (forward) all.emplace_back(plan, level, threads, WaveletDirection::forward);
        if (inverse) all.emplace_back(plan, level, threads, WaveletDirection::inverse);
        if (level < plan.levels) samples += static_cast<std::uint64_t>(plan.levelShape(level).pixels());
    }
    return samples * sizeof(double) + static_cast<std::uint64_t>(threads) * WaveletTileWorkspace::bytes(all);
}

}  // namespace parallax
