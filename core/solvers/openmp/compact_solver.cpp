// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/openmp/compact_solver.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/backends/openmp/parallel.hpp"
#include "core/solvers/iterate.hpp"

namespace parallax::solvers {
namespace {

/// Every part solves a system of at most so many unknowns itself, since the exchanges of an iteration take as long as some thousand
/// unknowns.
constexpr std::int64_t kGathered = 8192;
constexpr std::int64_t kBlock = 4096;  ///< unknowns of a block at most, and of a task at least

/// Arrays of CompactSolver, with ghosts; p has one more element, which is 0 and stands for fixed samples.
struct Arrays {
    const double* b;
    double *u, *r, *p, *q;
    float *copy, *z;
};

/// One right-hand side.
class Unknowns {
public:
    Unknowns(const CompactSystem& system, const Arrays& arrays, const GhostRows& unknowns, CompactSums& sums,
             Preconditioner* preconditioner, const RunContext& context)
        : s_(system), a_(arrays), unknowns_(unknowns), sums_(sums), preconditioner_(preconditioner), context_(context) {
        norm_ = std::sqrt(sumOf([&](std::size_t i) { return a_.b[i] * a_.b[i]; }));
        // So that floats hold it; the preconditioner is linear.
        scale_ = norm_ > 0 ? std::sqrt(static_cast<double>(unknowns_.all())) / norm_ : 1;
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
        exchangeDirection();
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
        exchangeDirection();
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
    void exchangeDirection() { unknowns_.exchange(a_.p + unknowns_.before()); }
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

    /// Sum of body(i) over the unknowns of all parts.
    template <class F>
    double sumOf(const F& body) {
        sums_.addUp(context_, body);
        return sums_.result();
    }

    template <class F>
    void forAll(const F& body) {
        sums_.addUp(context_, [&](std::size_t i) {
            body(i);
            return 0.0;
        });
    }

    const CompactSystem& s_;
    Arrays a_;
    const GhostRows& unknowns_;
    CompactSums& sums_;
    Preconditioner* preconditioner_;
    const RunContext& context_;
    double norm_ = 0, scale_ = 1, rr_ = 0, rz_ = 0;
    bool isFirst_ = true;
};

/// The own unknowns and the ghosts of a part, numbered among those of all parts. `owners`: of the unknowns of each part.
std::unique_ptr<GhostRows> ghostRowsOf(const CompactSystem& system, const Partition& owners, Communicator* communicator) {
    const PartRange own = system.ownUnknowns();
    if (!communicator) return std::make_unique<GhostRows>(own.count());
    const std::int64_t shift = owners[communicator->rank()].first - own.first;
    std::vector<std::int64_t> ghosts;
    for (std::int64_t i = 0; i < system.count(); ++i)
        if (i < own.first || i >= own.last) ghosts.push_back(i + shift);
    return std::make_unique<GhostRows>(*communicator, owners, std::move(ghosts));
}

}  // namespace

struct CompactSolver::Gathered {
    CompactSystem system;
    CompactSolver solver;
    PartRange own, ofPart;  ///< unknowns of the part: in this system, and in that of the part
};

CompactSums::CompactSums(const CompactSystem& system, Communicator* communicator) : communicator_(communicator) {
    std::int64_t ofTask = kBlock;
    for (std::int64_t row = system.own.first; row < system.own.last; ++row)
        for (std::int64_t first = system.begin(row), end = system.begin(row + 1); first < end; first += kBlock) {
            if (ofTask >= kBlock) {
                tasks_.push_back(begins_.size());
                ofTask = 0;
            }
            begins_.push_back(first);
            ofTask += std::min(kBlock, end - first);
        }
    tasks_.push_back(begins_.size());
    sums_.resize(begins_.size());
    begins_.push_back(system.ownUnknowns().last);
    if (communicator_) places_ = placesOf(*communicator_, sums_.size() * sizeof(double));
}

template <class F>
void CompactSums::addUp(const RunContext& context, const F& body) {
    const auto tasks = static_cast<std::int64_t>(tasks_.size()) - 1;
    // Few unknowns are not worth a second thread.
    parallelTasks(context, tasks, static_cast<int>(std::min<std::int64_t>((tasks + 1) / 2, 1 << 16)), [&](std::int64_t task, int) {
        const auto t = static_cast<std::size_t>(task);
        for (std::size_t block = tasks_[t]; block < tasks_[t + 1]; ++block) {
            double sum = 0;
            for (auto i = static_cast<std::size_t>(begins_[block]); i < static_cast<std::size_t>(begins_[block + 1]); ++i) sum += body(i);
            sums_[block] = sum;
        }
    });
}

double CompactSums::result() const {
    std::vector<double> ofAllParts;
    std::span<const double> sums = sums_;
    if (communicator_) {
        ofAllParts.resize(static_cast<std::size_t>(places_.units()) / sizeof(double));
        communicator_->gather(std::as_bytes(sums), places_, std::as_writable_bytes(std::span(ofAllParts)), kEveryRank);
        sums = ofAllParts;
    }
    double all = 0;
    for (const double sum : sums) all += sum;
    return all;
}

void CompactSolver::resize(std::int64_t count) {
    const auto n = static_cast<std::size_t>(count);
    for (HostVector<double>* v : {&b_, &u_, &r_, &q_}) v->resize(n);
    p_.resize(n + 1);
    p_[n] = 0;
    if (!multigrid_) return;
    for (HostVector<float>* v : {&copy_, &z_}) v->resize(n);
}

SolveHistory CompactSolver::solve(const CompactSystem& system, bool isNew, Communicator* communicator, const SolveOptions& options,
                                  const RunContext& context, SolveProgress& progress) {
    const auto start = std::chrono::steady_clock::now();
    if (isNew) setUp(system, communicator, context);
    if (gathered_) return solveGathered(isNew, *communicator, options, context, progress);
    const Arrays arrays{b_.data(), u_.data(), r_.data(), p_.data(), q_.data(), multigrid_ ? copy_.data() : nullptr, z_.data()};
    std::vector<std::unique_ptr<Unknowns>> channel;
    channel.push_back(std::make_unique<Unknowns>(system, arrays, *unknowns_, *sums_, preconditioner_.get(), context));
    return iterateChannels(channel, options, start, progress);
}

void CompactSolver::setUp(const CompactSystem& system, Communicator* communicator, const RunContext& context) {
    preconditioner_.reset();
    gathered_.reset();
    clock_ = {};
    const PartRange own = system.ownUnknowns();
    const Partition owners = communicator ? placesOf(*communicator, static_cast<std::size_t>(own.count())) : Partition();
    if (communicator && owners.units() <= kGathered) {
        gathered_ = std::make_shared<Gathered>(
            Gathered{system.gathered(*communicator), CompactSolver(multigrid_), owners[communicator->rank()], own});
        gathered_->solver.resize(owners.units());
        return;
    }
    unknowns_ = ghostRowsOf(system, owners, communicator);
    sums_ = std::make_unique<CompactSums>(system, communicator);
    if (multigrid_) preconditioner_ = makeAggregationMultigrid(system, *unknowns_, communicator, context, clock_);
}

SolveHistory CompactSolver::solveGathered(bool isNew, Communicator& communicator, const SolveOptions& options, const RunContext& context,
                                          SolveProgress& progress) {
    Gathered& whole = *gathered_;
    const auto count = static_cast<std::size_t>(whole.own.count());
    const std::vector<double> sides =
        gatherBlocks<double>(communicator, std::span(b_).subspan(static_cast<std::size_t>(whole.ofPart.first), count));
    whole.solver.b_.assign(sides.begin(), sides.end());
    SolveHistory history = whole.solver.solve(whole.system, isNew, nullptr, options, context, progress);
    std::copy_n(whole.solver.u_.begin() + whole.own.first, count, u_.begin() + whole.ofPart.first);
    return history;
}

std::uint64_t CompactSolver::bytesOfUnknown(const Shape& shape, bool multigrid) {
    return 5 * sizeof(double) +
           (multigrid ? 2 * sizeof(float) + aggregationMultigridBytes({1, 1, shape.depth}) / static_cast<std::uint64_t>(shape.depth) : 0);
}

}  // namespace parallax::solvers
