// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a grid with constant weights, or of a coarser grid made from it.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/solvers/openmp/kernels.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax::solvers {

struct GridRows {
    Shape shape;
    bool isVolume = false;  ///< of the finest grid: others may have become one slice
    double weights[3] = {};
    double diagonal = 0;
    bool dirichlet = false;
    int halvings[3] = {};             ///< since the finest grid: cells are 2^halvings samples wide
    double lastShare[3] = {1, 1, 1};  ///< extent of the last cell of an axis, of a full cell

    GridRows() = default;
    explicit GridRows(const Stencil& s)
        : shape(s.shape), isVolume(s.shape.depth > 1), diagonal(s.diagonal), dirichlet(s.border == Border::dirichlet) {
        shape.channels = 1;
        for (int a = 0; a < 3; ++a) weights[a] = s.axisWeights[a];
    }

    /// Rows are numbered y + height * z.
    std::int64_t lines() const { return shape.height * shape.depth; }

    /// Weight of the edge to the zeros outside: they lie one sample beyond the border of the finest grid.
    double outer(int axis, double share) const { return dirichlet ? weights[axis] * 2 / (share + std::ldexp(1.0, -halvings[axis])) : 0; }

    RowCoefficients coefficients(std::int64_t line) const {
        const std::int64_t y = line % shape.height, z = line / shape.height;
        const double sy = y + 1 == shape.height ? lastShare[1] : 1, sz = z + 1 == shape.depth ? lastShare[2] : 1, area = sy * sz;
        RowCoefficients k;
        k.wx = weights[0] * area;
        k.lastScale = lastShare[0];
        double sides = 0;
        const auto side = [&](int i, bool inside, int axis, double scale, double share) {
            k.side[i] = inside ? weights[axis] * scale : 0;
            sides += inside ? k.side[i] : outer(axis, share) * scale;
        };
        side(0, y > 0, 1, sz, shape.height == 1 ? sy : 1);
        side(1, y + 1 < shape.height, 1, sz, sy);
        if (isVolume) {
            side(2, z > 0, 2, sy, shape.depth == 1 ? sz : 1);
            side(3, z + 1 < shape.depth, 2, sy, sz);
        }
        const double own = diagonal * area + sides, sx = lastShare[0];
        k.diagonal = own + 2 * k.wx;
        k.first = own + k.wx + outer(0, 1) * area;
        k.last = own * sx + (shape.width > 1 ? k.wx : outer(0, sx) * area) + outer(0, sx) * area;
        return k;
    }

    template <class T>
    RowNeighbours<T> neighbours(const T* u, std::int64_t line) const {
        const std::int64_t y = line % shape.height, z = line / shape.height, slice = shape.width * shape.height;
        const T* own = u + line * shape.width;
        RowNeighbours<T> n{own, {y > 0 ? own - shape.width : own, y + 1 < shape.height ? own + shape.width : own, nullptr, nullptr}};
        if (isVolume) {
            n.side[2] = z > 0 ? own - slice : own;
            n.side[3] = z + 1 < shape.depth ? own + slice : own;
        }
        return n;
    }
};

}  // namespace parallax::solvers
