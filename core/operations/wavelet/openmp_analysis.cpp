// SPDX-License-Identifier: GPL-3.0-or-later
// A tile of the analysis.
#include <cstring>

#include "parallax/operations/wavelet/openmp_tile_job.hpp"

namespace parallax {
namespace {

/// Extension of a sample that lies outside, resolved beforehand.
struct EdgeSample {
    float* to = nullptr;
    Extension<std::int64_t> from;
};

float valueOf(const Extension<std::int64_t>& e, const float* row) {
    float value = 0;
    for (int k = 0; k < e.count; ++k) value += static_cast<float>(e.factor[k]) * row[e.index[k]];
    return value;
}

class ForwardTile {
public:
    ForwardTile(const LevelJob& job, const View<const float>& in, const std::array<View<float>, 8>& bands, const std::vector<float>& lo,
                const std::vector<float>& hi, TileWorkspace& w, std::int64_t ix, std::int64_t iy, std::int64_t iz)
        : job_(job),
          t_(job.tiles),
          in_(in),
          bands_(bands),
          lo_(lo.data()),
          hi_(hi.data()),
          w_(w),
          taps_(t_.taps),
          shift_(analysisShift(t_.taps, job.plan.rule())),
          x0_(t_.x.first(ix)),
          x1_(t_.x.end(ix)),
          y0_(t_.y.first(iy)),
          y1_(t_.y.end(iy)),
          z0_(t_.z.first(iz)),
          z1_(t_.z.end(iz)),
          rows_(static_cast<std::size_t>(taps_ + 2)),
          ringRows_(rows_) {
        if (t_.x.transformed) prepareSplit();
    }

    void run() {
        if (!t_.z.transformed) {
            for (std::int64_t z = z0_; z < z1_ && !job_.context.stopped(); ++z) filterSlice(z, nullptr);
            return;
        }
        const Ring tiles{w_.tiles(), t_.tile(), taps_ + 2};
        const std::int64_t rows = y1_ - y0_;
        std::int64_t next = 2 * z0_ + shift_ - taps_ + 1;
        for (std::int64_t o = z0_; o < z1_; o += 2) {
            const int steps = o + 1 < z1_ ? 2 : 1;
            const std::int64_t last = 2 * (o + steps - 1) + shift_;
            for (; next <= last; ++next) {
                if (job_.context.stopped()) return;
                filterSlice(next, tiles.at(next));
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
            RowTargets targets;
            for (int step = 0; step < steps; ++step)
                for (unsigned sum = 0; sum < 2; ++sum)
                    targets.to[step][sum] =
                        bands_[details | part | (sum * axis)].row(axis == 2 ? y + step : y, axis == 4 ? z + step : z) + x0_;
            // The approximation is read again soon.
            targets.stream[0] = job_.stream && (details | part) != 0;
            targets.stream[1] = job_.stream;
            sumRowsExactly(sums(steps), x1_ - x0_, targets);
            for (const float*& row : rows_) row += t_.segment;
        }
    }

    /// Slice z (any distance outside) filtered along x and y: into a tile, low-pass rows first, or into the bands.
    void filterSlice(std::int64_t z, float* tile) {
        if (!t_.y.transformed) {
            for (std::int64_t y = y0_; y < y1_; ++y) {
                float* to = tile ? tile + (y - y0_) * t_.row : w_.rows();
                filterRow(inputRow(y, z), to);
                if (tile) continue;
                for (unsigned part = 0; part < static_cast<unsigned>(t_.x.perStep()); ++part)
                    std::memcpy(bands_[part].row(y, z) + x0_, to + part * t_.segment, static_cast<std::size_t>(x1_ - x0_) * sizeof(float));
                job_.progress.add(1);
            }
            return;
        }
        const Ring ring{w_.rows(), t_.row, taps_ + 2};
        const std::int64_t columns = (t_.x.perStep() - 1) * t_.segment + x1_ - x0_;
        std::int64_t next = 2 * y0_ + shift_ - taps_ + 1;
        for (std::int64_t o = y0_; o < y1_; o += 2) {
            const int steps = o + 1 < y1_ ? 2 : 1;
            const std::int64_t last = 2 * (o + steps - 1) + shift_;
            for (; next <= last; ++next) filterRow(inputRow(next, z), ring.at(next));
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

    /// A row of the input, whole width; rows outside are put together as the mode says.
    const float* inputRow(std::int64_t y, std::int64_t z) {
        const ExtensionRule rule = job_.plan.rule();
        const auto ez = extendedSample(z, in_.shape.depth, rule), ey = extendedSample(y, in_.shape.height, rule);
        if (ez.count == 0 || ey.count == 0) return w_.zeros();
        const float* slices[3];
        for (int k = 0; k < ez.count; ++k) {
            const float* parts[3];
            for (int i = 0; i < ey.count; ++i) parts[i] = in_.row(ey.index[i], ez.index[k]);
            slices[k] = combined(parts, ey, k);
        }
        return combined(slices, ez, 3);
    }

    const float* combined(const float* const* rows, const Extension<std::int64_t>& e, int buffer) {
        if (e.count == 1 && e.factor[0] == 1) return rows[0];
        const float factors[] = {static_cast<float>(e.factor[0]), static_cast<float>(e.factor[1]), static_cast<float>(e.factor[2])};
        combineRows(rows, factors, e.count, in_.shape.width, w_.combined(buffer));
        return w_.combined(buffer);
    }

    /// Which samples a strip meets: those within the row are split by vectors, the others one by one.
    void prepareSplit() {
        const std::int64_t base = 2 * x0_ + shift_ - taps_ + 1, pairs = x1_ - x0_ + taps_ / 2 - 1;
        const std::int64_t width = in_.shape.width;
        firstPair_ = std::clamp<std::int64_t>((1 - base) / 2, 0, pairs);
        endPair_ = std::clamp<std::int64_t>((width - base) / 2, firstPair_, pairs);
        base_ = base;
        for (std::int64_t k = 0; k < pairs; ++k) {
            if (k >= firstPair_ && k < endPair_) continue;
            for (int odd = 0; odd < 2; ++odd)
                edges_.push_back({w_.half(odd) + k, extendedSample(base + 2 * k + odd, width, job_.plan.rule())});
        }
        xRows_.resize(static_cast<std::size_t>(taps_));
        for (int j = 0; j < taps_; ++j) {
            const int m = taps_ - 1 - j;
            xRows_[static_cast<std::size_t>(j)] = w_.half(m % 2) + m / 2;
        }
    }

    /// The strip's part of a row of the input along x: both bands side by side.
    void filterRow(const float* row, float* to) {
        if (!t_.x.transformed) {
            std::memcpy(to, row + x0_, static_cast<std::size_t>(x1_ - x0_) * sizeof(float));
            return;
        }
        splitRow(row + base_ + 2 * firstPair_, endPair_ - firstPair_, w_.half(0) + firstPair_, w_.half(1) + firstPair_);
        for (const EdgeSample& e : edges_) *e.to = valueOf(e.from, row);
        sumRows({xRows_.data(), lo_, hi_, 1, taps_}, x1_ - x0_, {.to = {{to, to + t_.segment}}});
    }

    const LevelJob& job_;
    const LevelTiles& t_;
    const View<const float>& in_;
    const std::array<View<float>, 8>& bands_;
    const float *lo_, *hi_;
    TileWorkspace& w_;
    int taps_, shift_;
    std::int64_t x0_, x1_, y0_, y1_, z0_, z1_;
    std::vector<const float*> rows_, ringRows_, xRows_;
    std::int64_t base_ = 0, firstPair_ = 0, endPair_ = 0;
    std::vector<EdgeSample> edges_;
};

}  // namespace

void analyseTile(const LevelJob& job, const View<const float>& in, const std::array<View<float>, 8>& bands, const std::vector<float>& lo,
                 const std::vector<float>& hi, TileWorkspace& w, std::int64_t ix, std::int64_t iy, std::int64_t iz) {
    ForwardTile(job, in, bands, lo, hi, w, ix, iy, iz).run();
}

}  // namespace parallax
