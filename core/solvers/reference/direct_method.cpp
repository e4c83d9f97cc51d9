// SPDX-License-Identifier: GPL-3.0-or-later
// Cosine transforms by their definition, serial: the oracle for images with constant weights and Neumann borders. Conjugate gradients
// need as many iterations as the image has columns, and more, so that the plain sums are also the faster way.
#include <chrono>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/image/error.hpp"
#include "core/image/host/host_vector.hpp"
#include "core/solvers/host_method.hpp"
#include "core/solvers/reference/first_part.hpp"

namespace parallax::solvers {
namespace {

/// cos(pi i / 2n) for i in [0, 4n), and the eigenvalues of the second difference.
struct Cosines {
    explicit Cosines(std::int64_t n) : count(static_cast<std::size_t>(n)), values(4 * count) {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = std::cos(std::numbers::pi * static_cast<double>(i) / (2 * static_cast<double>(n)));
    }
    /// Basis function k at sample j, with a sum of squares of 1.
    double operator()(std::size_t k, std::size_t j) const {
        const double norm = std::sqrt((k == 0 ? 1.0 : 2.0) / static_cast<double>(count));
        return norm * values[k * (2 * j + 1) % values.size()];
    }
    double eigenvalue(std::size_t k) const {
        const double half = std::sin(std::numbers::pi * static_cast<double>(k) / (2 * static_cast<double>(count)));
        return 4 * half * half;
    }
    std::size_t count;
    std::vector<double> values;
};

using Plane = HostVector<double>;

/// Rows of all transforms of a solve.
class Rows {
public:
    Rows(SolveProgress& progress, std::size_t all, const RunContext& context)
        : progress_(progress), all_(static_cast<double>(all)), context_(context) {}
    void next() {
        context_.throwIfStopped();
        progress_.advance(done_++ / all_);
    }

private:
    SolveProgress& progress_;
    double all_, done_ = 0;
    const RunContext& context_;
};

/// Transforms the columns of a plane of c.count rows: to coefficients, or back.
Plane transformed(const Plane& from, const Cosines& c, bool back, Rows& rows) {
    const std::size_t width = from.size() / c.count;
    Plane to(from.size(), 0.0);
    for (std::size_t row = 0; row < c.count; ++row) {
        rows.next();
        for (std::size_t other = 0; other < c.count; ++other) {
            const double factor = back ? c(other, row) : c(row, other);
            for (std::size_t x = 0; x < width; ++x) to[row * width + x] += factor * from[other * width + x];
        }
    }
    return to;
}

Plane transposed(const Plane& from, std::size_t width) {
    const std::size_t height = from.size() / width;
    Plane to(from.size());
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) to[x * height + y] = from[y * width + x];
    return to;
}

/// Relative residual of u.
double residualOf(const Stencil& s, const double* f, double mean, const double* u) {
    double residual = 0, norm = 0;
    for (std::int64_t y = 0, i = 0; y < s.shape.height; ++y)
        for (std::int64_t x = 0; x < s.shape.width; ++x, ++i) {
            const double b = f[i] - mean, r = b - applied(s, u, x, y, 0);
            residual += r * r;
            norm += b * b;
        }
    return norm > 0 ? std::sqrt(residual / norm) : 0;
}

class DirectMethod final : public HostMethod {
public:
    void forEachRow(const RunContext& context, std::int64_t rows, const std::function<void(std::int64_t)>& body) const override {
        for (std::int64_t row = 0; row < rows; ++row) {
            context.throwIfStopped();
            body(row);
        }
    }

    SolveHistory solve(const Stencil& stencil, const GridPart& part, std::int64_t channels, const double* f, double* u, const SolveOptions&,
                       const RunContext& context, SolveProgress& progress) override {
        return solveOnFirstPart(stencil, part, channels, f, u, progress, [&](const Stencil& whole, const double* allF, double* allU) {
            return solveWhole(whole, channels, allF, allU, context, progress);
        });
    }

private:
    static SolveHistory solveWhole(const Stencil& s, std::int64_t channels, const double* f, double* u, const RunContext& context,
                                   SolveProgress& progress) {
        if (!s.hasConstantWeights() || s.border != Border::neumann || s.shape.depth > 1)
            throw Error(ErrorCode::unavailable, "This system cannot be solved by cosines");
        const auto start = std::chrono::steady_clock::now();
        const Cosines across(s.shape.width), down(s.shape.height);
        const std::int64_t pixels = s.shape.pixels();
        SolveHistory history{.points = {{1, 0}}, .end = SolveEnd::direct, .removedMeans = {}, .removedShares = {}};
        Rows rows(progress, 2 * (across.count + down.count) * static_cast<std::size_t>(channels), context);
        for (std::int64_t c = 0; c < channels; ++c) solveOne(s, across, down, f + c * pixels, u + c * pixels, rows, history);
        history.points.push_back({history.trueResidual, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
        progress.finishSolve();
        return history;
    }

    static void solveOne(const Stencil& s, const Cosines& across, const Cosines& down, const double* f, double* u, Rows& rows,
                         SolveHistory& history) {
        const std::size_t width = across.count, height = down.count;
        // Columns, then rows, as columns of the transposed plane.
        Plane v = transformed(Plane(f, f + width * height), down, false, rows);
        v = transformed(transposed(v, width), across, false, rows);
        for (std::size_t i = 0; i < width; ++i)
            for (std::size_t j = 0; j < height; ++j) {
                const double eigenvalue = s.axisWeights[0] * across.eigenvalue(i) + s.axisWeights[1] * down.eigenvalue(j) + s.diagonal;
                double& coefficient = v[i * height + j];
                coefficient = eigenvalue > 0 ? coefficient / eigenvalue : 0;  // the mean of a singular system
            }
        v = transposed(transformed(v, across, true, rows), height);
        v = transformed(v, down, true, rows);
        std::copy(v.begin(), v.end(), u);
        double mean = 0;
        if (isSingular(s)) {
            double sum = 0, squares = 0;
            for (std::size_t i = 0; i < v.size(); ++i) {
                sum += f[i];
                squares += f[i] * f[i];
            }
            const auto n = static_cast<double>(v.size());
            mean = sum / n;
            history.removedMeans.push_back(mean);
            history.removedShares.push_back(squares > 0 ? std::fabs(mean) / std::sqrt(squares / n) : 0);
        }
        history.trueResidual = std::max(history.trueResidual, residualOf(s, f, mean, u));
    }
};

}  // namespace

HostMethodKind referenceDirectMethod() {
    return {.variant = "serial",
            .summary = "Cosine transforms by their definition in double precision, serial: the oracle, not a baseline for speed",
            .make = [] { return std::make_unique<DirectMethod>(); },
            .bytes =
                [](const Shape& shape, std::int64_t, bool) {
                    return sizeof(double) *
                           (3 * static_cast<std::uint64_t>(shape.pixels()) + 4 * static_cast<std::uint64_t>(shape.width + shape.height));
                }};
}

}  // namespace parallax::solvers
