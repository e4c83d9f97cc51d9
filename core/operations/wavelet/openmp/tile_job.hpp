// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the tasks of a level, forward and inverse.
#pragma once

#include "core/engine/run/run_context.hpp"
#include "core/operations/wavelet/openmp/tiles.hpp"
#include "core/operations/wavelet/parts/lines.hpp"
#include "core/operations/wavelet/progress_share.hpp"

namespace parallax {

/// Common to the tasks of a level.
struct LevelJob {
    const WaveletPlan& plan;
    const LevelTiles& tiles;
    const RunContext& context;
    ProgressShare& progress;
    bool stream = false;  ///< results go past the caches
};

/// Ring of `slots` buffers for consecutively numbered rows or tiles.
struct Ring {
    double* data;
    std::int64_t size, slots;
    double* at(std::int64_t i) const { return data + slot(i) * size; }
    /// Returns the slots of last, last - 1, ... without divisions, which would dominate.
    void newestFirst(std::int64_t last, int count, const double** to) const {
        std::int64_t s = slot(last);
        for (int i = 0; i < count; ++i) {
            to[i] = data + s * size;
            s = s == 0 ? slots - 1 : s - 1;
        }
    }

private:
    std::int64_t slot(std::int64_t i) const { return (i % slots + slots) % slots; }
};

template <class From, class To>
void copyRow(const From* from, std::int64_t n, To* to) {
    std::transform(from, from + n, to, [](From v) { return static_cast<To>(v); });
}

/// Position of a tile in its level.
struct TileIndex {
    std::int64_t x = 0, y = 0, z = 0;
};

/// The analysis of a tile.
template <class In>
struct Analysis {
    PartLines<In> in;                   ///< the image, or the approximation of the level before
    std::array<View<float>, 8> bands;   ///< by their details
    View<double> approximation;         ///< in the place of bands[0] where another level follows; else without data
    const std::vector<double>*lo, *hi;  ///< filters
};
template <class In>
void analyseTile(const LevelJob& job, const Analysis<In>& analysis, WaveletTileWorkspace& w, const TileIndex& tile);

/// The synthesis of a tile.
struct Synthesis {
    std::array<PartLines<float>, 8> bands;
    PartLines<double> approximation;       ///< in the place of bands[0] where a level came before; else not given
    View<float> image;                     ///< of the last level; else without data
    View<double> out;                      ///< of the others
    const std::vector<double>*even, *odd;  ///< weights of the low-pass rows, then of the high-pass rows, for even and for odd samples
};
void synthesiseTile(const LevelJob& job, const Synthesis& synthesis, WaveletTileWorkspace& w, const TileIndex& tile);

}  // namespace parallax
