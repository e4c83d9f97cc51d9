// SPDX-License-Identifier: GPL-3.0-or-later
// A preconditioner for the oracle: plain multigrid, serial, in double precision, for every stencil. It shares no code with the multigrid of
// the backends, and a mistake in it can only cost iterations: the oracle iterates until the true residual is small.
#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/image/host/host_vector.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax::solvers {

/// Two by two (by two) samples become one, until one is left: an edge of the coarse grid has the sum of the weights of the edges between
/// its two groups, so that the coarse system is a stencil again (Galerkin products with piecewise constant interpolation; Braess, Computing
/// 55, 1995). One Gauss-Seidel sweep before and one in opposite order after; every coarse system is visited twice (W-cycle), without which
/// this interpolation needs more iterations the larger the grid is (Notay, Electronic Transactions on Numerical Analysis 37, 2010).
class PlainMultigrid {
public:
    /// Keeps `stencil` by reference.
    PlainMultigrid(const Stencil& stencil, const RunContext& context);
    /// z = approximately the solution of A z = r: a symmetric positive definite map of r. Of fixed samples z is 0.
    void apply(const double* r, double* z);
    static std::uint64_t bytes(const Shape& shape);

private:
    struct Level {
        Stencil stencil;
        HostVector<double> edges[3], diagonals;  // of `stencil`; empty on the finest level
        HostVector<double> f, u, r, second;      // right-hand side, first visit's solution, its residual, second visit's; not of the finest
    };
    Level coarsened(const Level& fine) const;
    void cycle(std::size_t level, const double* f, double* u);
    void sweep(const Stencil& s, const double* f, double* u, bool forwards) const;

    std::vector<Level> levels_;
    const RunContext& context_;
};

}  // namespace parallax::solvers
