// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/operations/wavelet/openmp_tiles.hpp"

#include <unistd.h>

namespace parallax {
namespace {

/// Of the second cache, for the ring of tiles. Long filters lose more by small tiles than by a ring that does not quite fit.
constexpr std::int64_t kRingBytes = std::int64_t{1000} << 10, kRingBytesPerTap = std::int64_t{40} << 10;
std::int64_t ringBytes(int taps) {
    static const std::int64_t cache = sysconf(_SC_LEVEL2_CACHE_SIZE);  // 0 or -1 where it is not known
    return std::max({kRingBytes, cache / 4 * 3, kRingBytesPerTap * taps});
}
/// Steps along x of a strip. Wide, since pieces of rows cost the memory more than whole ones, but a ring of rows should not leave the
/// second cache.
constexpr std::int64_t kWidestStrip = 544;
constexpr std::int64_t kLowestBand = 8, kHighestBand = 64;
/// What a row costs where it is split and filtered along x, and where results are written to memory, beside one that is filtered along y.
constexpr double kCostX = 1.3, kCostOut = 1.5;
/// How much longer the slowest thread takes, in parts of a task: what comes in between is not known beforehand.
constexpr double kUneven = 0.15;
/// Tasks of a thread beyond which it does not matter how they are cut.
constexpr std::int64_t kMostRounds = 32;

std::int64_t ceilDivide(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit; }

/// Size of equal parts, none larger than `most`.
std::int64_t equalParts(std::int64_t steps, std::int64_t most) {
    return ceilDivide(steps, ceilDivide(steps, std::clamp<std::int64_t>(most, 1, steps)));
}

AxisTiles axisTiles(const WaveletPlan& plan, std::size_t axis, int level, WaveletDirection direction) {
    const WaveletAxis& a = plan.axes[axis];
    const std::int64_t samples = a.count[static_cast<std::size_t>(level) - 1];
    AxisTiles tiles{.transformed = a.transformed, .steps = samples};
    if (!a.transformed) return tiles;
    tiles.steps = direction == WaveletDirection::forward ? a.count[static_cast<std::size_t>(level)]
                                                         : (samples + synthesisPhase(plan.taps(), plan.rule()).offset + 1) / 2;
    return tiles;
}

}  // namespace

LevelTiles::LevelTiles(const WaveletPlan& plan, int level, int threads, WaveletDirection direction)
    : taps(plan.taps()),
      x(axisTiles(plan, 0, level, direction)),
      y(axisTiles(plan, 1, level, direction)),
      z(axisTiles(plan, 2, level, direction)),
      width(plan.axes[0].count[static_cast<std::size_t>(level) - 1]) {
    x.part = equalParts(x.steps, kWidestStrip * 2 / x.perStep());
    segment = paddedColumns(x.part);
    row = x.perStep() * segment + kRowGranule;
    // Slices have nothing to do with each other where z is left alone.
    z.part = z.transformed ? z.steps : 1;
    y.part = y.steps;
    if (z.transformed) {
        const std::int64_t fits = ringBytes(taps) / ((taps + 2) * y.perStep() * row * static_cast<std::int64_t>(sizeof(double)));
        y.part = equalParts(y.steps, std::clamp(fits, kLowestBand, kHighestBand));
    }
    if (threads > 1) share(threads);
}

double LevelTiles::tileCost(std::int64_t rows, std::int64_t slices) const {
    const std::int64_t fromRows = y.reads(rows, taps), fromSlices = z.reads(slices, taps);
    double cost = kCostX * static_cast<double>(fromRows * fromSlices);
    if (y.transformed) cost += static_cast<double>(y.perStep() * rows * fromSlices);
    return cost + kCostOut * static_cast<double>(y.perStep() * rows * z.perStep() * slices);
}

/// Lower tiles, or fewer slices of each, so that threads are done at about the same time. Rows and slices around a tile are filtered for it
/// as well as for its neighbours: many small tiles would be shared out best and take longest.
void LevelTiles::share(int threads) {
    const std::int64_t lowest = std::max<std::int64_t>(kLowestBand, y.transformed ? taps / 2 : 1);
    const std::int64_t thinnest = z.transformed ? 2 * taps : 1, across = x.parts();
    const std::int64_t mostY = std::max<std::int64_t>(y.parts(), y.steps / lowest), mostZ = std::max<std::int64_t>(1, z.steps / thinnest);
    const std::int64_t fewestY = y.parts(), fewestZ = z.transformed ? 1 : mostZ;
    double least = 0;
    for (std::int64_t partsZ = fewestZ; partsZ <= mostZ; ++partsZ)
        for (std::int64_t partsY = fewestY; partsY <= mostY; ++partsY) {
            const std::int64_t rows = ceilDivide(y.steps, partsY), slices = ceilDivide(z.steps, partsZ);
            const std::int64_t tasks = across * ceilDivide(y.steps, rows) * ceilDivide(z.steps, slices),
                               rounds = ceilDivide(tasks, threads);
            const double cost = (static_cast<double>(rounds) + kUneven) * tileCost(rows, slices);
            if (least > 0 && cost >= least) continue;
            least = cost;
            y.part = rows;
            z.part = slices;
            // Enough for all to be busy many times over: more would only be smaller.
            if (rounds > kMostRounds) return;
        }
}

TileSizes::TileSizes(const std::vector<LevelTiles>& levels) {
    for (const LevelTiles& t : levels) {
        // A filter reads up to its length beyond the steps of a strip, and whole vectors.
        half = std::max(half, paddedColumns(t.x.part + t.taps) + 2 * kRowGranule);
        raw = std::max(raw, paddedColumns(t.width) + kRowGranule);
        row = std::max(row, t.row);
        // A filter at two places at once.
        rows = std::max(rows, (t.taps + 2) * t.row);
        tiles = std::max(tiles, t.z.transformed ? (t.taps + 2) * t.tile() : 0);
    }
}

}  // namespace parallax
