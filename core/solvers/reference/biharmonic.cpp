// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/reference/biharmonic.hpp"

#include <cmath>
#include <vector>

#include "core/image/host/host_vector.hpp"
#include "core/solvers/conjugate_gradients.hpp"
#include "core/solvers/iterate.hpp"

namespace parallax::solvers {
namespace {

/// Relative residual of the harmonic systems that precondition the iteration.
constexpr SolveOptions kInner{.tolerance = 0.01, .iterations = 100};

/// Calls body(i, x, y, z) for all samples. Throws Error(cancelled).
template <class F>
void forEachSample(const Shape& shape, const RunContext& context, F&& body) {
    std::size_t i = 0;
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height; ++y) {
            context.throwIfStopped();
            for (std::int64_t x = 0; x < shape.width; ++x) body(i++, x, y, z);
        }
}

/// L of all samples: that of `stencil` without its mask.
Stencil withoutMask(const Stencil& stencil) {
    Stencil all = stencil;
    all.fixed = nullptr;
    return all;
}

/// The system of one channel, for iterateChannels().
class Plate {
public:
    Plate(const Stencil& stencil, double* u, const RunContext& context)
        : masked_(stencil), l_(withoutMask(stencil)), u_(u), context_(context) {
        const auto n = static_cast<std::size_t>(stencil.shape.pixels());
        for (HostVector<double>* v : {&r_, &p_, &q_, &z_, &second_, &lu_}) v->assign(n, 0);
        forEachSample(shape(), context_, [&](std::size_t i, auto...) {
            if (!isFixed(i)) u_[i] = 0;
        });
        norm_ = std::sqrt(setResidual());
        restart();
    }

    bool isSingular() const { return false; }
    double removedMean() const { return 0; }
    double removedShare() const { return 0; }
    double residual() const { return norm_ > 0 ? std::sqrt(rr_) / norm_ : 0; }
    void finish() {}

    void restart() {
        rr_ = setResidual();
        isFirst_ = true;
    }

    /// Conjugate gradients with a preconditioner that is not quite linear, hence the second product in beta (Notay, SIAM J. Sci. Comput.
    /// 22, 2000).
    void iterate() {
        if (rr_ == 0) return;
        solveHarmonic(r_, second_);
        solveHarmonic(second_, z_);
        double rz = 0, zq = 0;
        forEachSample(shape(), context_, [&](std::size_t i, auto...) {
            rz += r_[i] * z_[i];
            zq += q_[i] * z_[i];
        });
        const double beta = isFirst_ || !(rz_ > 0) ? 0 : -alpha_ * zq / rz_;
        rz_ = rz;
        isFirst_ = false;
        forEachSample(shape(), context_, [&](std::size_t i, auto...) { p_[i] = z_[i] + beta * p_[i]; });
        applyTwice(p_.data(), q_);
        double pq = 0;
        forEachSample(shape(), context_, [&](std::size_t i, auto...) { pq += p_[i] * q_[i]; });
        alpha_ = pq > 0 ? rz / pq : 0;
        rr_ = 0;
        forEachSample(shape(), context_, [&](std::size_t i, auto...) {
            if (isFixed(i)) return;
            u_[i] += alpha_ * p_[i];
            r_[i] -= alpha_ * q_[i];
            rr_ += r_[i] * r_[i];
        });
    }

private:
    const Shape& shape() const { return l_.shape; }
    bool isFixed(std::size_t i) const { return masked_.fixed[i] != 0; }

    /// result = L L v on the samples that are not fixed, 0 on the others.
    void applyTwice(const double* v, HostVector<double>& result) {
        forEachSample(shape(), context_,
                      [&](std::size_t i, std::int64_t x, std::int64_t y, std::int64_t z) { lu_[i] = applied(l_, v, x, y, z); });
        forEachSample(shape(), context_, [&](std::size_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
            result[i] = isFixed(i) ? 0 : applied(l_, lu_.data(), x, y, z);
        });
    }

    /// r = -L L u. Returns its squared norm.
    double setResidual() {
        applyTwice(u_, r_);
        double sum = 0;
        for (double& r : r_) {
            r = -r;
            sum += r * r;
        }
        return sum;
    }

    /// L x = f on the samples that are not fixed, about.
    void solveHarmonic(const HostVector<double>& f, HostVector<double>& x) const {
        std::fill(x.begin(), x.end(), 0.0);
        SolveProgress untold(RunContext{}, 0);
        (void)conjugateGradients(masked_, 1, f.data(), x.data(), kInner, context_, untold);
    }

    const Stencil& masked_;
    Stencil l_;
    double* u_;
    const RunContext& context_;
    HostVector<double> r_, p_, q_, z_, second_, lu_;
    double norm_ = 0, rr_ = 0, rz_ = 0, alpha_ = 0;
    bool isFirst_ = true;
};

}  // namespace

SolveHistory solveBiharmonic(const Stencil& stencil, double* u, const SolveOptions& options, const RunContext& context,
                             SolveProgress& progress) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::unique_ptr<Plate>> channel;
    channel.push_back(std::make_unique<Plate>(stencil, u, context));
    return iterateChannels(channel, options, start, progress);
}

Judgement biharmonicJudgement(const Stencil& stencil, const float* u, double tolerance) {
    const auto n = static_cast<std::size_t>(stencil.shape.pixels());
    const Stencil l = withoutMask(stencil);
    // All samples, the fixed ones alone, the magnitudes of the others; and L of each.
    HostVector<double> values(n), fixed(n), magnitudes(n), lValues(n), lFixed(n), lMagnitudes(n);
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = static_cast<double>(u[i]);
        fixed[i] = stencil.fixed[i] ? values[i] : 0;
        magnitudes[i] = stencil.fixed[i] ? 0 : std::fabs(values[i]);
    }
    const auto absolute = [&](const HostVector<double>& v, std::size_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
        double sum = 0;
        const double diagonal = visitRow(l, x, y, z, [&](std::int64_t j, double w) { sum += w * v[static_cast<std::size_t>(j)]; });
        return diagonal * v[i] + sum;
    };
    forEachSample(l.shape, {}, [&](std::size_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
        lValues[i] = applied(l, values.data(), x, y, z);
        lFixed[i] = applied(l, fixed.data(), x, y, z);
        lMagnitudes[i] = absolute(magnitudes, i, x, y, z);
    });
    double residual = 0, norm = 0, rounding = 0;
    forEachSample(l.shape, {}, [&](std::size_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
        if (stencil.fixed[i]) return;
        residual += std::pow(applied(l, lValues.data(), x, y, z), 2);
        norm += std::pow(applied(l, lFixed.data(), x, y, z), 2);
        rounding += std::pow(absolute(lMagnitudes, i, x, y, z), 2);
    });
    Judgement j{.criterion = "Relative residual in float32", .value = 0, .bound = tolerance * SolveHistory::kSlack, .reason = {}};
    j.reason = "1.5 times the tolerance, and what rounding the result to float32 adds: 2^-24 |L||L||u| / |f|";
    if (norm > 0) {
        j.value = std::sqrt(residual / norm);
        j.bound += 0x1p-24 * std::sqrt(rounding / norm);
    }
    return j;
}

std::uint64_t biharmonicBytes(const Shape& shape) {
    return 6 * sizeof(double) * static_cast<std::uint64_t>(shape.pixels()) + conjugateGradientsBytes(shape, 1);
}

}  // namespace parallax::solvers
