// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothed aggregation: Vanek, Mandel, Brezina, "Algebraic multigrid by smoothed aggregation for second and fourth order elliptic
// problems", Computing 56, 1996.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/backends/openmp/parallel.hpp"
#include "core/image/error.hpp"
#include "core/solvers/openmp/dense_inverse.hpp"
#include "core/solvers/openmp/kernels.hpp"
#include "core/solvers/openmp/preconditioner.hpp"

namespace parallax::solvers {
namespace {

constexpr std::size_t kCoarsest = 64;       ///< unknowns that are solved directly
constexpr double kStrong = 0.08;            ///< |a_ij| >= kStrong * 2^-level * sqrt(a_ii a_jj)
constexpr double kSmallestShare = 1.0 / 4;  ///< eigenvalues of D^-1 A from this share of the largest on are left to the smoother

/// Compressed rows.
struct Matrix {
    std::size_t rows = 0, columns = 0;
    std::vector<std::int64_t> begin;  ///< rows + 1
    std::vector<std::int32_t> column;
    std::vector<float> value;
    void fit() {
        column.shrink_to_fit();
        value.shrink_to_fit();
    }
};

template <class F>
void forRows(const RunContext& context, std::size_t rows, const F& body) {
    constexpr std::size_t kRows = 4096;  // of a task
    // Few rows are not worth a second thread.
    const auto tasks = static_cast<std::int64_t>((rows + kRows - 1) / kRows);
    parallelTasks(context, tasks, static_cast<int>(std::min<std::int64_t>((tasks + 1) / 2, 1 << 16)), [&](std::int64_t task, int) {
        const std::size_t first = static_cast<std::size_t>(task) * kRows;
        for (std::size_t i = first; i < std::min(rows, first + kRows); ++i) body(i);
    });
}

/// Calls body(row) for all rows in their order. Throws Error(cancelled).
template <class F>
void forRowsInTurn(const RunContext& context, std::size_t rows, const F& body) {
    constexpr std::size_t kRows = 4096;  // between two looks at the stop token
    for (std::size_t first = 0; first < rows; first += kRows) {
        context.throwIfStopped();
        for (std::size_t i = first; i < std::min(rows, first + kRows); ++i) body(i);
    }
}

float rowTimes(const Matrix& a, std::size_t i, const float* x) {
    float sum = 0;
    for (auto k = static_cast<std::size_t>(a.begin[i]); k < static_cast<std::size_t>(a.begin[i + 1]); ++k)
        sum += a.value[k] * x[a.column[k]];
    return sum;
}

/// The rows of the system; those of fixed samples are 1.
Matrix matrixOf(const Stencil& s, const RunContext& context) {
    Matrix a;
    a.rows = a.columns = static_cast<std::size_t>(s.shape.pixels());
    a.begin.reserve(a.rows + 1);
    const std::size_t most = a.rows * (s.shape.depth > 1 ? 7 : 5);
    a.column.reserve(most);
    a.value.reserve(most);
    a.begin.push_back(0);
    for (std::int64_t z = 0; z < s.shape.depth; ++z)
        for (std::int64_t y = 0; y < s.shape.height; ++y) {
            context.throwIfStopped();
            for (std::int64_t x = 0; x < s.shape.width; ++x) {
                const std::int64_t i = x + s.shape.width * (y + s.shape.height * z);
                const bool fixed = s.fixed && s.fixed[i];
                double diagonal = 1;
                if (!fixed)
                    diagonal = visitRow(s, x, y, z, [&](std::int64_t j, double w) {
                        if (w == 0 || (s.fixed && s.fixed[j])) return;
                        a.column.push_back(static_cast<std::int32_t>(j));
                        a.value.push_back(static_cast<float>(-w));
                    });
                a.column.push_back(static_cast<std::int32_t>(i));
                a.value.push_back(static_cast<float>(diagonal));
                a.begin.push_back(static_cast<std::int64_t>(a.column.size()));
            }
        }
    a.fit();
    return a;
}

/// The rows of a compact system.
Matrix matrixOf(const CompactSystem& s, const RunContext& context) {
    Matrix a;
    a.rows = a.columns = static_cast<std::size_t>(s.count());
    a.begin.reserve(a.rows + 1);
    const auto directions = static_cast<std::size_t>(s.directions());
    a.column.reserve(a.rows * (directions + 1));
    a.value.reserve(a.rows * (directions + 1));
    a.begin.push_back(0);
    forRowsInTurn(context, a.rows, [&](std::size_t i) {
        for (std::size_t d = 0; d < directions; ++d) {
            const std::int32_t j = s.neighbours[i * directions + d];
            if (j == s.count()) continue;
            a.column.push_back(j);
            a.value.push_back(static_cast<float>(-s.weights[d / 2]));
        }
        a.column.push_back(static_cast<std::int32_t>(i));
        a.value.push_back(static_cast<float>(s.diagonal[i]));
        a.begin.push_back(static_cast<std::int64_t>(a.column.size()));
    });
    a.fit();
    return a;
}

std::vector<float> diagonalOf(const Matrix& a, const RunContext& context) {
    std::vector<float> d(a.rows, 1);
    forRowsInTurn(context, a.rows, [&](std::size_t i) {
        for (auto k = static_cast<std::size_t>(a.begin[i]); k < static_cast<std::size_t>(a.begin[i + 1]); ++k)
            if (static_cast<std::size_t>(a.column[k]) == i && a.value[k] > 0) d[i] = a.value[k];
    });
    return d;
}

/// `strong`: see kStrong.
bool isStrong(float value, float ofRow, float ofColumn, double strong) {
    return std::fabs(static_cast<double>(value)) >= strong * std::sqrt(static_cast<double>(ofRow) * static_cast<double>(ofColumn));
}

constexpr std::int32_t kAlone = -1, kOpen = -2;

/// Index of the aggregate of each unknown; kAlone for those that the smoother solves, since they are coupled strongly to none.
std::vector<std::int32_t> aggregatesOf(const Matrix& a, const std::vector<float>& d, double strong, const RunContext& context,
                                       std::size_t& count) {
    std::vector<std::int32_t> of(a.rows, kOpen);
    const auto forStrong = [&](std::size_t i, auto&& body) {
        for (auto k = static_cast<std::size_t>(a.begin[i]); k < static_cast<std::size_t>(a.begin[i + 1]); ++k) {
            const auto j = static_cast<std::size_t>(a.column[k]);
            if (j != i && isStrong(a.value[k], d[i], d[j], strong)) body(j, std::fabs(a.value[k]));
        }
    };
    std::int32_t next = 0;
    // Unknowns whose strong neighbours are all free become aggregates with them.
    forRowsInTurn(context, a.rows, [&](std::size_t i) {
        if (of[i] != kOpen) return;
        bool free = true, any = false;
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
    std::vector<std::int32_t> joined = of;
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

/// Sums of entries by column, one row at a time.
class RowAccumulator {
public:
    explicit RowAccumulator(std::size_t columns) : sum_(columns, 0), used_(columns, 0) {}
    void add(std::int32_t column, float value) {
        const auto c = static_cast<std::size_t>(column);
        if (!used_[c]) {
            used_[c] = 1;
            columns_.push_back(column);
        }
        sum_[c] += value;
    }
    void finishRow(Matrix& to) {
        for (const std::int32_t column : columns_) {
            const auto c = static_cast<std::size_t>(column);
            to.column.push_back(column);
            to.value.push_back(sum_[c]);
            sum_[c] = 0;
            used_[c] = 0;
        }
        columns_.clear();
        to.begin.push_back(static_cast<std::int64_t>(to.column.size()));
    }

private:
    std::vector<float> sum_;
    std::vector<std::uint8_t> used_;
    std::vector<std::int32_t> columns_;
};

/// r a p. The product of a row of r and a is not kept: computing parts of it again costs little and saves memory.
Matrix tripleProduct(const Matrix& r, const Matrix& a, const Matrix& p, const RunContext& context) {
    Matrix c;
    c.rows = c.columns = r.rows;
    c.begin.reserve(c.rows + 1);
    c.begin.push_back(0);
    RowAccumulator row(c.columns);
    const auto forRow = [](const Matrix& m, std::size_t i, auto&& body) {
        for (auto k = static_cast<std::size_t>(m.begin[i]); k < static_cast<std::size_t>(m.begin[i + 1]); ++k)
            body(m.column[k], m.value[k]);
    };
    forRowsInTurn(context, c.rows, [&](std::size_t i) {
        forRow(r, i, [&](std::int32_t k, float rk) {
            forRow(a, static_cast<std::size_t>(k), [&](std::int32_t j, float akj) {
                forRow(p, static_cast<std::size_t>(j), [&](std::int32_t l, float pjl) { row.add(l, rk * akj * pjl); });
            });
        });
        row.finishRow(c);
    });
    c.fit();
    return c;
}

Matrix transposed(const Matrix& a, const RunContext& context) {
    Matrix t;
    t.rows = a.columns;
    t.columns = a.rows;
    t.begin.assign(t.rows + 1, 0);
    for (const std::int32_t c : a.column) ++t.begin[static_cast<std::size_t>(c) + 1];
    for (std::size_t i = 0; i < t.rows; ++i) t.begin[i + 1] += t.begin[i];
    t.column.resize(a.column.size());
    t.value.resize(a.value.size());
    std::vector<std::int64_t> at(t.begin.begin(), t.begin.end() - 1);
    forRowsInTurn(context, a.rows, [&](std::size_t i) {
        for (auto k = static_cast<std::size_t>(a.begin[i]); k < static_cast<std::size_t>(a.begin[i + 1]); ++k) {
            const auto to = static_cast<std::size_t>(at[static_cast<std::size_t>(a.column[k])]++);
            t.column[to] = static_cast<std::int32_t>(i);
            t.value[to] = a.value[k];
        }
    });
    return t;
}

struct Level {
    Matrix a, prolongation, restriction;
    std::vector<float> inverse;  ///< of the diagonal
    float largest = 2;           ///< bound of the eigenvalues of D^-1 A
    std::vector<float> f, u, r, d;
};

/// Gershgorin's bound of the eigenvalues of D^-1 A.
float largestEigenvalue(const Matrix& a, const std::vector<float>& inverse, const RunContext& context) {
    float largest = 1;
    forRowsInTurn(context, a.rows, [&](std::size_t i) {
        float sum = 0;
        for (auto k = static_cast<std::size_t>(a.begin[i]); k < static_cast<std::size_t>(a.begin[i + 1]); ++k) sum += std::fabs(a.value[k]);
        largest = std::max(largest, sum * inverse[i]);
    });
    return largest;
}

/// (I - 4 / (3 largest) D^-1 A') on the aggregates. A' is A with weak couplings added to the diagonal: with these, coarser matrices would
/// become dense.
Matrix prolongationOf(const Level& level, const std::vector<float>& d, double strong, const std::vector<std::int32_t>& aggregates,
                      std::size_t count, const RunContext& context) {
    Matrix p;
    p.rows = level.a.rows;
    p.columns = count;
    p.begin.reserve(p.rows + 1);
    p.begin.push_back(0);
    RowAccumulator row(count);
    const float omega = 4.0F / (3.0F * level.largest);
    forRowsInTurn(context, p.rows, [&](std::size_t i) {
        double diagonal = 0;
        const auto forCouplings = [&](bool ofStrong, auto&& body) {
            for (auto k = static_cast<std::size_t>(level.a.begin[i]); k < static_cast<std::size_t>(level.a.begin[i + 1]); ++k) {
                const auto j = static_cast<std::size_t>(level.a.column[k]);
                if (j != i && isStrong(level.a.value[k], d[i], d[j], strong) == ofStrong) body(j, level.a.value[k]);
                if (j == i && !ofStrong) body(j, level.a.value[k]);
            }
        };
        forCouplings(false, [&](std::size_t, float value) { diagonal += static_cast<double>(value); });
        if (!(diagonal > 0)) diagonal = static_cast<double>(d[i]);
        if (aggregates[i] >= 0) row.add(aggregates[i], 1 - omega);
        forCouplings(true, [&](std::size_t j, float value) {
            if (aggregates[j] >= 0) row.add(aggregates[j], -omega * value / static_cast<float>(diagonal));
        });
        row.finishRow(p);
    });
    p.fit();
    return p;
}

class AggregationMultigrid final : public Preconditioner {
public:
    AggregationMultigrid(Matrix finest, bool singular, const RunContext& context, LapClock& clock) : singular_(singular), clock_(clock) {
        levels_.emplace_back();
        levels_[0].a = std::move(finest);
        for (double strong = kStrong;; strong /= 2) {
            Level& fine = levels_.back();
            const std::vector<float> diagonal = diagonalOf(fine.a, context);
            fine.inverse.resize(fine.a.rows);
            for (std::size_t i = 0; i < fine.a.rows; ++i) fine.inverse[i] = 1 / diagonal[i];
            fine.largest = largestEigenvalue(fine.a, fine.inverse, context);
            for (std::vector<float>* v : {&fine.r, &fine.d}) v->resize(fine.a.rows);
            if (levels_.size() > 1)
                for (std::vector<float>* v : {&fine.f, &fine.u}) v->resize(fine.a.rows);
            if (fine.a.rows <= kCoarsest) break;
            std::size_t count = 0;
            const std::vector<std::int32_t> aggregates = aggregatesOf(fine.a, diagonal, strong, context, count);
            if (count == 0 || count * 10 > fine.a.rows * 9) break;
            fine.prolongation = prolongationOf(fine, diagonal, strong, aggregates, count, context);
            fine.restriction = transposed(fine.prolongation, context);
            Level coarse;
            coarse.a = tripleProduct(fine.restriction, fine.a, fine.prolongation, context);
            levels_.push_back(std::move(coarse));
        }
        laps_ = addCycleLaps(clock, levels_.size());
        product_ = clock.add(kLapProduct);
        const Matrix& last = levels_.back().a;
        if (last.rows > kCoarsest) return;
        std::vector<double> dense(last.rows * last.rows, 0);
        for (std::size_t i = 0; i < last.rows; ++i)
            for (auto k = static_cast<std::size_t>(last.begin[i]); k < static_cast<std::size_t>(last.begin[i + 1]); ++k)
                dense[i * last.rows + static_cast<std::size_t>(last.column[k])] += static_cast<double>(last.value[k]);
        coarsest_ = DenseInverse(std::move(dense), last.rows, singular_);
        direct_ = true;
    }

    double apply(const RunContext& context, const float* f, float* z) override {
        cycle(context, 0, f, z);
        constexpr std::size_t kBlock = 16384;
        const std::size_t rows = levels_[0].a.rows;
        std::vector<double> products((rows + kBlock - 1) / kBlock);
        parallelTasks(context, static_cast<std::int64_t>(products.size()), static_cast<int>(products.size()), [&](std::int64_t i, int) {
            const std::size_t first = static_cast<std::size_t>(i) * kBlock;
            products[static_cast<std::size_t>(i)] =
                dot(f + first, static_cast<const float*>(z) + first, static_cast<std::int64_t>(std::min(kBlock, rows - first)));
        });
        clock_.lap(product_);
        return std::accumulate(products.begin(), products.end(), 0.0);
    }

private:
    /// Two steps of Chebyshev iteration for the upper part of the spectrum; from u = 0 if `zero`.
    static void smooth(const RunContext& context, Level& level, const float* f, float* u, bool zero) {
        const float largest = 1.0F * level.largest, smallest = largest * static_cast<float>(kSmallestShare);
        const float centre = (largest + smallest) / 2, half = (largest - smallest) / 2;
        const float rho = half / centre, rho2 = 1 / (2 / rho - rho);
        float* const d = level.d.data();
        float* const r = level.r.data();
        forRows(context, level.a.rows,
                [&](std::size_t i) { d[i] = level.inverse[i] * (f[i] - (zero ? 0 : rowTimes(level.a, i, u))) / centre; });
        forRows(context, level.a.rows, [&](std::size_t i) { u[i] = (zero ? 0 : u[i]) + d[i]; });
        forRows(context, level.a.rows,
                [&](std::size_t i) { r[i] = rho2 * rho * d[i] + 2 * rho2 / half * level.inverse[i] * (f[i] - rowTimes(level.a, i, u)); });
        forRows(context, level.a.rows, [&](std::size_t i) { u[i] += r[i]; });
    }

    void cycle(const RunContext& context, std::size_t l, const float* f, float* u) {
        Level& level = levels_[l];
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
        float* const r = level.r.data();
        forRows(context, level.a.rows, [&](std::size_t i) { r[i] = f[i] - rowTimes(level.a, i, u); });
        Level& coarse = levels_[l + 1];
        forRows(context, coarse.a.rows, [&](std::size_t i) { coarse.f[i] = rowTimes(level.restriction, i, r); });
        clock_.lap(laps_[l]);
        cycle(context, l + 1, coarse.f.data(), coarse.u.data());
        forRows(context, level.a.rows, [&](std::size_t i) { u[i] += rowTimes(level.prolongation, i, coarse.u.data()); });
        smooth(context, level, f, u, false);
        clock_.lap(laps_[l]);
    }

    bool singular_;
    bool direct_ = false;
    LapClock& clock_;
    std::vector<std::size_t> laps_;  // of each level
    std::size_t product_ = 0;
    std::vector<Level> levels_;
    DenseInverse coarsest_;
};

}  // namespace

std::unique_ptr<Preconditioner> makeAggregationMultigrid(const Stencil& stencil, const RunContext& context, LapClock& clock) {
    if (stencil.shape.pixels() >= std::int64_t{1} << 31)
        throw Error(ErrorCode::memory, "The image is too large for 'multigrid'", "it has 2^31 pixels or more", "Choose the variant 'cg'");
    return std::make_unique<AggregationMultigrid>(matrixOf(stencil, context), isSingular(stencil), context, clock);
}

std::unique_ptr<Preconditioner> makeAggregationMultigrid(const CompactSystem& system, const RunContext& context, LapClock& clock) {
    return std::make_unique<AggregationMultigrid>(matrixOf(system, context), false, context, clock);
}

std::uint64_t aggregationMultigridBytes(const Shape& shape) {
    return static_cast<std::uint64_t>(shape.pixels()) * (shape.depth > 1 ? 200 : 170);
}

}  // namespace parallax::solvers
