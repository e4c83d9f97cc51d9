// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothed aggregation: Vanek, Mandel, Brezina, "Algebraic multigrid by smoothed aggregation for second and fourth order elliptic
// problems", Computing 56, 1996.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/backends/openmp/parallel.hpp"
#include "core/image/error.hpp"
#include "core/image/host/host_vector.hpp"
#include "core/solvers/openmp/dense_inverse.hpp"
#include "core/solvers/openmp/ghost_rows.hpp"
#include "core/solvers/openmp/kernels.hpp"
#include "core/solvers/openmp/preconditioner.hpp"
#include "core/solvers/openmp/sparse_matrix.hpp"

namespace parallax::solvers {
namespace {

constexpr std::size_t kCoarsest = 64;  ///< unknowns that are solved directly
constexpr double kStrong = 0.08;       ///< |a_ij| >= kStrong * 2^-level * sqrt(a_ii a_jj)
/// Levels of at most so many unknowns of all parts are not divided: every part computes them itself, since the exchanges of a level take as
/// long as some thousand unknowns.
constexpr std::int64_t kGathered = 4096;
constexpr double kSmallestShare = 1.0 / 4;  ///< eigenvalues of D^-1 A from this share of the largest on are left to the smoother

/// `strong`: see kStrong.
bool isStrong(float value, float ofRow, float ofColumn, double strong) {
    return std::fabs(static_cast<double>(value)) >= strong * std::sqrt(static_cast<double>(ofRow) * static_cast<double>(ofColumn));
}

constexpr std::int32_t kAlone = -1, kOpen = -2;
/// Stands for kAlone where aggregates of parts before have negative numbers.
constexpr std::int32_t kAloneOfGhosts = std::numeric_limits<std::int32_t>::min();

/// Index of the aggregate of each unknown; kAlone for those that the smoother solves, since they are coupled strongly to none. Aggregates
/// are those of unknowns of one part; one whose strong couplings lead to other parts is an aggregate of its own. `d`: diagonal, from the
/// first own unknown on, with ghosts.
HostVector<std::int32_t> aggregatesOf(const Matrix& a, const float* d, double strong, const RunContext& context, std::size_t& count) {
    HostVector<std::int32_t> of(a.rows, kOpen);
    const auto forStrong = [&](std::size_t i, auto&& body) {
        a.forRow(i, [&](std::int32_t j, float value) {
            if (j != static_cast<std::int32_t>(i) && a.isOwn(j) && isStrong(value, d[i], d[j], strong))
                body(static_cast<std::size_t>(j), std::fabs(value));
        });
    };
    const auto hasStrongGhost = [&](std::size_t i) {
        bool any = false;
        a.forRow(i, [&](std::int32_t j, float value) { any = any || (!a.isOwn(j) && isStrong(value, d[i], d[j], strong)); });
        return any;
    };
    std::int32_t next = 0;
    // Unknowns whose strong neighbours are all free become aggregates with them.
    forRowsInTurn(context, a.rows, [&](std::size_t i) {
        if (of[i] != kOpen) return;
        bool free = true, any = hasStrongGhost(i);
        forStrong(i, [&](std::size_t j, float) {
            any = true;
            free = free && of[j] == kOpen;
        });
        if (!any) of[i] = kAlone;
        if (!any || !free) return;
        of[i] = next;
        forStrong(i, [&](std::size_t j, float) { of[j] = next; });
        ++next;
    });
    // Others join that of their strongest neighbour, as it was before.
    HostVector<std::int32_t> joined = of;
    forRowsInTurn(context, a.rows, [&](std::size_t i) {
        if (of[i] != kOpen) return;
        float strongest = 0;
        forStrong(i, [&](std::size_t j, float weight) {
            if (of[j] < 0 || weight <= strongest) return;
            strongest = weight;
            joined[i] = of[j];
        });
    });
    // The rest has free neighbours only.
    forRowsInTurn(context, a.rows, [&](std::size_t i) {
        if (joined[i] != kOpen) return;
        joined[i] = next;
        forStrong(i, [&](std::size_t j, float) {
            if (joined[j] == kOpen) joined[j] = next;
        });
        ++next;
    });
    count = static_cast<std::size_t>(next);
    return joined;
}

struct Level {
    Level(GhostRows of, Matrix matrix) : unknowns(std::move(of)), a(std::move(matrix)) {}
    GhostRows unknowns;
    Matrix a, prolongation, restriction;
    HostVector<float> inverse;  ///< of the diagonal
    float largest = 2;          ///< bound of the eigenvalues of D^-1 A
    HostVector<float> r, d;
    HostVector<float> keptF, keptU;  ///< with ghosts
    float* f() { return keptF.data() + unknowns.before(); }
    float* u() { return keptU.data() + unknowns.before(); }
};

/// Gershgorin's bound of the eigenvalues of D^-1 A.
float largestEigenvalue(const Matrix& a, const HostVector<float>& inverse, const RunContext& context) {
    float largest = 1;
    forRowsInTurn(context, a.rows, [&](std::size_t i) {
        float sum = 0;
        for (auto k = static_cast<std::size_t>(a.begin[i]); k < static_cast<std::size_t>(a.begin[i + 1]); ++k) sum += std::fabs(a.value[k]);
        largest = std::max(largest, sum * inverse[i]);
    });
    return largest;
}

/// (I - 4 / (3 largest) D^-1 A') on the aggregates. A' is A with weak couplings added to the diagonal: with these, coarser matrices would
/// become dense. `d`, `aggregates`: from the first own unknown on, with ghosts; aggregates count from the first own one, of `count`.
Matrix prolongationOf(const Level& level, const float* d, double strong, const std::int32_t* aggregates, std::size_t count,
                      const RunContext& context) {
    Matrix p;
    p.rows = level.a.rows;
    p.columns = count;
    p.begin.reserve(p.rows + 1);
    p.begin.push_back(0);
    std::int32_t first = 0, last = static_cast<std::int32_t>(count);
    for (std::int64_t i = -level.unknowns.before(); i < level.unknowns.own() + level.unknowns.after(); ++i) {
        if (aggregates[i] == kAloneOfGhosts) continue;
        first = std::min(first, aggregates[i]);
        last = std::max(last, aggregates[i] + 1);
    }
    RowAccumulator row(static_cast<std::size_t>(last - first), -first);
    const float omega = 4.0F / (3.0F * level.largest);
    forRowsInTurn(context, p.rows, [&](std::size_t i) {
        double diagonal = 0;
        const auto own = static_cast<std::int32_t>(i);
        const auto forCouplings = [&](bool ofStrong, auto&& body) {
            level.a.forRow(i, [&](std::int32_t j, float value) {
                if (j != own && isStrong(value, d[i], d[j], strong) == ofStrong) body(j, value);
                if (j == own && !ofStrong) body(j, value);
            });
        };
        forCouplings(false, [&](std::int32_t, float value) { diagonal += static_cast<double>(value); });
        if (!(diagonal > 0)) diagonal = static_cast<double>(d[i]);
        if (aggregates[i] != kAloneOfGhosts) row.add(aggregates[i], 1 - omega);
        forCouplings(true, [&](std::int32_t j, float value) {
            if (aggregates[j] != kAloneOfGhosts) row.add(aggregates[j], -omega * value / static_cast<float>(diagonal));
        });
        row.finishRow(p);
    });
    p.fit();
    return p;
}

class AggregationMultigrid final : public Preconditioner {
public:
    /// `communicator`: null for one part. `firstLevel`, `strong`: number and smallest strong coupling of the finest level.
    AggregationMultigrid(Matrix finest, GhostRows unknowns, Communicator* communicator, bool singular, const RunContext& context,
                         LapClock& clock, std::size_t firstLevel = 0, double strong = kStrong)
        : singular_(singular), communicator_(communicator), clock_(clock) {
        levels_.emplace_back(std::move(unknowns), std::move(finest));
        bool isGathered = false;
        for (;; strong /= 2) {
            Level& fine = levels_.back();
            isGathered = communicator_ && fine.unknowns.all() <= kGathered;
            if (levels_.size() > 1) {
                for (HostVector<float>* v : {&fine.keptF, &fine.keptU}) v->resize(static_cast<std::size_t>(fine.unknowns.kept()));
            }
            if (isGathered || !addCoarser(strong, context)) break;
        }
        laps_ = addCycleLaps(clock, levels_.size() - (isGathered ? 1 : 0), firstLevel);
        if (isGathered) {
            Level& last = levels_.back();
            last.d.resize(static_cast<std::size_t>(last.unknowns.all()));
            last.r.resize(last.d.size());
            gathered_ = std::make_unique<AggregationMultigrid>(last.unknowns.gather(last.a), GhostRows(last.unknowns.all()), nullptr,
                                                               singular_, context, clock, firstLevel + laps_.size(), strong);
        }
        product_ = clock.add(kLapProduct);
        const Matrix& last = levels_.back().a;
        if (gathered_ || last.rows > kCoarsest || communicator_) return;
        std::vector<double> dense(last.rows * last.rows, 0);
        for (std::size_t i = 0; i < last.rows; ++i)
            last.forRow(i, [&](std::int32_t column, float value) {
                dense[i * last.rows + static_cast<std::size_t>(column)] += static_cast<double>(value);
            });
        coarsest_ = DenseInverse(std::move(dense), last.rows, singular_);
        direct_ = true;
    }

    double apply(const RunContext& context, float* f, float* z) override {
        // Behind the ghosts.
        f += levels_[0].unknowns.before();
        z += levels_[0].unknowns.before();
        cycle(context, 0, f, z);
        levels_[0].unknowns.exchange(z);
        constexpr std::size_t kBlock = 16384;
        const std::size_t rows = levels_[0].a.rows;
        std::vector<double> products((rows + kBlock - 1) / kBlock);
        parallelTasks(context, static_cast<std::int64_t>(products.size()), static_cast<int>(products.size()), [&](std::int64_t i, int) {
            const std::size_t first = static_cast<std::size_t>(i) * kBlock;
            products[static_cast<std::size_t>(i)] = dot(static_cast<const float*>(f) + first, static_cast<const float*>(z) + first,
                                                        static_cast<std::int64_t>(std::min(kBlock, rows - first)));
        });
        double product[] = {std::accumulate(products.begin(), products.end(), 0.0)};
        if (communicator_) communicator_->allReduce(product, Reduce::sum);
        clock_.lap(product_);
        return product[0];
    }

private:
    /// Prepares the smoother of the last level, and adds a coarser one; returns false if that level is the coarsest.
    bool addCoarser(double strong, const RunContext& context) {
        Level& fine = levels_.back();
        const HostVector<float> diagonal = diagonalOf(fine.a, context);
        fine.inverse.resize(fine.a.rows);
        for (std::size_t i = 0; i < fine.a.rows; ++i) fine.inverse[i] = 1 / diagonal[i];
        double largest[] = {static_cast<double>(largestEigenvalue(fine.a, fine.inverse, context))};
        if (communicator_) communicator_->allReduce(largest, Reduce::maximum);
        fine.largest = static_cast<float>(largest[0]);
        for (HostVector<float>* v : {&fine.r, &fine.d}) v->resize(fine.a.rows);
        if (fine.a.rows <= kCoarsest && !communicator_) return false;
        std::size_t count = 0;
        const HostVector<float> d = withGhosts(fine.unknowns, diagonal);
        const HostVector<std::int32_t> aggregates = aggregatesOf(fine.a, d.data() + fine.unknowns.before(), strong, context, count);
        const auto own = static_cast<std::int64_t>(count);
        const Partition owners = communicator_ ? placesOf(*communicator_, count) : Partition(own, 1);
        if (owners.units() == 0 || owners.units() * 10 > fine.unknowns.all() * 9) return false;
        const std::int64_t first = owners[communicator_ ? communicator_->rank() : 0].first;
        if (owners.units() > std::numeric_limits<std::int32_t>::max())
            throw Error(ErrorCode::memory, "The image is too large for 'multigrid'", "it needs 2^31 aggregates or more",
                        "Choose the variant 'cg'");
        // Among the aggregates of all parts, then from the first own one on.
        HostVector<std::int32_t> numbers = aggregates;
        for (std::int32_t& number : numbers) number = number < 0 ? kAlone : static_cast<std::int32_t>(first + number);
        numbers = withGhosts(fine.unknowns, numbers);
        for (std::int32_t& number : numbers) number = number < 0 ? kAloneOfGhosts : static_cast<std::int32_t>(number - first);
        Matrix prolongation =
            prolongationOf(fine, d.data() + fine.unknowns.before(), strong, numbers.data() + fine.unknowns.before(), count, context);
        if (!communicator_) {
            fine.restriction = transposed(prolongation, {}, context);
            Matrix coarse = tripleProduct(fine.restriction, fine.a, prolongation, 0, context);
            fine.prolongation = std::move(prolongation);
            levels_.emplace_back(GhostRows(own), std::move(coarse));
            return true;
        }
        const ColumnRange range = columnRange(prolongation);
        const Matrix product = tripleProduct(transposed(prolongation, range, context), fine.a,
                                             fine.unknowns.withGhostRows(prolongation, first), fine.unknowns.before(), context);
        Matrix coarse = addedToOwners(*communicator_, owners, product, range.before);
        std::vector<std::int64_t> ghosts;
        for (const Matrix* m : {&prolongation, &coarse})
            for (const std::int32_t c : m->column)
                if (!m->isOwn(c)) ghosts.push_back(first + c);
        std::sort(ghosts.begin(), ghosts.end());
        ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
        GhostRows unknowns(*communicator_, owners, std::move(ghosts));
        for (Matrix* m : {&prolongation, &coarse}) unknowns.renumber(m->column);
        fine.restriction = transposed(prolongation, {unknowns.before(), unknowns.after()}, context);
        fine.prolongation = std::move(prolongation);
        levels_.emplace_back(std::move(unknowns), std::move(coarse));
        return true;
    }

    /// Values of the own unknowns, with those of the ghosts.
    template <class T>
    static HostVector<T> withGhosts(const GhostRows& unknowns, const HostVector<T>& own) {
        HostVector<T> all(static_cast<std::size_t>(unknowns.kept()));
        std::copy(own.begin(), own.end(), all.begin() + unknowns.before());
        unknowns.exchange(all.data() + unknowns.before());
        return all;
    }

    /// Two steps of Chebyshev iteration for the upper part of the spectrum; from u = 0 if `zero`.
    static void smooth(const RunContext& context, Level& level, const float* f, float* u, bool zero) {
        const float largest = 1.0F * level.largest, smallest = largest * static_cast<float>(kSmallestShare);
        const float centre = (largest + smallest) / 2, half = (largest - smallest) / 2;
        const float rho = half / centre, rho2 = 1 / (2 / rho - rho);
        float* const d = level.d.data();
        float* const r = level.r.data();
        if (!zero) level.unknowns.exchange(u);
        forRows(context, level.a.rows,
                [&](std::size_t i) { d[i] = level.inverse[i] * (f[i] - (zero ? 0 : rowTimes(level.a, i, u))) / centre; });
        forRows(context, level.a.rows, [&](std::size_t i) { u[i] = (zero ? 0 : u[i]) + d[i]; });
        level.unknowns.exchange(u);
        forRows(context, level.a.rows,
                [&](std::size_t i) { r[i] = rho2 * rho * d[i] + 2 * rho2 / half * level.inverse[i] * (f[i] - rowTimes(level.a, i, u)); });
        forRows(context, level.a.rows, [&](std::size_t i) { u[i] += r[i]; });
    }

    /// `f`, `u`: from the first own unknown on.
    void cycle(const RunContext& context, std::size_t l, const float* f, float* u) {
        Level& level = levels_[l];
        if (gathered_ && l + 1 == levels_.size()) {
            level.unknowns.gather(f, level.r.data());
            gathered_->cycle(context, 0, level.r.data(), level.d.data());
            for (std::int64_t i = 0; i < level.unknowns.own(); ++i) u[i] = level.d[static_cast<std::size_t>(level.unknowns.numberOf(i))];
            return;
        }
        if (l + 1 == levels_.size()) {
            if (direct_) {
                coarsest_.apply(f, u);
            } else {
                smooth(context, level, f, u, true);
                for (int i = 0; i < 4; ++i) smooth(context, level, f, u, false);
            }
            return clock_.lap(laps_[l]);
        }
        smooth(context, level, f, u, true);
        level.unknowns.exchange(u);
        float* const r = level.r.data();
        forRows(context, level.a.rows, [&](std::size_t i) { r[i] = f[i] - rowTimes(level.a, i, u); });
        Level& coarse = levels_[l + 1];
        forRows(context, level.restriction.rows, [&](std::size_t i) { coarse.keptF[i] = rowTimes(level.restriction, i, r); });
        coarse.unknowns.addToOwners(coarse.f());
        clock_.lap(laps_[l]);
        cycle(context, l + 1, coarse.f(), coarse.u());
        coarse.unknowns.exchange(coarse.u());
        forRows(context, level.a.rows, [&](std::size_t i) { u[i] += rowTimes(level.prolongation, i, coarse.u()); });
        smooth(context, level, f, u, false);
        clock_.lap(laps_[l]);
    }

    bool singular_;
    bool direct_ = false;
    Communicator* communicator_;  // null: there is one part
    LapClock& clock_;
    std::vector<std::size_t> laps_;  // of each level
    std::size_t product_ = 0;
    std::vector<Level> levels_;
    DenseInverse coarsest_;
    std::unique_ptr<AggregationMultigrid> gathered_;  // the last level and coarser ones, on parts
};

}  // namespace

std::unique_ptr<Preconditioner> makeAggregationMultigrid(const Stencil& stencil, const GridPart& part, const RunContext& context,
                                                         LapClock& clock) {
    if (part.keptSamples() >= std::int64_t{1} << 31)
        throw Error(ErrorCode::memory, "The image is too large for 'multigrid'", "it has 2^31 pixels or more", "Choose the variant 'cg'");
    GhostRows unknowns(part.samples());
    if (part.communicator()) {
        std::vector<std::int64_t> ghosts;
        const std::int64_t width = part.width();
        for (std::int64_t i = part.origin(); i < part.first() * width; ++i) ghosts.push_back(i);
        for (std::int64_t i = part.end() * width; i < part.endKept() * width; ++i) ghosts.push_back(i);
        unknowns =
            GhostRows(*part.communicator(), placesOf(*part.communicator(), static_cast<std::size_t>(part.samples())), std::move(ghosts));
    }
    return std::make_unique<AggregationMultigrid>(matrixOf(stencil, part, context), std::move(unknowns), part.communicator(),
                                                  isSingular(stencil), context, clock);
}

std::unique_ptr<Preconditioner> makeAggregationMultigrid(const CompactSystem& system, const GhostRows& unknowns, Communicator* communicator,
                                                         const RunContext& context, LapClock& clock) {
    return std::make_unique<AggregationMultigrid>(matrixOf(system, context), unknowns, communicator, false, context, clock);
}

std::uint64_t aggregationMultigridBytes(const Shape& shape) {
    return static_cast<std::uint64_t>(shape.pixels()) * (shape.depth > 1 ? 200 : 170);
}

}  // namespace parallax::solvers
