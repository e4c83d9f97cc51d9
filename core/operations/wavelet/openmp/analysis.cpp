// SPDX-License-Identifier: GPL-3.0-or-later
// A tile of the analysis.
#include <algorithm>

#include "core/backends/openmp/cache_line_allocator.hpp"
#include "core/operations/wavelet/openmp/tile_job.hpp"

namespace parallax {
namespace {

/// Extension of a sample outside the row, resolved in advance.
struct EdgeSample {
    double* to = nullptr;
    Extension<std::int64_t> from;
};

template <class In>
class ForwardTile {
    /// A row of the input, or one that was combined in scratch.
    struct InputRow {
        const In* raw = nullptr;
        const double* made = nullptr;
    };

public:
    ForwardTile(const LevelJob& job, const Analysis<In>& analysis, WaveletTileWorkspace& w, const TileIndex& tile)
        : job_(job),
          t_(job.tiles),
          a_(analysis),
          lo_(analysis.lo->data()),
          hi_(analysis.hi->data()),
          w_(w),
          taps_(t_.taps),
          shift_(analysisShift(t_.taps, job.plan.mode)),
          shiftY_(shift_ + 2 * t_.y.begin),
          shiftZ_(shift_ + 2 * t_.z.begin),
          x0_(t_.x.first(tile.x)),
          x1_(t_.x.end(tile.x)),
          y0_(t_.y.first(tile.y)),
          y1_(t_.y.end(tile.y)),
          z0_(t_.z.first(tile.z)),
          z1_(t_.z.end(tile.z)),
          rows_(static_cast<std::size_t>(taps_ + 2)),
          ringRows_(rows_) {
        if (t_.x.transformed) prepareSplit();
    }

    void run() {
        if (!t_.z.transformed) {
            for (std::int64_t z = z0_; z < z1_ && !job_.context.stopped(); ++z) filterSlice(z + t_.z.begin, z, nullptr);
            return;
        }
        const Ring tiles{w_.tiles(), t_.tile(), taps_ + 2};
        const std::int64_t rows = y1_ - y0_;
        std::int64_t next = 2 * z0_ + shiftZ_ - taps_ + 1;
        for (std::int64_t o = z0_; o < z1_; o += 2) {
            const int steps = o + 1 < z1_ ? 2 : 1;
            const std::int64_t last = 2 * (o + steps - 1) + shiftZ_;
            for (; next <= last; ++next) {
                if (job_.context.stopped()) return;
                filterSlice(next, 0, tiles.at(next));
            }
            const int count = taps_ + 2 * (steps - 1);
            tiles.newestFirst(last, count, ringRows_.data());
            for (std::int64_t r = 0; r < t_.y.perStep() * rows; ++r) {
                const bool high = r >= rows;
                for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) rows_[i] = ringRows_[i] + r * t_.row;
                emit(y0_ + (high ? r - rows : r), o, high ? 2 : 0, 4, steps);
            }
            job_.progress.add(steps * rows);
        }
    }

private:
    RowSums sums(int steps) const { return {rows_.data(), lo_, hi_, 1, taps_, steps, 2}; }

    /// Sums of rows_ for the columns of this strip into the bands with these details and, for high-pass sums, `axis` besides; the second
    /// step goes to the next place along that axis.
    void emit(std::int64_t y, std::int64_t z, unsigned details, unsigned axis, int steps) {
        for (unsigned part = 0; part < static_cast<unsigned>(t_.x.perStep()); ++part) {
            FinalTargets targets;
            for (int step = 0; step < steps; ++step)
                for (unsigned sum = 0; sum < 2; ++sum) {
                    const unsigned band = details | part | (sum * axis);
                    const std::int64_t row = axis == 2 ? y + step : y, slice = axis == 4 ? z + step : z;
                    if (band == 0 && a_.approximation.data) targets.wide[step][sum] = a_.approximation.row(row, slice) + x0_;
                    else targets.to[step][sum] = a_.bands[band].row(row, slice) + x0_;
                }
            targets.stream = job_.stream;
            sumRowsFinally(sums(steps), x1_ - x0_, targets);
            for (const double*& row : rows_) row += t_.segment;
        }
    }

    /// Slice `from` of the input (any distance outside) filtered along x and y: into a tile, low-pass rows first, or into slice z of the
    /// bands.
    void filterSlice(std::int64_t from, std::int64_t z, double* tile) {
        if (!t_.y.transformed) {
            for (std::int64_t y = y0_; y < y1_; ++y) {
                double* to = tile ? tile + (y - y0_) * t_.row : w_.rows();
                filterRow(inputRow(y + t_.y.begin, from), to);
                if (tile) continue;
                for (unsigned part = 0; part < static_cast<unsigned>(t_.x.perStep()); ++part) {
                    const double* filtered = to + part * t_.segment;
                    if (part == 0 && a_.approximation.data) copyRow(filtered, x1_ - x0_, a_.approximation.row(y, z) + x0_);
                    else copyRow(filtered, x1_ - x0_, a_.bands[part].row(y, z) + x0_);
                }
                job_.progress.add(1);
            }
            return;
        }
        const Ring ring{w_.rows(), t_.row, taps_ + 2};
        const std::int64_t columns = (t_.x.perStep() - 1) * t_.segment + x1_ - x0_;
        std::int64_t next = 2 * y0_ + shiftY_ - taps_ + 1;
        for (std::int64_t o = y0_; o < y1_; o += 2) {
            const int steps = o + 1 < y1_ ? 2 : 1;
            const std::int64_t last = 2 * (o + steps - 1) + shiftY_;
            for (; next <= last; ++next) filterRow(inputRow(next, from), ring.at(next));
            ring.newestFirst(last, taps_ + 2 * (steps - 1), rows_.data());
            if (tile) {
                RowTargets targets;
                for (int step = 0; step < steps; ++step)
                    for (int sum = 0; sum < 2; ++sum) targets.to[step][sum] = tile + (o - y0_ + step + sum * (y1_ - y0_)) * t_.row;
                sumRows(sums(steps), columns, targets);
                continue;
            }
            emit(o, z, 0, 2, steps);
            job_.progress.add(steps);
            if (job_.context.stopped()) return;
        }
    }

    /// Returns a row of the input, whole width; rows outside are combined as the mode defines.
    InputRow inputRow(std::int64_t y, std::int64_t z) {
        const WaveletMode rule = job_.plan.mode;
        const auto ez = extendedSample(z, a_.in.shape.depth, rule), ey = extendedSample(y, a_.in.shape.height, rule);
        if (ez.count == 0 || ey.count == 0) return {.made = w_.zeros()};
        InputRow slices[3];
        for (int k = 0; k < ez.count; ++k) {
            InputRow parts[3];
            for (int i = 0; i < ey.count; ++i) parts[i].raw = a_.in.row(ey.index[i], ez.index[k]);
            slices[k] = combined(parts, ey, k);
        }
        return combined(slices, ez, 3);
    }

    /// Sum of up to three rows with factors: a few rows at each border.
    InputRow combined(const InputRow* rows, const Extension<std::int64_t>& e, int buffer) {
        if (e.count == 1 && e.factor[0] == 1) return rows[0];
        double* const out = w_.combined(buffer);
        const std::int64_t columns = a_.in.shape.width;
        for (int k = 0; k < e.count; ++k) {
            const double factor = static_cast<double>(e.factor[k]);
            const auto add = [&](const auto* row) {
                if (k == 0)
                    for (std::int64_t x = 0; x < columns; ++x) out[x] = factor * static_cast<double>(row[x]);
                else
                    for (std::int64_t x = 0; x < columns; ++x) out[x] += factor * static_cast<double>(row[x]);
            };
            if (rows[k].raw) add(rows[k].raw);
            else add(rows[k].made);
        }
        return {.made = out};
    }

    /// Divides the samples of a strip: those within the row are split by vectors, the others one by one.
    void prepareSplit() {
        const std::int64_t base = 2 * x0_ + shift_ - taps_ + 1, pairs = x1_ - x0_ + taps_ / 2 - 1;
        const std::int64_t width = a_.in.shape.width;
        firstPair_ = std::clamp<std::int64_t>((1 - base) / 2, 0, pairs);
        endPair_ = std::clamp<std::int64_t>((width - base) / 2, firstPair_, pairs);
        base_ = base;
        for (std::int64_t k = 0; k < pairs; ++k) {
            if (k >= firstPair_ && k < endPair_) continue;
            for (int odd = 0; odd < 2; ++odd)
                edges_.push_back({w_.half(odd) + k, extendedSample(base + 2 * k + odd, width, job_.plan.mode)});
        }
        xRows_.resize(static_cast<std::size_t>(taps_));
        for (int j = 0; j < taps_; ++j) {
            const int m = taps_ - 1 - j;
            xRows_[static_cast<std::size_t>(j)] = w_.half(m % 2) + m / 2;
        }
    }

    /// The strip's part of a row of the input along x: both bands side by side.
    void filterRow(const InputRow& row, double* to) {
        if (row.raw) filterRowOf(row.raw, to);
        else filterRowOf(row.made, to);
    }

    template <class S>
    void filterRowOf(const S* row, double* to) {
        if (!t_.x.transformed) return copyRow(row + x0_, x1_ - x0_, to);
        splitRow(row + base_ + 2 * firstPair_, endPair_ - firstPair_, w_.half(0) + firstPair_, w_.half(1) + firstPair_);
        for (const EdgeSample& e : edges_) {
            double value = 0;
            for (int k = 0; k < e.from.count; ++k)
                value += static_cast<double>(e.from.factor[k]) * static_cast<double>(row[e.from.index[k]]);
            *e.to = value;
        }
        sumRows(RowSums{xRows_.data(), lo_, hi_, 1, taps_}, x1_ - x0_, {.to = {{to, to + t_.segment}}});
    }

    const LevelJob& job_;
    const LevelTiles& t_;
    const Analysis<In>& a_;
    const double *lo_, *hi_;
    WaveletTileWorkspace& w_;
    int taps_, shift_;
    std::int64_t shiftY_, shiftZ_;
    std::int64_t x0_, x1_, y0_, y1_, z0_, z1_;
    CacheLineVector<const double*> rows_, ringRows_, xRows_;
    std::int64_t base_ = 0, firstPair_ = 0, endPair_ = 0;
    CacheLineVector<EdgeSample> edges_;
};

}  // namespace

template <class In>
void analyseTile(const LevelJob& job, const Analysis<In>& analysis, WaveletTileWorkspace& w, const TileIndex& tile) {
    ForwardTile<In>(job, analysis, w, tile).run();
}

template void analyseTile(const LevelJob&, const Analysis<float>&, WaveletTileWorkspace&, const TileIndex&);
template void analyseTile(const LevelJob&, const Analysis<double>&, WaveletTileWorkspace&, const TileIndex&);

}  // namespace parallax
