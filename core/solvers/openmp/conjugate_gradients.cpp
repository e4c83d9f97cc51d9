// SPDX-License-Identifier: GPL-3.0-or-later
// Conjugate gradients in two passes over memory an iteration:
//   p = z + beta p, p.Ap        u += alpha p, r -= alpha A p, r.r, and r as float for the preconditioner
// A p is computed twice instead of stored. Sums are those of rows, added in order: the same for any number of threads and parts. A part
// updates the directions of the rows next to its own itself, from the residuals that it gets of them; the preconditioner gets what it
// needs.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/solvers/grid_part.hpp"
#include "core/solvers/iterate.hpp"
#include "core/solvers/lap_clock.hpp"
#include "core/solvers/openmp/grid_rows.hpp"
#include "core/solvers/openmp/methods.hpp"
#include "core/solvers/openmp/preconditioner.hpp"
#include "core/solvers/openmp/stages.hpp"
#include "core/solvers/reporting.hpp"

namespace parallax::solvers {
namespace {

/// The rows of a system.
class SystemRows {
public:
    explicit SystemRows(const Stencil& s) : s_(s), grid_(s) {}

    bool isConstant() const { return s_.hasConstantWeights(); }
    std::int64_t lines() const { return grid_.lines(); }
    std::int64_t width() const { return s_.shape.width; }
    std::int64_t pixels() const { return s_.shape.pixels(); }
    const Stencil& stencil() const { return s_; }

    template <class T>
    double dotRow(const T* p, std::int64_t line) const {
        const RowNeighbours<T> rows = grid_.neighbours(p, line);
        return isConstant() ? dotApplied(rows, grid_.coefficients(line), width()) : dotApplied(rows, weights(line), width());
    }
    template <class T>
    double updateRow(const T* p, std::int64_t line, const SolutionRow& to) const {
        const RowNeighbours<T> rows = grid_.neighbours(p, line);
        return isConstant() ? updateSolution(rows, grid_.coefficients(line), to, width())
                            : updateSolution(rows, weights(line), to, width());
    }

private:
    RowWeights weights(std::int64_t line) const {
        const Shape& shape = s_.shape;
        const std::int64_t y = line % shape.height, z = line / shape.height, at = line * shape.width, slice = shape.width * shape.height;
        const bool dirichlet = s_.border == Border::dirichlet;
        RowWeights k;
        k.x = s_.edges[0] + at;
        k.diagonal = s_.diagonal;
        k.diagonals = s_.diagonals ? s_.diagonals + at : nullptr;
        k.fixed = s_.fixed ? s_.fixed + at : nullptr;
        const auto side = [&](int i, bool inside, int axis, std::int64_t offset) {
            if (inside) k.side[i] = s_.edges[axis] + offset;
            else if (dirichlet) k.rest += s_.axisWeights[axis];
        };
        side(0, y > 0, 1, at - shape.width);
        side(1, y + 1 < shape.height, 1, at);
        if (grid_.isVolume) {
            side(2, z > 0, 2, at - slice);
            side(3, z + 1 < shape.depth, 2, at);
        }
        if (dirichlet) k.first = k.last = s_.axisWeights[0];
        return k;
    }

    const Stencil& s_;
    GridRows grid_;
};

/// The clock of a solve, and its laps besides those of the preconditioner.
struct SolveLaps {
    LapClock& clock;
    std::size_t direction, update, end;
    explicit SolveLaps(LapClock& of) : clock(of), direction(of.add(kLapDirection)), update(of.add(kLapUpdate)), end(of.add(kLapEnd)) {}
};

/// One right-hand side. Arrays are addressed by the index of a sample in the grid.
class Channel {
public:
    /// `f`, `u`: of the rows that the part keeps.
    Channel(const SystemRows& system, const GridPart& part, const double* f, double* u, Preconditioner* preconditioner,
            std::vector<double>& sums, const SolveLaps& laps, const RunContext& context)
        : system_(system),
          part_(part),
          f_(f - part.origin()),
          u_(u - part.origin()),
          preconditioner_(preconditioner),
          sums_(sums),
          laps_(laps),
          context_(context),
          residuals_(makeArray(part.keptSamples())),
          r_(residuals_.get() - part.origin()) {
        if (preconditioner) {
            const GridPart kept = part.withReach(preconditioner->reach());
            copies_ = makeArray<float>(kept.keptSamples());
            results_ = makeArray<float>(kept.keptSamples());
            directionsAsFloats_ = makeArray<float>(part.keptSamples());
            copy_ = copies_.get() - kept.origin();
            z_ = results_.get() - kept.origin();
            direction_ = directionsAsFloats_.get() - part.origin();
        } else {
            directions_ = makeArray(part.keptSamples());
            p_ = directions_.get() - part.origin();
        }
    }

    void begin() {
        const std::int64_t width = system_.width();
        if (isSingular()) removeMean();
        forLines([&](std::int64_t line) { return squaredNorm(line); });
        norm_ = std::sqrt(sum());
        const auto n = static_cast<double>(system_.pixels());
        if (norm_ <= kRoundingShare * std::fabs(mean_) * std::sqrt(n)) norm_ = 0;
        if (norm_ == 0)
            forLines([&](std::int64_t line) {
                for (std::int64_t i = line * width; i < (line + 1) * width; ++i)
                    if (!isFixed(i)) u_[i] = 0;
                return 0.0;
            });
        // So that floats hold it; the preconditioner is linear.
        scale_ = norm_ > 0 ? std::sqrt(n) / norm_ : 1;
        computeResidual();
    }

    bool isSingular() const { return solvers::isSingular(system_.stencil()); }
    double removedMean() const { return mean_; }
    double removedShare() const { return share_; }
    double residual() const { return norm_ > 0 ? std::sqrt(rr_) / norm_ : 0; }

    void restart() {
        laps_.clock.skip();
        computeResidual();
        laps_.clock.lap(laps_.end);
    }

    void iterate() {
        if (rr_ == 0) return;
        laps_.clock.skip();
        if (!prepared_) precondition();
        if (preconditioner_) advance(direction_, z_);
        else advance(p_, r_);
        prepared_ = false;
    }

    void finish() {
        if (!isSingular()) return;
        laps_.clock.skip();
        removeMeanOfSolution();
        laps_.clock.lap(laps_.end);
    }

    static std::uint64_t bytesOfPixel(bool preconditioned) {
        return preconditioned ? sizeof(double) + 3 * sizeof(float) : 2 * sizeof(double);
    }

private:
    bool isFixed(std::int64_t i) const { return system_.stencil().fixed && system_.stencil().fixed[i]; }

    /// One step along the direction p, which is made of z. A p is computed from p as it is stored, so that u and r fit together.
    template <class T>
    void advance(T* direction, const T* z) {
        const std::int64_t width = system_.width(), rows = part_.unitRows(), kept = part_.endKept() - part_.firstKept();
        runStages<2>(context_, kept / rows, rows * width, {0, 1}, [&](int stage, std::int64_t unit) {
            const std::int64_t first = part_.firstKept() + unit * rows;
            for (std::int64_t line = first; line < first + rows; ++line) {
                if (stage == 0) updateDirection(direction + line * width, z + line * width, beta_, width);
                else if (line >= part_.first() && line < part_.end()) sums_[index(line)] = system_.dotRow<T>(direction, line);
            }
        });
        const double pq = sum(), alpha = pq > 0 ? rz_ / pq : 0;
        laps_.clock.lap(laps_.direction);
        forLines([&](std::int64_t line) {
            const std::int64_t at = line * width;
            return system_.updateRow<T>(direction, line, {alpha, u_ + at, r_ + at, copy_ ? copy_ + at : nullptr, scale_});
        });
        if (!preconditioner_) part_.exchange(residuals_.get());
        rr_ = sum();
        laps_.clock.lap(laps_.update);
    }

    /// r = f - A u, and a first direction.
    void computeResidual() {
        const std::int64_t width = system_.width();
        part_.exchange(u_ + part_.origin());
        forLines([&](std::int64_t line) {
            thread_local std::vector<double> unused;
            unused.resize(static_cast<std::size_t>(width));
            double* const r = r_ + line * width;
            for (std::int64_t x = 0; x < width; ++x) r[x] = f_[line * width + x] - mean_;
            return system_.updateRow<double>(u_, line, {1, unused.data(), r, copy_ ? copy_ + line * width : nullptr, scale_});
        });
        if (!preconditioner_) part_.exchange(residuals_.get());
        rr_ = sum();
        prepared_ = false;
        first_ = true;
    }

    void removeMeanOfSolution() {
        const std::int64_t width = system_.width();
        forLines([&](std::int64_t line) { return sumOf(u_ + line * width, width); });
        const double mean = sum() / static_cast<double>(system_.pixels());
        forLines([&](std::int64_t line) {
            for (std::int64_t i = line * width; i < (line + 1) * width; ++i) u_[i] -= mean;
            return 0.0;
        });
    }

    /// Keeps the result of each line.
    template <class F>
    void forLines(const F& body) {
        runStages<1>(context_, part_.rows(), system_.width(), {0},
                     [&](int, std::int64_t row) { sums_[static_cast<std::size_t>(row)] = body(part_.first() + row); });
    }
    std::size_t index(std::int64_t line) const { return static_cast<std::size_t>(line - part_.first()); }
    double sum() const { return part_.sum(sums_); }

    void removeMean() {
        const std::int64_t width = system_.width();
        forLines([&](std::int64_t line) { return sumOf(f_ + line * width, width); });
        const auto n = static_cast<double>(system_.pixels());
        mean_ = sum() / n;
        forLines([&](std::int64_t line) { return dot(f_ + line * width, f_ + line * width, width); });
        const double squares = sum();
        share_ = squares > 0 ? std::fabs(mean_) / std::sqrt(squares / n) : 0;
    }

    double squaredNorm(std::int64_t line) const {
        const Stencil& s = system_.stencil();
        if (!s.fixed) return squaredDistance(f_ + line * system_.width(), mean_, system_.width());
        double all = 0;
        for (std::int64_t x = 0; x < system_.width(); ++x) {
            const std::int64_t i = line * system_.width() + x;
            if (isFixed(i)) continue;
            double b = f_[i] - mean_;
            (void)visitRow(s, x, line % s.shape.height, line / s.shape.height, [&](std::int64_t j, double w) {
                if (isFixed(j)) b += w * u_[j];
            });
            all += b * b;
        }
        return all;
    }

    void precondition() {
        const double rz = preconditioner_ ? preconditioner_->apply(context_, copies_.get(), results_.get()) / scale_ : rr_;
        beta_ = first_ ? 0 : rz / rz_;
        first_ = false;
        rz_ = rz;
        prepared_ = true;
    }

    const SystemRows& system_;
    const GridPart& part_;
    const double* f_;
    double* u_;
    Preconditioner* preconditioner_;
    std::vector<double>& sums_;
    const SolveLaps& laps_;
    const RunContext& context_;
    Array<double> residuals_, directions_;
    double *r_, *p_ = nullptr;
    // With a preconditioner: r for it, its result, and the direction. z is not better than single precision, so neither need p be.
    Array<float> copies_, results_, directionsAsFloats_;
    float *copy_ = nullptr, *z_ = nullptr, *direction_ = nullptr;
    double mean_ = 0, share_ = 0, norm_ = 0, scale_ = 1, rr_ = 0, rz_ = 0, beta_ = 0;
    bool prepared_ = false, first_ = true;
};

constexpr std::int64_t kSamplesOfRow = 1024;  ///< guessed: rows of callers

class IterativeMethod final : public HostMethod {
public:
    explicit IterativeMethod(bool multigrid) : multigrid_(multigrid) {}

    void forEachRow(const RunContext& context, std::int64_t rows, const std::function<void(std::int64_t)>& body) const override {
        runStages<1>(context, rows, kSamplesOfRow, {0}, [&](int, std::int64_t row) { body(row); });
    }

    SolveHistory solve(const Stencil& stencil, const GridPart& part, std::int64_t channels, const double* f, double* u,
                       const SolveOptions& options, const RunContext& context, SolveProgress& progress) override {
        const auto start = std::chrono::steady_clock::now();
        const SystemRows system(stencil);
        LapClock clock;
        const std::size_t setUp = clock.add(kLapSetUp);
        std::unique_ptr<Preconditioner> preconditioner;
        if (multigrid_)
            preconditioner =
                system.isConstant() ? makeGridMultigrid(stencil, part, clock) : makeAggregationMultigrid(stencil, part, context, clock);
        const SolveLaps laps(clock);
        std::vector<double> sums(static_cast<std::size_t>(part.rows()));
        std::vector<std::unique_ptr<Channel>> all;
        for (std::int64_t c = 0; c < channels; ++c) {
            all.push_back(std::make_unique<Channel>(system, part, f + c * part.keptSamples(), u + c * part.keptSamples(),
                                                    preconditioner.get(), sums, laps, context));
            all.back()->begin();
        }
        clock.lap(setUp);
        SolveHistory history = iterateChannels(all, options, start, progress);
        history.laps = clock.laps();
        return history;
    }

private:
    bool multigrid_;
};

std::uint64_t pixelsOf(const Shape& shape) { return static_cast<std::uint64_t>(shape.pixels()); }

}  // namespace

HostMethodKind openmpMultigrid() {
    return {.variant = "multigrid",
            .summary =
                "Conjugate gradients preconditioned by a multigrid V-cycle in single precision; the number of iterations hardly grows "
                "with the size",
            .make = [] { return std::make_unique<IterativeMethod>(true); },
            .bytes =
                [](const Shape& shape, std::int64_t channels, bool weighted) {
                    return pixelsOf(shape) * static_cast<std::uint64_t>(channels) * Channel::bytesOfPixel(true) +
                           (weighted ? aggregationMultigridBytes(shape) : gridMultigridBytes(shape));
                },
            .weightedBitsFollowParts = true};
}

HostMethodKind openmpConjugateGradients() {
    return {.variant = "cg",
            .summary = "Conjugate gradients without a preconditioner, two passes over memory an iteration",
            .make = [] { return std::make_unique<IterativeMethod>(false); },
            .bytes = [](const Shape& shape, std::int64_t channels,
                        bool) { return pixelsOf(shape) * static_cast<std::uint64_t>(channels) * Channel::bytesOfPixel(false); }};
}

}  // namespace parallax::solvers
