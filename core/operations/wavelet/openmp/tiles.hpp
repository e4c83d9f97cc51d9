// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles of one level of a transform, and the workspace of a thread.
#pragma once

#include <algorithm>
#include <vector>

#include "core/image/buffer.hpp"
#include "core/operations/wavelet/layout.hpp"
#include "core/operations/wavelet/openmp/rows.hpp"
#include "core/operations/wavelet/parts/lines.hpp"
#include "core/primitives/blocks.hpp"

namespace parallax {

enum class WaveletDirection { forward, inverse };

/// Steps along an axis: coefficients of the analysis, pairs of samples of the synthesis, samples where the axis is not transformed. Cut
/// into parts.
struct AxisTiles {
    bool transformed = false;
    std::int64_t steps = 0, part = 1;
    std::int64_t begin = 0;  ///< the first result: coefficient of the analysis, sample of the synthesis; 0 of whole images

    std::int64_t parts() const { return divideUp(steps, part); }
    std::int64_t first(std::int64_t i) const { return i * part; }
    std::int64_t end(std::int64_t i) const { return std::min(steps, (i + 1) * part); }
    int perStep() const { return transformed ? 2 : 1; }  ///< results of a step
};

/// Sizes of the tiles of a level; workspace and memory estimate follow from them.
struct LevelTiles {
    int taps = 0;
    AxisTiles x, y, z;
    std::int64_t width = 0;    ///< of the level's input, for rows that are combined from others
    std::int64_t segment = 0;  ///< columns of scratch for one result of each step along x
    std::int64_t row = 0;      ///< columns of scratch for a row of results

    /// `plan`: of the lines of a part, which begin at `lines`, or of the whole.
    LevelTiles(const WaveletPlan& plan, const FirstLines& lines, int level, int threads, WaveletDirection direction);
    std::int64_t tasks() const { return x.parts() * y.parts() * z.parts(); }
    std::int64_t tile() const { return y.perStep() * y.part * row; }
    /// Steps of progress: a row of a strip each.
    std::int64_t units() const { return x.parts() * y.steps * z.steps; }
};

/// Samples of scratch that the tiles of these levels need at most.
struct TileSizes {
    std::int64_t half = 0, raw = 0, rows = 0, tiles = 0, row = 0;
    explicit TileSizes(const std::vector<LevelTiles>& levels);
    std::int64_t total() const { return 2 * half + 5 * raw + rows + tiles + row; }
};

/// Buffers of one thread, large enough for each of the levels. All values are 0 at first, and finite later if the samples are: whole
/// vectors are read, and values behind the end of a row must not trap.
class WaveletTileWorkspace {
public:
    explicit WaveletTileWorkspace(const std::vector<LevelTiles>& levels)
        : sizes_(levels), memory_(Shape{sizes_.total(), 1, 1, 1}, SampleType::float64) {
        std::fill_n(data(), sizes_.total(), 0.0);
    }
    static std::uint64_t bytes(const std::vector<LevelTiles>& levels) {
        return static_cast<std::uint64_t>(TileSizes(levels).total()) * sizeof(double);
    }

    double* half(int i) { return data() + i * sizes_.half; }            ///< 0, 1: even and odd samples, or both bands, of a row
    double* zeros() { return data() + 2 * sizes_.half; }                ///< a row of the input
    double* combined(int i) { return zeros() + (1 + i) * sizes_.raw; }  ///< 0 .. 3: rows combined from others
    double* rows() { return zeros() + 5 * sizes_.raw; }                 ///< ring of rows filtered along x
    double* tiles() { return rows() + sizes_.rows; }                    ///< ring of tiles filtered along x and y
    double* unused() { return tiles() + sizes_.tiles; }                 ///< a row for results outside of the image

private:
    double* data() { return static_cast<double*>(memory_.data()); }
    TileSizes sizes_;
    Buffer memory_;
};

/// Samples of a band of a level within a mosaic.
template <class T>
View<T> bandView(const WaveletPlan& plan, View<T> mosaic, int level, unsigned details) {
    std::array<std::int64_t, 3> origin{};
    for (std::size_t a = 0; a < 3; ++a)
        if (details >> a & 1U) origin[a] = plan.axes[a].offset[static_cast<std::size_t>(level)];
    mosaic.data = &mosaic.at(origin[0], origin[1], origin[2]);
    mosaic.shape = plan.levelShape(level);
    mosaic.shape.channels = 1;
    return mosaic;
}

}  // namespace parallax
