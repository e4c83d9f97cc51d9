// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/image/host/host_vector.hpp"
#include "core/solvers/iterate.hpp"
#include "core/solvers/plain_multigrid.hpp"

namespace parallax::solvers {
namespace {

/// One right-hand side. Fixed samples take no part: their residual and search direction are 0.
class Channel {
public:
    Channel(const Stencil& stencil, PlainMultigrid& preconditioner, const double* f, double* u, const RunContext& context)
        : s_(stencil), preconditioner_(preconditioner), f_(f), u_(u), context_(context) {
        for (HostVector<double>* v : {&r_, &p_, &q_, &z_}) {
            context_.throwIfStopped();
            v->resize(size());
        }
        if (isSingular()) removeMean();
        norm_ = std::sqrt(squaredNorm());
        if (norm_ <= kRoundingShare * std::fabs(mean_) * std::sqrt(static_cast<double>(size()))) norm_ = 0;
        if (norm_ == 0)
            for (std::size_t i = 0; i < size(); ++i)
                if (!isFixed(i)) u_[i] = 0;
        restart();
    }

    bool isSingular() const { return solvers::isSingular(s_); }
    double removedMean() const { return mean_; }
    double removedShare() const { return share_; }
    double residual() const { return norm_ > 0 ? std::sqrt(rr_) / norm_ : 0; }

    /// r = f - A u: the residual is the true one again.
    void restart() {
        rr_ = 0;
        forEach([&](std::size_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
            r_[i] = isFixed(i) ? 0 : f_[i] - mean_ - applied(s_, u_, x, y, z);
            rr_ += r_[i] * r_[i];
        });
        rz_ = 0;
    }

    void iterate() {
        if (rr_ == 0) return;
        if (isSingular()) centre(r_);  // rounding errors add up to a mean, which nothing else removes
        preconditioner_.apply(r_.data(), z_.data());
        if (isSingular()) centre(z_);
        double rz = 0;
        forEachSample([&](std::size_t i) { rz += r_[i] * z_[i]; });
        const double beta = rz_ > 0 ? rz / rz_ : 0;
        rz_ = rz;
        forEachSample([&](std::size_t i) { p_[i] = beta > 0 ? z_[i] + beta * p_[i] : z_[i]; });
        double pq = 0;
        forEach([&](std::size_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
            q_[i] = isFixed(i) ? 0 : applied(s_, p_.data(), x, y, z);
            pq += p_[i] * q_[i];
        });
        const double alpha = pq > 0 ? rz / pq : 0;
        rr_ = 0;
        forEachSample([&](std::size_t i) {
            u_[i] += alpha * p_[i];
            r_[i] -= alpha * q_[i];
            rr_ += r_[i] * r_[i];
        });
    }

    void finish() {
        if (isSingular()) centre({u_, size()});
    }

private:
    std::size_t size() const { return static_cast<std::size_t>(s_.shape.pixels()); }
    bool isFixed(std::size_t i) const { return s_.fixed && s_.fixed[i]; }

    template <class F>
    void forEach(F&& f) const {
        std::size_t i = 0;
        for (std::int64_t z = 0; z < s_.shape.depth; ++z)
            for (std::int64_t y = 0; y < s_.shape.height; ++y) {
                context_.throwIfStopped();
                for (std::int64_t x = 0; x < s_.shape.width; ++x) f(i++, x, y, z);
            }
    }

    template <class F>
    void forEachSample(F&& f) const {
        forEach([&](std::size_t i, std::int64_t, std::int64_t, std::int64_t) { f(i); });
    }

    static void centre(std::span<double> values) {
        double sum = 0;
        for (const double v : values) sum += v;
        for (double& v : values) v -= sum / static_cast<double>(values.size());
    }

    void removeMean() {
        double sum = 0, squares = 0;
        forEachSample([&](std::size_t i) {
            sum += f_[i];
            squares += f_[i] * f_[i];
        });
        const auto n = static_cast<double>(size());
        mean_ = sum / n;
        share_ = squares > 0 ? std::fabs(mean_) / std::sqrt(squares / n) : 0;
    }

    /// Squared norm of the right-hand side, with what fixed samples contribute.
    double squaredNorm() const {
        double sum = 0;
        forEach([&](std::size_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
            if (isFixed(i)) return;
            double b = f_[i] - mean_;
            if (s_.fixed)
                (void)visitRow(s_, x, y, z, [&](std::int64_t j, double w) {
                    if (isFixed(static_cast<std::size_t>(j))) b += w * u_[j];
                });
            sum += b * b;
        });
        return sum;
    }

    const Stencil& s_;
    PlainMultigrid& preconditioner_;
    const double* f_;
    double* u_;
    const RunContext& context_;
    HostVector<double> r_, p_, q_, z_;
    double mean_ = 0, share_ = 0, norm_ = 0, rr_ = 0, rz_ = 0;
};

}  // namespace

SolveHistory conjugateGradients(const Stencil& stencil, std::int64_t channels, const double* f, double* u, const SolveOptions& options,
                                const RunContext& context, SolveProgress& progress) {
    const auto start = std::chrono::steady_clock::now();
    PlainMultigrid preconditioner(stencil, context);
    std::vector<std::unique_ptr<Channel>> all;
    for (std::int64_t c = 0; c < channels; ++c)
        all.push_back(
            std::make_unique<Channel>(stencil, preconditioner, f + c * stencil.shape.pixels(), u + c * stencil.shape.pixels(), context));
    return iterateChannels(all, options, start, progress);
}

double estimatedReferenceFlops(const ReferenceEstimate& e) {
    const double alone = std::sqrt(std::max(e.largest / e.smallest, 1.0)) / 2 * std::log(2 / kReferenceTolerance);
    const double iterations = std::clamp(alone, 1.0, e.constantWeights ? 30.0 : 150.0);
    // A p, two inner products and three updates; a W-cycle of two sweeps and a residual, of which coarse levels double the work (volumes:
    // add a third).
    return iterations * e.samples * (e.isVolume ? 24 + 4 * 42 / 3.0 : 20 + 2 * 30);
}

std::uint64_t conjugateGradientsBytes(const Shape& shape, std::int64_t channels) {
    return 4 * sizeof(double) * static_cast<std::uint64_t>(shape.pixels() * channels) + PlainMultigrid::bytes(shape);
}

}  // namespace parallax::solvers
