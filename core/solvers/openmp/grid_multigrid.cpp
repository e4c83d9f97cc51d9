// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/solvers/array.hpp"
#include "core/solvers/openmp/dense_inverse.hpp"
#include "core/solvers/openmp/grid_rows.hpp"
#include "core/solvers/openmp/preconditioner.hpp"
#include "core/solvers/openmp/stages.hpp"

namespace parallax::solvers {
namespace {

constexpr std::int64_t kCoarsest = 48;  ///< samples that are solved directly
/// Levels of at most so many samples are not divided among parts: every part has all of their rows and computes them itself, since an
/// exchange takes as long as some thousand samples.
constexpr std::int64_t kGathered = 8192;
/// Rows or slices beyond its own ones that a part keeps of a level, and up to which it computes each stage of the cycle itself, so that it
/// needs others for nothing but f before a level and u of the coarser one after that. Two of the residual after its last row, since the
/// last coarse row may reach so far.
constexpr std::int64_t kReach = 4, kBlackReach = 3, kResidualBefore = 1, kResidualAfter = 2, kProlongedReach = 3, kSecondBlackReach = 2,
                       kSecondRedReach = 1;

struct Level : GridRows {
    explicit Level(GridPart rows) : part(rows), share(rows) {}
    GridPart part;         ///< rows of the arrays: all of them on gathered levels
    GridPart share;        ///< rows whose right-hand side the rank computes
    Array<float> u, f, r;  ///< of the finest grid u and f belong to the caller, unless it is gathered
    bool halved[3] = {};   ///< axes along which the next level is coarser

    bool isGathered() const { return share.communicator() && !part.communicator(); }
    void gather() {
        share = part;
        part = GridPart(shape);
    }
    void makeArrays() {
        u = makeArray<float>(part.keptSamples());
        f = makeArray<float>(part.keptSamples());
    }

    /// Value of the outermost sample, of that of the coarse cell that it belongs to: the same, or on the line to the zeros outside.
    float outerShare(int axis) const {
        const double cell = std::ldexp(1.0, -halvings[axis]);
        return dirichlet ? static_cast<float>((1 + cell) / (2 + cell)) : 1;
    }
};

/// Halves the axes with strong edges: others follow when these have become as weak. An axis of one sample has no edges.
bool coarsened(const GridRows& fine, GridRows& coarse) {
    coarse = fine;
    double strongest = 0;
    for (int a = 0; a < 3; ++a)
        if (axisExtent(fine.shape, a) > 1) strongest = std::max(strongest, fine.weights[a]);
    bool any = false;
    std::int64_t* extents[3] = {&coarse.shape.width, &coarse.shape.height, &coarse.shape.depth};
    for (int a = 0; a < 3; ++a) {
        const std::int64_t n = axisExtent(fine.shape, a);
        if (n <= 1 || fine.weights[a] < strongest / 2.5) continue;
        any = true;
        ++coarse.halvings[a];
        *extents[a] = (n + 1) / 2;
        coarse.weights[a] /= 4;
        // The last cell may cover a part only.
        coarse.lastShare[a] = n % 2 == 1 ? fine.lastShare[a] / 2 : (1 + fine.lastShare[a]) / 2;
    }
    return any;
}

/// Indices and weights of the fine rows that a coarse row is made of: half of the transpose of linear interpolation.
struct RowShares {
    std::int64_t index[4] = {};
    float weight[4] = {};
    int count = 0;
    void add(std::int64_t i, std::int64_t extent, float w) {
        if (i < 0 || i >= extent) return;
        index[count] = i;
        weight[count++] = w;
    }
};
RowShares finerRows(std::int64_t coarse, std::int64_t extent, bool halved, float outer) {
    RowShares s;
    if (!halved) {
        s.add(coarse, extent, 1);
        return s;
    }
    const std::int64_t i = 2 * coarse;
    s.add(i - 1, extent, 0.125F);
    s.add(i, extent, i == 0 ? outer / 2 : 0.375F);
    s.add(i + 1, extent, i + 2 == extent ? outer / 2 : 0.375F);
    s.add(i + 2, extent, 0.125F);
    return s;
}
RowShares coarserRows(std::int64_t fine, std::int64_t extent, bool halved, float outer) {
    RowShares s;
    if (!halved) {
        s.add(fine, extent, 1);
        return s;
    }
    const std::int64_t cells = (extent + 1) / 2, i = fine / 2, j = fine % 2 == 0 ? i - 1 : i + 1;
    const bool single = j < 0 || j >= cells;
    s.add(i, cells, single ? outer : 0.75F);
    if (!single) s.add(j, cells, 0.25F);
    return s;
}

class GridMultigrid final : public Preconditioner {
public:
    GridMultigrid(const Stencil& stencil, const GridPart& part, LapClock& clock) : clock_(clock) {
        addLevel(GridRows(stencil), part.withReach(kReach));
        if (levels_[0].isGathered()) levels_[0].makeArrays();
        while (levels_.back().shape.pixels() > kCoarsest) {
            GridRows coarse;
            if (!coarsened(levels_.back(), coarse)) break;
            for (int a = 0; a < 3; ++a) levels_.back().halved[a] = axisExtent(coarse.shape, a) != axisExtent(levels_.back().shape, a);
            const Level& fine = levels_.back();
            addLevel(coarse, fine.part.coarser(coarse.shape, fine.halved[coarse.isVolume ? 2 : 1], kReach));
            Level& above = levels_[levels_.size() - 2];
            above.r = makeArray<float>(above.part.keptSamples());
            levels_.back().makeArrays();
        }
        products_.resize(static_cast<std::size_t>(levels_[0].part.rows()));
        coarsest_ = DenseInverse(denseMatrix(levels_.back()), static_cast<std::size_t>(levels_.back().shape.pixels()), isSingular(stencil));
        laps_ = addCycleLaps(clock, levels_.size());
    }

    std::int64_t reach() const override { return kReach; }

    double apply(const RunContext& context, float* f, float* z) override {
        Level& finest = levels_[0];
        if (!finest.isGathered()) {
            cycle(context, 0, f, z);
            return product(f, z);
        }
        const GridPart kept = finest.share;
        kept.gather(f + kept.samplesBefore(), finest.f.get(), kEveryRank);
        cycle(context, 0, finest.f.get(), finest.u.get());
        std::copy_n(finest.u.get() + kept.origin(), kept.keptSamples(), z);
        return product(finest.f.get(), finest.u.get());
    }

private:
    void addLevel(const GridRows& rows, const GridPart& part) {
        Level& level = levels_.emplace_back(part);
        static_cast<GridRows&>(level) = rows;
        if (part.communicator() && rows.shape.pixels() <= kGathered) level.gather();
    }

    double product(const float* f, const float* z) const {
        if (levels_.size() == 1) return dot(f, z, levels_[0].shape.pixels());
        return levels_[0].part.sum(products_);
    }

    static std::vector<double> denseMatrix(const Level& level) {
        const auto n = static_cast<std::size_t>(level.shape.pixels());
        std::vector<double> a(n * n), unit(n, 0), zero(n, 0), column(n);
        for (std::size_t j = 0; j < n; ++j) {
            unit[j] = 1;
            for (std::int64_t line = 0; line < level.lines(); ++line) {
                const RowCoefficients k = level.coefficients(line);
                const RowNeighbours<double> rows = level.neighbours(unit.data(), line);
                double* const r = column.data() + line * level.shape.width;
                std::fill_n(r, level.shape.width, 0.0);
                (void)updateSolution(rows, k, {.alpha = -1, .u = zero.data() + line * level.shape.width, .r = r}, level.shape.width);
            }
            for (std::size_t i = 0; i < n; ++i) a[i * n + j] = column[i];
            unit[j] = 0;
        }
        return a;
    }

    /// `f`, `u`: of the rows that the part keeps of the level.
    void cycle(const RunContext& context, std::size_t l, float* f, float* u) {
        Level& fine = levels_[l];
        if (l + 1 == levels_.size()) {
            coarsest_.apply(f, u);
            return clock_.lap(laps_[l]);
        }
        Level& coarse = levels_[l + 1];
        fine.part.exchange(f);
        // Samples are addressed by their index in the grid.
        f -= fine.part.origin();
        u -= fine.part.origin();
        float* const r = fine.r.get() - fine.part.origin();
        const std::int64_t width = fine.shape.width;
        // A unit is a row of an image, a slice of a volume.
        const bool isVolume = fine.isVolume;
        const int axis = isVolume ? 2 : 1;
        const std::int64_t rows = fine.part.unitRows(), units = fine.part.allRows() / rows, first = fine.part.firstKept() / rows,
                           kept = fine.part.endKept() / rows - first;
        const auto isWithin = [own = PartRange{fine.part.first() / rows, fine.part.end() / rows}](std::int64_t unit, std::int64_t before,
                                                                                                  std::int64_t after) {
            return unit >= own.first - before && unit < own.last + after;
        };
        const auto forRows = [&](std::int64_t unit, auto&& body) {
            for (std::int64_t line = unit * rows; line < (unit + 1) * rows; ++line) body(line, line * width);
        };
        const auto parity = [&](std::int64_t line, int colour) {
            return static_cast<int>((line % fine.shape.height + line / fine.shape.height + colour) % 2);
        };
        const auto relaxUnit = [&](std::int64_t unit, int colour) {
            forRows(unit, [&](std::int64_t line, std::int64_t at) {
                relax(u + at, fine.neighbours(static_cast<const float*>(u), line), f + at, fine.coefficients(line), parity(line, colour),
                      width);
            });
        };
        runStages<4>(context, kept, rows * width, {0, 1, 2, 4}, [&](int stage, std::int64_t keptUnit) {
            const std::int64_t unit = first + keptUnit;
            if (stage == 0) {
                forRows(unit, [&](std::int64_t line, std::int64_t at) {
                    relaxFromZero(u + at, f + at, fine.coefficients(line), parity(line, 0), width);
                });
            } else if (stage == 1) {
                if (isWithin(unit, kBlackReach, kBlackReach)) relaxUnit(unit, 1);
            } else if (stage == 2) {
                if (!isWithin(unit, kResidualBefore, kResidualAfter)) return;
                forRows(unit, [&](std::int64_t line, std::int64_t at) {
                    residual(fine.neighbours(static_cast<const float*>(u), line), fine.coefficients(line), f + at, r + at, width);
                });
            } else if (!fine.halved[axis]) {
                restrictUnit(fine, coarse, unit);
            } else if (unit % 2 == 1 || unit + 1 == units) {
                restrictUnit(fine, coarse, unit / 2);
            }
        });
        if (coarse.isGathered()) {
            const std::vector<float> own(coarse.f.get() + coarse.share.first() * coarse.shape.width,
                                         coarse.f.get() + coarse.share.end() * coarse.shape.width);
            coarse.share.gather(own.data(), coarse.f.get(), kEveryRank);
        }
        clock_.lap(laps_[l]);
        cycle(context, l + 1, coarse.f.get(), coarse.u.get());
        coarse.part.exchange(coarse.u.get());
        runStages<3>(context, kept, rows * width, {0, 1, 2}, [&](int stage, std::int64_t keptUnit) {
            const std::int64_t unit = first + keptUnit;
            constexpr std::int64_t kReaches[] = {kProlongedReach, kSecondBlackReach, kSecondRedReach};
            if (!isWithin(unit, kReaches[stage], kReaches[stage])) return;
            if (stage == 0) forRows(unit, [&](std::int64_t line, std::int64_t at) { prolong(fine, coarse, line, u + at); });
            else relaxUnit(unit, stage == 1 ? 1 : 0);
            if (stage == 2 && l == 0 && isWithin(unit, 0, 0))
                forRows(unit, [&](std::int64_t line, std::int64_t at) {
                    products_[static_cast<std::size_t>(line - fine.part.first())] = dot(f + at, static_cast<const float*>(u) + at, width);
                });
        });
        clock_.lap(laps_[l]);
    }

    /// The coarse rows of one unit of the coarse grid, if the rank has it.
    static void restrictUnit(const Level& fine, const Level& coarse, std::int64_t unit) {
        const std::int64_t first = fine.isVolume ? unit * coarse.shape.height : unit, count = fine.isVolume ? coarse.shape.height : 1;
        if (first < coarse.share.first() || first >= coarse.share.end()) return;
        const float* const r = fine.r.get() - fine.part.origin();
        std::vector<float> scratch(fine.halved[0] ? static_cast<std::size_t>(fine.shape.width) : 0);
        for (std::int64_t line = first; line < first + count; ++line) {
            const RowShares ys = finerRows(line % coarse.shape.height, fine.shape.height, fine.halved[1], fine.outerShare(1));
            const RowShares zs = finerRows(line / coarse.shape.height, fine.shape.depth, fine.halved[2], fine.outerShare(2));
            const float* rows[16];
            float weights[16];
            int n = 0;
            for (int i = 0; i < zs.count; ++i)
                for (int j = 0; j < ys.count; ++j) {
                    rows[n] = r + (zs.index[i] * fine.shape.height + ys.index[j]) * fine.shape.width;
                    weights[n++] = zs.weight[i] * ys.weight[j];
                }
            float* const to = coarse.f.get() + line * coarse.shape.width - coarse.part.origin();
            combineRows(fine.halved[0] ? scratch.data() : to, rows, weights, n, fine.shape.width);
            if (fine.halved[0]) halveRow(to, scratch.data(), fine.outerShare(0), fine.shape.width);
        }
    }

    static void prolong(const Level& fine, const Level& coarse, std::int64_t line, float* to) {
        const RowShares ys = coarserRows(line % fine.shape.height, fine.shape.height, fine.halved[1], fine.outerShare(1));
        const RowShares zs = coarserRows(line / fine.shape.height, fine.shape.depth, fine.halved[2], fine.outerShare(2));
        thread_local std::vector<float> scratch;
        scratch.resize(static_cast<std::size_t>(coarse.shape.width));
        const float* rows[4];
        float weights[4];
        int n = 0;
        for (int i = 0; i < zs.count; ++i)
            for (int j = 0; j < ys.count; ++j) {
                rows[n] = coarse.u.get() + (zs.index[i] * coarse.shape.height + ys.index[j]) * coarse.shape.width - coarse.part.origin();
                weights[n++] = zs.weight[i] * ys.weight[j];
            }
        combineRows(scratch.data(), rows, weights, n, coarse.shape.width);
        if (fine.halved[0]) expandRow(to, scratch.data(), fine.outerShare(0), fine.shape.width);
        else addRow(to, scratch.data(), fine.shape.width);
    }

    LapClock& clock_;
    std::vector<std::size_t> laps_;  // of each level
    std::vector<Level> levels_;
    std::vector<double> products_;  ///< f.z of each row of the finest grid
    DenseInverse coarsest_;
};

}  // namespace

std::unique_ptr<Preconditioner> makeGridMultigrid(const Stencil& stencil, const GridPart& part, LapClock& clock) {
    return std::make_unique<GridMultigrid>(stencil, part, clock);
}

std::uint64_t gridMultigridBytes(const Shape& shape) {
    // The residual of the finest grid, and three arrays of each coarser one, of which each is at most a half of the one before.
    const auto n = static_cast<std::uint64_t>(shape.pixels());
    return sizeof(float) * (n + (shape.depth > 1 ? n / 2 : n));
}

}  // namespace parallax::solvers
