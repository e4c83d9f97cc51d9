// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/openmp/tiles.hpp"

namespace parallax {
namespace {

/// Share of the level-2 cache for the ring of tiles. Long filters lose more by small tiles than by a ring that does not quite fit.
constexpr std::int64_t kRingBytes = std::int64_t{1000} << 10, kRingBytesPerTap = std::int64_t{40} << 10;
/// Steps along x of a strip. Wide, since pieces of rows cost the memory more than whole ones, but a ring of rows should not leave the
/// second cache.
constexpr std::int64_t kWidestStrip = 544;
constexpr std::int64_t kLowestBand = 8, kHighestBand = 64;
/// Enough tasks that no thread waits long for the last one.
constexpr std::int64_t kTasksPerThread = 4;

/// Size of equal parts, none larger than `most`.
std::int64_t equalParts(std::int64_t steps, std::int64_t most) {
    return divideUp(steps, divideUp(steps, std::clamp<std::int64_t>(most, 1, steps)));
}

AxisTiles axisTiles(const WaveletPlan& plan, const FirstLines& lines, std::size_t axis, int level, WaveletDirection direction) {
    const WaveletAxis& a = plan.axes[axis];
    const std::int64_t samples = a.count[static_cast<std::size_t>(level) - 1];
    const bool forward = direction == WaveletDirection::forward;
    AxisTiles tiles{.transformed = a.transformed, .steps = samples, .begin = lines.at(axis, forward ? level : level - 1)};
    if (!a.transformed) return tiles;
    // Pairs that hold samples, also if only one of their two.
    const int outside = (static_cast<int>(tiles.begin % 2) + synthesisPhase(plan.taps(), plan.mode).offset) % 2;
    tiles.steps = forward ? a.count[static_cast<std::size_t>(level)] : (samples + outside + 1) / 2;
    return tiles;
}

}  // namespace

LevelTiles::LevelTiles(const WaveletPlan& plan, const FirstLines& lines, int level, int threads, WaveletDirection direction)
    : taps(plan.taps()),
      x(axisTiles(plan, lines, 0, level, direction)),
      y(axisTiles(plan, lines, 1, level, direction)),
      z(axisTiles(plan, lines, 2, level, direction)),
      width(plan.axes[0].count[static_cast<std::size_t>(level) - 1]) {
    if (x.steps * y.steps * z.steps == 0) return;  // a part without lines of this level
    x.part = equalParts(x.steps, kWidestStrip * 2 / x.perStep());
    segment = paddedColumns(x.part);
    row = x.perStep() * segment + kRowGranule;
    const std::int64_t channels = plan.image.channels, wanted = threads > 1 ? kTasksPerThread * threads / channels + 1 : 1;
    if (z.transformed) {
        z.part = z.steps;
        const std::int64_t ring = std::max(kRingBytes, kRingBytesPerTap * taps);
        const std::int64_t fits = ring / ((taps + 2) * y.perStep() * row * static_cast<std::int64_t>(sizeof(double)));
        y.part = equalParts(y.steps, std::clamp(fits, kLowestBand, kHighestBand));
    } else {
        // Slices are independent.
        y.part = y.steps;
    }
    // Lower tiles if there are too few for the threads, but not so low that rows shared with neighbours cost more than their own; then
    // fewer slices, too.
    const std::int64_t lowest = std::max<std::int64_t>(kLowestBand, y.transformed ? taps / 2 : 1);
    if (tasks() < wanted) y.part = equalParts(y.steps, std::max(lowest, divideUp(y.steps, divideUp(wanted, x.parts() * z.parts()))));
    if (z.transformed && tasks() < wanted)
        z.part = equalParts(z.steps, std::max<std::int64_t>(2 * taps, divideUp(z.steps, divideUp(wanted, x.parts() * y.parts()))));
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
