// SPDX-License-Identifier: GPL-3.0-or-later
// Sums are those of blocks of samples, added in order: the same for any number of threads.
#include "core/solvers/openmp/biharmonic_solver.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

#include "core/backends/openmp/parallel.hpp"
#include "core/solvers/iterate.hpp"

namespace parallax::solvers {
namespace {

constexpr std::int64_t kBlock = 4096;  ///< samples of a task
/// End of the harmonic solves that precondition: README.md.
constexpr SolveOptions kInner{.tolerance = 0.03, .iterations = 100};

/// Sum of body(i) for i below `count`.
template <class F>
double sumOf(const RunContext& context, std::int64_t count, const F& body) {
    const std::int64_t blocks = (count + kBlock - 1) / kBlock;
    std::vector<double> sums(static_cast<std::size_t>(blocks));
    // Few samples are not worth a second thread.
    parallelTasks(context, blocks, static_cast<int>(std::min<std::int64_t>((blocks + 1) / 2, 1 << 16)), [&](std::int64_t block, int) {
        double sum = 0;
        for (std::int64_t i = block * kBlock; i < std::min(count, (block + 1) * kBlock); ++i) sum += body(static_cast<std::size_t>(i));
        sums[static_cast<std::size_t>(block)] = sum;
    });
    double all = 0;
    for (const double sum : sums) all += sum;
    return all;
}

template <class F>
void forAll(const RunContext& context, std::int64_t count, const F& body) {
    (void)sumOf(context, count, [&](std::size_t i) {
        body(i);
        return 0.0;
    });
}

/// (L v) of one sample of the system; v has one more element, for fixed samples.
double applied(const CompactSystem& s, const HostVector<double>& v, std::size_t i) {
    const std::int32_t* const n = s.neighbours.data() + i * static_cast<std::size_t>(s.directions());
    const auto at = [&](int d) { return v[static_cast<std::size_t>(n[d])]; };
    double sum = s.weights[0] * (at(0) + at(1)) + s.weights[1] * (at(2) + at(3));
    if (s.directions() == 6) sum += s.weights[2] * (at(4) + at(5));
    return s.diagonal[i] * v[i] - sum;
}

/// Adds the columns of the unknowns and of their neighbours in a row.
void addNeighbours(const CompactSystem& s, std::int64_t row, HostVector<std::int32_t>& columns) {
    std::vector<std::int32_t> merged, more;
    const auto unite = [&](std::int64_t from, std::int32_t shift) {
        more.clear();
        for (std::int64_t k = s.rowBegin[static_cast<std::size_t>(from)]; k < s.rowBegin[static_cast<std::size_t>(from) + 1]; ++k) {
            const std::int32_t x = s.columns[static_cast<std::size_t>(k)] + shift;
            if (x >= 0 && x < s.shape.width) more.push_back(x);
        }
        std::vector<std::int32_t> all;
        std::set_union(merged.begin(), merged.end(), more.begin(), more.end(), std::back_inserter(all));
        merged.swap(all);
    };
    const std::int64_t y = row % s.shape.height, z = row / s.shape.height;
    for (const std::int32_t shift : {-1, 0, 1}) unite(row, shift);
    if (y > 0) unite(row - 1, 0);
    if (y + 1 < s.shape.height) unite(row + 1, 0);
    if (z > 0) unite(row - s.shape.height, 0);
    if (z + 1 < s.shape.depth) unite(row + s.shape.height, 0);
    columns.insert(columns.end(), merged.begin(), merged.end());
}

}  // namespace

/// For iterateChannels().
class BiharmonicSolver::Iteration {
public:
    Iteration(BiharmonicSolver& of, const CompactSystem& system, const RunContext& context) : s_(of), system_(system), context_(context) {
        norm_ = std::sqrt(sumOf(context_, count(), [&](std::size_t i) { return s_.b_[i] * s_.b_[i]; }));
        std::fill(s_.u_.begin(), s_.u_.end(), 0.0);
        std::fill(s_.p_.begin(), s_.p_.end(), 0.0);
        restart();
    }

    bool isSingular() const { return false; }
    double removedMean() const { return 0; }
    double removedShare() const { return 0; }
    double residual() const { return norm_ > 0 ? std::sqrt(rr_) / norm_ : 0; }
    void finish() {}

    /// r = b - A u, and a first direction.
    void restart() {
        forAll(context_, count(), [&](std::size_t i) { direction(i) = s_.u_[i]; });
        applyFirst();
        rr_ = sumOf(context_, count(), [&](std::size_t i) {
            s_.r_[i] = s_.b_[i] - second(i);
            return s_.r_[i] * s_.r_[i];
        });
        isFirst_ = true;
    }

    /// Conjugate gradients with a preconditioner that is not quite linear, hence the second product in beta (Notay, SIAM J. Sci. Comput.
    /// 22, 2000).
    void iterate() {
        if (rr_ == 0) return;
        const double* const z = preconditioned();
        const double rz = sumOf(context_, count(), [&](std::size_t i) { return s_.r_[i] * z[i]; });
        const double zq = isFirst_ ? 0 : sumOf(context_, count(), [&](std::size_t i) { return s_.q_[i] * z[i]; });
        const double beta = isFirst_ || !(rz_ > 0) ? 0 : -alpha_ * zq / rz_;
        rz_ = rz;
        forAll(context_, count(), [&](std::size_t i) { direction(i) = z[i] + (isFirst_ ? 0 : beta * direction(i)); });
        isFirst_ = false;
        applyFirst();
        const double pq = sumOf(context_, count(), [&](std::size_t i) {
            s_.q_[i] = second(i);
            return direction(i) * s_.q_[i];
        });
        alpha_ = pq > 0 ? rz / pq : 0;
        rr_ = sumOf(context_, count(), [&](std::size_t i) {
            s_.u_[i] += alpha_ * direction(i);
            s_.r_[i] -= alpha_ * s_.q_[i];
            return s_.r_[i] * s_.r_[i];
        });
    }

private:
    std::int64_t count() const { return system_.count(); }
    double& direction(std::size_t i) { return s_.p_[static_cast<std::size_t>(s_.place_[i])]; }
    void applyFirst() {
        forAll(context_, s_.wide_.count(), [&](std::size_t i) { s_.lp_[i] = applied(s_.wide_, s_.p_, i); });
    }
    double second(std::size_t i) const { return applied(s_.wide_, s_.lp_, static_cast<std::size_t>(s_.place_[i])); }

    /// About the solution of L L z = r, by two harmonic systems.
    const double* preconditioned() {
        if (!s_.preconditioned_) return s_.r_.data();
        const double* from = s_.r_.data();
        for (int i = 0; i < 2; ++i) {
            double* const f = s_.harmonic_.rightSide();
            forAll(context_, count(), [&](std::size_t k) { f[k] = from[k]; });
            SolveProgress untold(RunContext{}, 0);
            (void)s_.harmonic_.solve(system_, s_.isNewToHarmonic_, nullptr, kInner, context_, untold);
            s_.isNewToHarmonic_ = false;
            from = s_.harmonic_.solution();
        }
        return from;
    }

    BiharmonicSolver& s_;
    const CompactSystem& system_;
    const RunContext& context_;
    double norm_ = 0, rr_ = 0, rz_ = 0, alpha_ = 0;
    bool isFirst_ = true;
};

void BiharmonicSolver::setSystem(const CompactSystem& system, const RunContext& context) {
    // Arrays of the system before are released first: vectors that grow keep both.
    wide_ = {};
    place_ = {};
    for (HostVector<double>* v : {&b_, &u_, &r_, &q_, &p_, &lp_}) *v = {};
    wide_.shape = system.shape;
    wide_.setRows(GridPart(wide_.shape));
    std::copy_n(system.weights, 3, wide_.weights);
    wide_.columns.reserve(static_cast<std::size_t>(mostSamples(system.shape, system.count())));
    wide_.rowBegin.assign(1, 0);
    for (std::int64_t row = 0; row < system.own.count(); ++row) {
        context.throwIfStopped();
        addNeighbours(system, row, wide_.columns);
        wide_.rowBegin.push_back(wide_.count());
    }
    wide_.resizeLinks();
    const auto unknowns = static_cast<std::size_t>(system.count()), samples = static_cast<std::size_t>(wide_.count());
    place_.resize(unknowns);
    const auto tasks = std::min<std::int64_t>(system.own.count(), samples / kBlock + 1);
    parallelTasks(context, tasks, static_cast<int>(std::min<std::int64_t>((tasks + 1) / 2, 1 << 16)), [&](std::int64_t task, int) {
        for (std::int64_t row = system.own.count() * task / tasks; row < system.own.count() * (task + 1) / tasks; ++row) {
            wide_.linkRow(row);
            auto j = static_cast<std::size_t>(wide_.rowBegin[static_cast<std::size_t>(row)]);
            for (auto k = static_cast<std::size_t>(system.rowBegin[static_cast<std::size_t>(row)]);
                 k < static_cast<std::size_t>(system.rowBegin[static_cast<std::size_t>(row) + 1]); ++k) {
                while (wide_.columns[j] != system.columns[k]) ++j;
                place_[k] = static_cast<std::int32_t>(j);
            }
        }
    });
    for (HostVector<double>* v : {&b_, &u_, &r_, &q_}) v->resize(unknowns);
    for (HostVector<double>* v : {&p_, &lp_}) v->assign(samples + 1, 0);
    if (preconditioned_) harmonic_.resize(system.count());
    isNewToHarmonic_ = true;
}

/// b = -L L u, where the unknowns are 0.
void BiharmonicSolver::setRightSide(const CompactSystem& system, const Known& known, const RunContext& context) {
    std::size_t next = 0;
    for (std::int64_t row = 0; row < wide_.own.count(); ++row) {
        context.throwIfStopped();
        const auto first = static_cast<std::size_t>(wide_.rowBegin[static_cast<std::size_t>(row)]),
                   end = static_cast<std::size_t>(wide_.rowBegin[static_cast<std::size_t>(row) + 1]);
        for (std::size_t j = first; j < end; ++j) {
            const bool isUnknown = next < place_.size() && static_cast<std::size_t>(place_[next]) == j;
            if (isUnknown) ++next;
            p_[j] = isUnknown ? 0 : known(wide_.columns[j], row % wide_.shape.height, row / wide_.shape.height);
        }
    }
    forAll(context, wide_.count(), [&](std::size_t i) { lp_[i] = applied(wide_, p_, i); });
    for (std::int64_t row = 0; row < wide_.own.count(); ++row) {
        context.throwIfStopped();
        wide_.visitFixed(row, [&](std::int64_t k, int direction, std::int64_t x, std::int64_t y, std::int64_t z) {
            lp_[static_cast<std::size_t>(k)] -= wide_.weights[direction / 2] * known(x, y, z);
        });
    }
    forAll(context, system.count(), [&](std::size_t i) { b_[i] = -applied(wide_, lp_, static_cast<std::size_t>(place_[i])); });
}

SolveHistory BiharmonicSolver::solve(const CompactSystem& system, bool isNew, const Known& known, const SolveOptions& options,
                                     const RunContext& context, SolveProgress& progress) {
    const auto start = std::chrono::steady_clock::now();
    if (isNew) setSystem(system, context);
    setRightSide(system, known, context);
    std::vector<std::unique_ptr<Iteration>> channel;
    channel.push_back(std::make_unique<Iteration>(*this, system, context));
    return iterateChannels(channel, options, start, progress);
}

std::int64_t BiharmonicSolver::mostSamples(const Shape& shape, std::int64_t unknowns) {
    return std::min(shape.pixels(), unknowns * (shape.depth > 1 ? 7 : 5));
}

std::uint64_t BiharmonicSolver::bytes(const Shape& shape, std::int64_t unknowns, bool preconditioned) {
    const auto directions = static_cast<std::uint64_t>(shape.depth > 1 ? 6 : 4);
    const std::uint64_t ofSample = (directions + 1) * sizeof(std::int32_t) + 3 * sizeof(double),
                        ofUnknown =
                            sizeof(std::int32_t) + 4 * sizeof(double) + (preconditioned ? CompactSolver::bytesOfUnknown(shape, true) : 0);
    return static_cast<std::uint64_t>(mostSamples(shape, unknowns)) * ofSample + static_cast<std::uint64_t>(unknowns) * ofUnknown +
           static_cast<std::uint64_t>(shape.height * shape.depth) * sizeof(std::int64_t);
}

}  // namespace parallax::solvers
