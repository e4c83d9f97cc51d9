// SPDX-License-Identifier: GPL-3.0-or-later
// A tile of the synthesis.
#include <algorithm>

#include "core/backends/openmp/cache_line_allocator.hpp"
#include "core/operations/wavelet/openmp/tile_job.hpp"

namespace parallax {
namespace {

class InverseTile {
public:
    InverseTile(const LevelJob& job, const Synthesis& synthesis, WaveletTileWorkspace& w, const TileIndex& tile)
        : job_(job),
          t_(job.tiles),
          s_(synthesis),
          shape_(synthesis.image.data ? synthesis.image.shape : synthesis.out.shape),
          even_(synthesis.even->data()),
          odd_(synthesis.odd->data()),
          w_(w),
          taps_(t_.taps),
          half_(t_.taps / 2),
          phase_(synthesisPhase(t_.taps, job.plan.mode)),
          shiftY_(phase_.shift + (t_.y.begin + phase_.offset) / 2),
          shiftZ_(phase_.shift + (t_.z.begin + phase_.offset) / 2),
          beforeY_((t_.y.begin + phase_.offset) % 2),
          beforeZ_((t_.z.begin + phase_.offset) % 2),
          x0_(t_.x.first(tile.x)),
          x1_(t_.x.end(tile.x)),
          y0_(t_.y.first(tile.y)),
          y1_(t_.y.end(tile.y)),
          z0_(t_.z.first(tile.z)),
          z1_(t_.z.end(tile.z)),
          rows_(static_cast<std::size_t>(taps_ + 2)),
          ringRows_(static_cast<std::size_t>(half_ + 1)),
          tileRows_(ringRows_),
          xRows_(static_cast<std::size_t>(taps_)) {
        firstX_ = t_.x.transformed ? 2 * x0_ - phase_.offset : x0_;
        skip_ = std::max<std::int64_t>(0, -firstX_);
        columns_ = std::min(shape_.width, t_.x.transformed ? 2 * x1_ - phase_.offset : x1_) - (firstX_ + skip_);
        for (int j = 0; j < half_; ++j)
            for (int band = 0; band < 2; ++band) xRows_[static_cast<std::size_t>(band * half_ + j)] = w_.half(band) + half_ - 1 - j;
    }

    void run() {
        if (!t_.z.transformed) {
            for (std::int64_t z = z0_; z < z1_ && !job_.context.stopped(); ++z) synthesiseSlice(z + t_.z.begin, z, 0, nullptr);
            return;
        }
        const Ring tiles{w_.tiles(), 2 * t_.tile(), half_ + 1};
        std::int64_t next = z0_ + shiftZ_ - half_ + 1;
        for (std::int64_t pair = z0_; pair < z1_; pair += 2) {
            const int steps = pair + 1 < z1_ ? 2 : 1;
            const std::int64_t last = pair + steps - 1 + shiftZ_;
            for (; next <= last; ++next)
                for (unsigned high = 0; high < 2; ++high) {
                    if (job_.context.stopped()) return;
                    synthesiseSlice(wrapped(next, s_.bands[0].shape.depth), 0, 4 * high, tiles.at(next) + high * t_.tile());
                }
            const std::int64_t firstY = t_.y.transformed ? 2 * y0_ - beforeY_ : y0_, z = 2 * pair - beforeZ_;
            tiles.newestFirst(last, half_ + steps - 1, tileRows_.data());
            for (std::int64_t r = 0; r < t_.y.perStep() * (y1_ - y0_); ++r) {
                const std::int64_t y = firstY + r;
                if (y < 0 || y >= shape_.height) continue;
                setRows(tileRows_, steps, r * t_.row + skip_, t_.tile());
                FinalTargets targets;
                for (int step = 0; step < steps; ++step)
                    for (int p = 0; p < 2; ++p) aim(targets, step, p, y, z + 2 * step + p);
                emit(steps, targets);
            }
            job_.progress.add(steps * (y1_ - y0_));
        }
    }

private:
    std::int64_t wrapped(std::int64_t k, std::int64_t n) const {
        return job_.plan.mode == WaveletMode::periodization ? (k % n + n) % n : k;
    }
    RowSums sums(int steps) const { return {rows_.data(), even_, odd_, 2, half_, steps, 1}; }
    /// Rows of the low-pass and, `high` samples behind them, the high-pass group, the newest first.
    void setRows(const CacheLineVector<const double*>& newest, int steps, std::int64_t offset, std::int64_t high) {
        const auto count = static_cast<std::size_t>(half_ + steps - 1);
        for (std::size_t i = 0; i < count; ++i) {
            rows_[i] = newest[i] + offset;
            rows_[count + i] = rows_[i] + high;
        }
    }
    void emit(int steps, FinalTargets& targets) {
        targets.stream = job_.stream;
        if (columns_ > 0) sumRowsFinally(sums(steps), columns_, targets);
    }
    bool inside(std::int64_t y, std::int64_t z) const { return y >= 0 && y < shape_.height && z >= 0 && z < shape_.depth; }
    /// Results of rows outside go to unused memory.
    void aim(FinalTargets& targets, int step, int sum, std::int64_t y, std::int64_t z) {
        if (!inside(y, z)) targets.wide[step][sum] = w_.unused();
        else if (s_.image.data) targets.to[step][sum] = s_.image.row(y, z) + firstX_ + skip_;
        else targets.wide[step][sum] = s_.out.row(y, z) + firstX_ + skip_;
    }

    /// Slice `from` of the bands with or without details along z, synthesised along x and y: into a tile or into slice z of the output.
    void synthesiseSlice(std::int64_t from, std::int64_t z, unsigned details, double* tile) {
        if (!t_.y.transformed) {
            for (std::int64_t y = y0_; y < y1_; ++y) {
                double* to = tile ? tile + (y - y0_) * t_.row : w_.rows();
                synthesiseRow(y + t_.y.begin, from, details, to);
                if (tile) continue;
                if (columns_ > 0) {
                    if (s_.image.data) copyRow(to + skip_, columns_, s_.image.row(y, z) + firstX_ + skip_);
                    else copyRow(to + skip_, columns_, s_.out.row(y, z) + firstX_ + skip_);
                }
                job_.progress.add(1);
            }
            return;
        }
        const Ring ring{w_.rows(), 2 * t_.row, half_ + 1};
        std::int64_t next = y0_ + shiftY_ - half_ + 1;
        for (std::int64_t pair = y0_; pair < y1_; pair += 2) {
            const int steps = pair + 1 < y1_ ? 2 : 1;
            const std::int64_t last = pair + steps - 1 + shiftY_;
            for (; next <= last; ++next)
                for (unsigned high = 0; high < 2; ++high)
                    synthesiseRow(wrapped(next, s_.bands[0].shape.height), from, details | 2 * high, ring.at(next) + high * t_.row);
            ring.newestFirst(last, half_ + steps - 1, ringRows_.data());
            setRows(ringRows_, steps, tile ? 0 : skip_, t_.row);
            if (tile) {
                RowTargets targets;
                for (int step = 0; step < steps; ++step)
                    for (int p = 0; p < 2; ++p) targets.to[step][p] = tile + (2 * (pair + step - y0_) + p) * t_.row;
                sumRows(sums(steps), t_.x.perStep() * (x1_ - x0_), targets);
                continue;
            }
            FinalTargets targets;
            for (int step = 0; step < steps; ++step)
                for (int p = 0; p < 2; ++p) aim(targets, step, p, 2 * (pair + step) - beforeY_ + p, z);
            emit(steps, targets);
            job_.progress.add(steps);
            if (job_.context.stopped()) return;
        }
    }

    /// The strip's part of a row of coefficients, synthesised along x.
    void synthesiseRow(std::int64_t y, std::int64_t z, unsigned details, double* to) {
        if (!t_.x.transformed) {
            if (details == 0 && s_.approximation.given()) copyRow(s_.approximation.row(y, z) + x0_, x1_ - x0_, to);
            else copyRow(s_.bands[details].row(y, z) + x0_, x1_ - x0_, to);
            return;
        }
        const std::int64_t n = s_.bands[0].shape.width, first = x0_ + phase_.shift - half_ + 1, count = x1_ - x0_ + half_ - 1;
        for (unsigned band = 0; band < 2; ++band) {
            double* const half = w_.half(static_cast<int>(band));
            const auto take = [&](const auto* row) {
                if (first >= 0 && first + count <= n) return copyRow(row + first, count, half);
                for (std::int64_t k = 0; k < count; ++k) half[k] = static_cast<double>(row[wrapped(first + k, n)]);
            };
            if ((details | band) == 0 && s_.approximation.given()) take(s_.approximation.row(y, z));
            else take(s_.bands[details | band].row(y, z));
        }
        sumRowsInterleaved(RowSums{xRows_.data(), even_, odd_, 2, half_}, x1_ - x0_, to);
    }

    const LevelJob& job_;
    const LevelTiles& t_;
    const Synthesis& s_;
    const Shape shape_;  ///< of the result
    const double *even_, *odd_;
    WaveletTileWorkspace& w_;
    int taps_, half_;
    SynthesisPhase phase_;
    std::int64_t shiftY_, shiftZ_;    ///< from a pair of the tile to the newest of its coefficients
    std::int64_t beforeY_, beforeZ_;  ///< samples of the first pair before the first result
    std::int64_t x0_, x1_, y0_, y1_, z0_, z1_;
    std::int64_t firstX_ = 0, skip_ = 0, columns_ = 0;
    CacheLineVector<const double*> rows_, ringRows_, tileRows_, xRows_;
};

}  // namespace

void synthesiseTile(const LevelJob& job, const Synthesis& synthesis, WaveletTileWorkspace& w, const TileIndex& tile) {
    InverseTile(job, synthesis, w, tile).run();
}

}  // namespace parallax
