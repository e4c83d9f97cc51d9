// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/plain_multigrid.hpp"

#include <algorithm>
#include <utility>

namespace parallax::solvers {
namespace {

std::int64_t half(std::int64_t n) { return (n + 1) / 2; }

/// Calls f(i, x, y, z) for all samples, or in opposite order.
template <class F>
void forEach(const Shape& s, const RunContext& context, bool forwards, F&& f) {
    const std::int64_t rows = s.height * s.depth;
    for (std::int64_t k = 0; k < rows; ++k) {
        context.throwIfStopped();
        const std::int64_t row = forwards ? k : rows - 1 - k, y = row % s.height, z = row / s.height, first = row * s.width;
        if (forwards)
            for (std::int64_t x = 0; x < s.width; ++x) f(first + x, x, y, z);
        else
            for (std::int64_t x = s.width - 1; x >= 0; --x) f(first + x, x, y, z);
    }
}

bool isFixed(const Stencil& s, std::int64_t i) { return s.fixed && s.fixed[i]; }

/// Index of the group that a sample belongs to.
std::int64_t groupOf(const Shape& coarse, std::int64_t x, std::int64_t y, std::int64_t z) {
    return x / 2 + coarse.width * (y / 2 + coarse.height * (z / 2));
}

}  // namespace

PlainMultigrid::PlainMultigrid(const Stencil& stencil, const RunContext& context) : context_(context) {
    levels_.emplace_back().stencil = stencil;
    levels_.back().stencil.shape.channels = 1;
    while (levels_.back().stencil.shape.pixels() > 1) levels_.push_back(coarsened(levels_.back()));
    for (std::size_t l = 1; l < levels_.size(); ++l) {
        Level& level = levels_[l];
        for (HostVector<double>* v : {&level.f, &level.u, &level.r, &level.second})
            v->resize(static_cast<std::size_t>(level.stencil.shape.pixels()));
        // A moved level has moved arrays.
        level.stencil.diagonals = level.diagonals.data();
        for (int a = 0; a < 3; ++a) level.stencil.edges[a] = level.edges[a].data();
    }
}

PlainMultigrid::Level PlainMultigrid::coarsened(const Level& fine) const {
    Stencil s = fine.stencil;
    if (!fine.diagonals.empty()) s.diagonals = fine.diagonals.data();
    for (int a = 0; a < 3; ++a)
        if (!fine.edges[a].empty()) s.edges[a] = fine.edges[a].data();
    Level coarse;
    Shape& shape = coarse.stencil.shape;
    shape = {half(s.shape.width), half(s.shape.height), half(s.shape.depth), 1};
    const auto n = static_cast<std::size_t>(shape.pixels());
    coarse.diagonals.assign(n, 0);
    for (HostVector<double>& edges : coarse.edges) edges.assign(n, 0);
    forEach(s.shape, context_, true, [&](std::int64_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
        if (isFixed(s, i)) return;
        const std::int64_t group = groupOf(shape, x, y, z);
        double& rest = coarse.diagonals[static_cast<std::size_t>(group)];  // what is not an edge between unknown samples
        const double own = s.diagonals ? s.diagonals[i] : s.diagonal;
        double inside = own;  // added in the order of visitRow(): without edges that leave the grid exactly its sum
        const double diagonal = visitRow(s, x, y, z, [&](std::int64_t j, double w) {
            inside += w;
            if (isFixed(s, j)) rest += w;
        });
        rest += own + (diagonal - inside);
        const std::int64_t at[3] = {x, y, z};
        for (int axis = 0; axis < 3; ++axis) {
            if (at[axis] + 1 == axisExtent(s.shape, axis) || isFixed(s, i + axisStride(s.shape, axis))) continue;
            const std::int64_t next = groupOf(shape, x + (axis == 0), y + (axis == 1), z + (axis == 2));
            if (next != group) coarse.edges[axis][static_cast<std::size_t>(group)] += edgeWeight(s, axis, i);
        }
    });
    return coarse;
}

void PlainMultigrid::apply(const double* r, double* z) { cycle(0, r, z); }

/// Gauss-Seidel.
void PlainMultigrid::sweep(const Stencil& s, const double* f, double* u, bool forwards) const {
    forEach(s.shape, context_, forwards, [&](std::int64_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
        if (isFixed(s, i)) return;
        double sum = f[i];
        const double diagonal = visitRow(s, x, y, z, [&](std::int64_t j, double w) { sum += w * u[j]; });
        u[i] = diagonal > 0 ? sum / diagonal : 0;
    });
}

void PlainMultigrid::cycle(std::size_t l, const double* f, double* u) {
    const Stencil& s = levels_[l].stencil;
    std::fill_n(u, s.shape.pixels(), 0.0);
    sweep(s, f, u, true);
    if (l + 1 == levels_.size()) return;
    Level& coarse = levels_[l + 1];
    const Shape& shape = coarse.stencil.shape;
    std::fill(coarse.f.begin(), coarse.f.end(), 0.0);
    forEach(s.shape, context_, true, [&](std::int64_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
        if (!isFixed(s, i)) coarse.f[static_cast<std::size_t>(groupOf(shape, x, y, z))] += f[i] - applied(s, u, x, y, z);
    });
    cycle(l + 1, coarse.f.data(), coarse.u.data());
    forEach(shape, context_, true, [&](std::int64_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
        const auto k = static_cast<std::size_t>(i);
        coarse.r[k] = coarse.f[k] - applied(coarse.stencil, coarse.u.data(), x, y, z);
    });
    cycle(l + 1, coarse.r.data(), coarse.second.data());
    forEach(s.shape, context_, true, [&](std::int64_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
        const auto group = static_cast<std::size_t>(groupOf(shape, x, y, z));
        if (!isFixed(s, i)) u[i] += coarse.u[group] + coarse.second[group];
    });
    sweep(s, f, u, false);
}

std::uint64_t PlainMultigrid::bytes(const Shape& shape) {
    std::uint64_t samples = 0;
    for (Shape s = shape; s.width * s.height * s.depth > 1;) {
        s = {half(s.width), half(s.height), half(s.depth), 1};
        samples += static_cast<std::uint64_t>(s.pixels());
    }
    return 8 * sizeof(double) * samples;  // the arrays of a Level
}

}  // namespace parallax::solvers
