// SPDX-License-Identifier: GPL-3.0-or-later
// The systems that solvers take: A u = f on a grid, where A couples a sample with its 4 (image) or 6 (volume) neighbours. For host and
// device code alike; pointers are in the memory of the caller.
//
//   (A u)_i = diagonal_i u_i + sum over neighbours j of w_ij (u_i - u_j)
//
// A is symmetric, and positive semidefinite for diagonals and weights that are not negative.
#pragma once

#include <cstdint>

#include "core/image/host_device.hpp"
#include "core/image/shape.hpp"

namespace parallax::solvers {

enum class Border {
    neumann,   ///< no edges leave the grid
    dirichlet  ///< edges lead to neighbours outside of the grid that are 0, with the weight of their axis
};

/// Dense arrays, x fastest. Absent arrays are null.
struct Stencil {
    Shape shape;                        ///< of one channel; `channels` is not used
    double axisWeights[3] = {1, 1, 1};  ///< of edges along x, y, z: 1 / spacing^2
    const double* edges[3] = {};        ///< replaces axisWeights: edges[a][i] joins i and its next sample along axis a; the last ones of
                                        ///< a line are not read. All three or none (z may be absent in images)
    double diagonal = 0;
    const double* diagonals = nullptr;    ///< replaces `diagonal`
    const std::uint8_t* fixed = nullptr;  ///< not 0: the sample keeps its value, (A u)_i = u_i; its neighbours see that value
    Border border = Border::neumann;

    PARALLAX_HOST_DEVICE constexpr bool hasConstantWeights() const { return !edges[0] && !diagonals && !fixed; }
};

/// Index of the next sample along an axis, less this one.
PARALLAX_HOST_DEVICE constexpr std::int64_t axisStride(const Shape& s, int axis) {
    return axis == 0 ? 1 : axis == 1 ? s.width : s.width * s.height;
}
PARALLAX_HOST_DEVICE constexpr std::int64_t axisExtent(const Shape& s, int axis) {
    return axis == 0 ? s.width : axis == 1 ? s.height : s.depth;
}

/// Weight of the edge between sample `i` and the next one along an axis.
PARALLAX_HOST_DEVICE constexpr double edgeWeight(const Stencil& s, int axis, std::int64_t i) {
    return s.edges[axis] ? s.edges[axis][i] : s.axisWeights[axis];
}

/// Row i of A, at x, y, z: calls neighbour(j, w) for each neighbour in the grid, and returns the diagonal of A. Not of fixed samples.
template <class F>
PARALLAX_HOST_DEVICE constexpr double visitRow(const Stencil& s, std::int64_t x, std::int64_t y, std::int64_t z, F&& neighbour) {
    const std::int64_t at[3] = {x, y, z}, i = x + s.shape.width * (y + s.shape.height * z);
    double diagonal = s.diagonals ? s.diagonals[i] : s.diagonal;
    for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t n = axisExtent(s.shape, axis), stride = axisStride(s.shape, axis);
        // Images have no third axis, and so no border along it. An axis of one sample otherwise has two.
        if (axis == 2 && n == 1) continue;
        for (int side = 0; side < 2; ++side) {
            const bool inside = side == 0 ? at[axis] > 0 : at[axis] + 1 < n;
            if (!inside && s.border == Border::neumann) continue;
            const double w = inside ? edgeWeight(s, axis, side == 0 ? i - stride : i) : s.axisWeights[axis];
            diagonal += w;
            if (inside) neighbour(side == 0 ? i - stride : i + stride, w);
        }
    }
    return diagonal;
}

/// (A u) at one sample, for u with the values of fixed samples.
PARALLAX_HOST_DEVICE constexpr double applied(const Stencil& s, const double* u, std::int64_t x, std::int64_t y, std::int64_t z) {
    const std::int64_t i = x + s.shape.width * (y + s.shape.height * z);
    if (s.fixed && s.fixed[i]) return u[i];
    double sum = 0;
    const double diagonal = visitRow(s, x, y, z, [&](std::int64_t j, double w) { sum += w * u[j]; });
    return diagonal * u[i] - sum;
}

/// Whether constants are in the null space: no diagonal, no border, no fixed sample. Weights of 0 may divide a grid into parts that this
/// does not see, so they need a diagonal.
PARALLAX_HOST_DEVICE constexpr bool isSingular(const Stencil& s) {
    return s.border == Border::neumann && s.diagonal == 0 && !s.diagonals && !s.fixed;
}

}  // namespace parallax::solvers
