// SPDX-License-Identifier: GPL-3.0-or-later
// What the tasks of a level share, forward and back.
#pragma once

#include "parallax/engine/run_context.hpp"
#include "parallax/operations/wavelet/openmp_tiles.hpp"
#include "parallax/operations/wavelet/progress_share.hpp"

namespace parallax {

/// What tasks of a level have in common.
struct LevelJob {
    const WaveletPlan& plan;
    const LevelTiles& tiles;
    const RunContext& context;
    ProgressShare& progress;
    bool stream = false;  ///< results go past the caches
};

/// Ring of `slots` buffers for things that are numbered without gaps.
struct Ring {
    float* data;
    std::int64_t size, slots;
    float* at(std::int64_t i) const { return data + slot(i) * size; }
    /// Those of last, last - 1, ...; divisions cost more than the rest of it.
    void newestFirst(std::int64_t last, int count, const float** to) const {
        std::int64_t s = slot(last);
        for (int i = 0; i < count; ++i) {
            to[i] = data + s * size;
            s = s == 0 ? slots - 1 : s - 1;
        }
    }

private:
    std::int64_t slot(std::int64_t i) const { return (i % slots + slots) % slots; }
};

/// Tile (ix, iy, iz) of the analysis of `in` into its bands, which are views by their details; filters in float.
void analyseTile(const LevelJob& job, const View<const float>& in, const std::array<View<float>, 8>& bands, const std::vector<float>& lo,
                 const std::vector<float>& hi, TileWorkspace& w, std::int64_t ix, std::int64_t iy, std::int64_t iz);
/// Tile (ix, iy, iz) of the synthesis of `out` from its bands. even, odd: weights of the low-pass rows, then of the high-pass rows, for
/// even and for odd samples.
void synthesiseTile(const LevelJob& job, const std::array<View<const float>, 8>& bands, const View<float>& out,
                    const std::vector<float>& even, const std::vector<float>& odd, TileWorkspace& w, std::int64_t ix, std::int64_t iy,
                    std::int64_t iz);

}  // namespace parallax
