// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/openmp/levels.hpp"

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

/// Bands of a level within a mosaic; of the approximation, unless it is the last, only the extent counts.
std::array<View<float>, 8> bandsOf(const WaveletPlan& plan, const View<float>& mosaic, int level) {
    std::array<View<float>, 8> bands{};
    for (unsigned details = 0; details < 8; ++details) {
        bool exists = true;
        for (std::size_t a = 0; a < 3; ++a) exists = exists && (plan.axes[a].transformed || (details >> a & 1U) == 0);
        if (exists) bands[details] = bandView(plan, mosaic, level, details);
    }
    return bands;
}

}  // namespace

struct TiledLevels::State {
    State(const WaveletPlan& p, const FirstLines& lines, int workers, bool withForward, bool withInverse)
        : plan(p), threads(workers), lo(p.bank.decLo.begin(), p.bank.decLo.end()), hi(p.bank.decHi.begin(), p.bank.decHi.end()) {
        std::vector<LevelTiles> all;
        for (int level = 1; level <= plan.levels; ++level) {
            if (withForward) forward.emplace_back(plan, lines, level, threads, WaveletDirection::forward);
            if (withInverse) inverse.emplace_back(plan, lines, level, threads, WaveletDirection::inverse);
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

    template <class Tile>
    void runTiles(const LevelTiles& tiles, const RunContext& context, const Tile& tile) {
        const std::int64_t nx = tiles.x.parts(), ny = tiles.y.parts();
        parallelTasks(context, tiles.tasks(), threads, [&](std::int64_t task, int worker) {
            // Strips of a band one after the other: they share the rows of their input.
            tile(*workspaces[static_cast<std::size_t>(worker)], TileIndex{task % nx, task / nx % ny, task / nx / ny});
            finishRowStreams();
        });
    }

    WaveletPlan plan;
    int threads;
    std::vector<LevelTiles> forward, inverse;  // index level - 1
    std::vector<std::unique_ptr<WaveletTileWorkspace>> workspaces;
    std::vector<double> lo, hi, even, odd;
};

TiledLevels::TiledLevels(const WaveletPlan& plan, const FirstLines& lines, int threads, bool forward, bool inverse)
    : state_(std::make_unique<State>(plan, lines, threads, forward, inverse)) {}
TiledLevels::~TiledLevels() = default;

template <class In>
void TiledLevels::analyse(int level, const PartLines<In>& in, const View<float>& mosaic, const View<double>& approximation,
                          const RunContext& context, ProgressShare& progress) {
    State& s = *state_;
    const LevelTiles& tiles = s.forward[static_cast<std::size_t>(level) - 1];
    const LevelJob job{s.plan, tiles, context, progress, level == 1 && streams(in.own.shape, s.threads)};
    const Analysis<In> analysis{in, bandsOf(s.plan, mosaic, level), approximation, &s.lo, &s.hi};
    s.runTiles(tiles, context, [&](WaveletTileWorkspace& w, const TileIndex& tile) { analyseTile(job, analysis, w, tile); });
}
template void TiledLevels::analyse(int, const PartLines<float>&, const View<float>&, const View<double>&, const RunContext&,
                                   ProgressShare&);
template void TiledLevels::analyse(int, const PartLines<double>&, const View<float>&, const View<double>&, const RunContext&,
                                   ProgressShare&);

void TiledLevels::synthesise(int level, const LevelPasses<float>::Bands& bands, const LevelPasses<float>::Output& output,
                             const RunContext& context, ProgressShare& progress) {
    State& s = *state_;
    const LevelTiles& tiles = s.inverse[static_cast<std::size_t>(level) - 1];
    const Synthesis synthesis{bands.bands, bands.approximation, output.image, output.approximation, &s.even, &s.odd};
    const LevelJob job{s.plan, tiles, context, progress, level == 1 && streams(output.image.shape, s.threads)};
    s.runTiles(tiles, context, [&](WaveletTileWorkspace& w, const TileIndex& tile) { synthesiseTile(job, synthesis, w, tile); });
}

std::int64_t TiledLevels::units(bool inverse) const {
    std::int64_t units = 0;
    for (const LevelTiles& tiles : inverse ? state_->inverse : state_->forward) units += tiles.units();
    return units;
}

std::uint64_t TiledLevels::bytes(const WaveletPlan& plan, int threads, bool forward, bool inverse) {
    std::vector<LevelTiles> all;
    for (int level = 1; level <= plan.levels; ++level) {
        if (forward) all.emplace_back(plan, FirstLines(), level, threads, WaveletDirection::forward);
        if (inverse) all.emplace_back(plan, FirstLines(), level, threads, WaveletDirection::inverse);
    }
    return static_cast<std::uint64_t>(threads) * WaveletTileWorkspace::bytes(all);
}

}  // namespace parallax
