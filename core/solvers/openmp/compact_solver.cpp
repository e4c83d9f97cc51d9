// SPDX-License-Identifier: GPL-3.0-or-later
// Sums are those of blocks of unknowns, added in order: the same for any number of threads.
#include "core/solvers/openmp/compact_solver.hpp"

#include <algorithm>
#include <cmath>

#include "core/backends/openmp/parallel.hpp"
#include "core/solvers/iterate.hpp"

namespace parallax::solvers {
namespace {

constexpr std::int64_t kBlock = 4096;  ///< unknowns of a task

/// Arrays of CompactSolver; p has one more element, which is 0 and stands for fixed samples.
struct Arrays {
    const double* b;
    double *u, *r, *p, *q;
    float *copy, *z;
};

/// One right-hand side.
class Unknowns {
public:
    Unknowns(const CompactSystem& system, const Arrays& arrays, Preconditioner* preconditioner, const RunContext& context)
        : s_(system), a_(arrays), preconditioner_(preconditioner), context_(context) {
        sums_.resize(static_cast<std::size_t>((s_.count() + kBlock - 1) / kBlock));
        norm_ = std::sqrt(sumOf([&](std::size_t i) { return a_.b[i] * a_.b[i]; }));
        // So that floats hold it; the preconditioner is linear.
        scale_ = norm_ > 0 ? std::sqrt(static_cast<double>(s_.count())) / norm_ : 1;
        forAll([&](std::size_t i) { a_.u[i] = 0; });
        restart();
    }

    bool isSingular() const { return false; }
    double removedMean() const { return 0; }
    double removedShare() const { return 0; }
    double residual() const { return norm_ > 0 ? std::sqrt(rr_) / norm_ : 0; }
    void finish() {}

    /// r = b - A u, and a first direction.
    void restart() {
        forAll([&](std::size_t i) { a_.p[i] = a_.u[i]; });
        rr_ = sumOf([&](std::size_t i) { return setResidual(i, a_.b[i] - applied(i)); });
        isFirst_ = true;
    }

    void iterate() {
        if (rr_ == 0) return;
        const double rz = preconditioner_ ? preconditioner_->apply(context_, a_.copy, a_.z) / scale_ : rr_;
        const double beta = isFirst_ ? 0 : rz / rz_;
        rz_ = rz;
        isFirst_ = false;
        forAll([&](std::size_t i) {
            a_.p[i] = (preconditioner_ ? static_cast<double>(a_.z[i]) : a_.r[i]) + (beta == 0 ? 0 : beta * a_.p[i]);
        });
        const double pq = sumOf([&](std::size_t i) {
            a_.q[i] = applied(i);
            return a_.p[i] * a_.q[i];
        });
        const double alpha = pq > 0 ? rz_ / pq : 0;
        rr_ = sumOf([&](std::size_t i) {
            a_.u[i] += alpha * a_.p[i];
            return setResidual(i, a_.r[i] - alpha * a_.q[i]);
        });
    }

private:
    /// (A p) of one unknown.
    double applied(std::size_t i) const {
        const std::int32_t* const n = s_.neighbours.data() + i * static_cast<std::size_t>(s_.directions());
        const auto p = [&](int d) { return a_.p[n[d]]; };
        double sum = s_.weights[0] * (p(0) + p(1)) + s_.weights[1] * (p(2) + p(3));
        if (s_.directions() == 6) sum += s_.weights[2] * (p(4) + p(5));
        return s_.diagonal[i] * a_.p[i] - sum;
    }
    double setResidual(std::size_t i, double r) {
        a_.r[i] = r;
        if (a_.copy) a_.copy[i] = static_cast<float>(scale_ * r);
        return r * r;
    }

    /// Sum of body(i) over all unknowns.
    template <class F>
    double sumOf(const F& body) {
        const std::int64_t blocks = static_cast<std::int64_t>(sums_.size());
        // Few unknowns are not worth a second thread.
        parallelTasks(context_, blocks, static_cast<int>(std::min<std::int64_t>((blocks + 1) / 2, 1 << 16)), [&](std::int64_t block, int) {
            const auto first = static_cast<std::size_t>(block * kBlock),
                       last = static_cast<std::size_t>(std::min(s_.count(), (block + 1) * kBlock));
            double sum = 0;
            for (std::size_t i = first; i < last; ++i) sum += body(i);
            sums_[static_cast<std::size_t>(block)] = sum;
        });
        double all = 0;
        for (const double sum : sums_) all += sum;
        return all;
    }

    template <class F>
    void forAll(const F& body) {
        (void)sumOf([&](std::size_t i) {
            body(i);
            return 0.0;
        });
    }

    const CompactSystem& s_;
    Arrays a_;
    Preconditioner* preconditioner_;
    const RunContext& context_;
    std::vector<double> sums_;
    double norm_ = 0, scale_ = 1, rr_ = 0, rz_ = 0;
    bool isFirst_ = true;
};

}  // namespace

void CompactSolver::resize(std::int64_t count) {
    const auto n = static_cast<std::size_t>(count);
    for (std::vector<double>* v : {&b_, &u_, &r_, &q_}) v->resize(n);
    p_.resize(n + 1);
    p_[n] = 0;
    if (!multigrid_) return;
    for (std::vector<float>* v : {&copy_, &z_}) v->resize(n);
}

SolveHistory CompactSolver::solve(const CompactSystem& system, bool isNew, const SolveOptions& options, const RunContext& context,
                                  SolveProgress& progress) {
    const auto start = std::chrono::steady_clock::now();
    if (multigrid_ && isNew) {
        preconditioner_.reset();
        clock_ = {};
        preconditioner_ = makeAggregationMultigrid(system, context, clock_);
    }
    const Arrays arrays{b_.data(), u_.data(), r_.data(), p_.data(), q_.data(), multigrid_ ? copy_.data() : nullptr, z_.data()};
    std::vector<std::unique_ptr<Unknowns>> channel;
    channel.push_back(std::make_unique<Unknowns>(system, arrays, preconditioner_.get(), context));
    return iterateChannels(channel, options, start, progress);
}

std::uint64_t CompactSolver::bytesOfUnknown(const Shape& shape, bool multigrid) {
    return 5 * sizeof(double) +
           (multigrid ? 2 * sizeof(float) + aggregationMultigridBytes({1, 1, shape.depth}) / static_cast<std::uint64_t>(shape.depth) : 0);
}

}  // namespace parallax::solvers
