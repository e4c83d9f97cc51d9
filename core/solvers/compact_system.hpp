// SPDX-License-Identifier: GPL-3.0-or-later
// The system of a grid with constant weights, Neumann borders and many fixed samples, reduced to the others: its memory and its work follow
// from the number of unknowns.
#pragma once

#include <cstdint>
#include <vector>

#include "core/solvers/stencil.hpp"

namespace parallax::solvers {

/// Unknowns are numbered by rows (y + height * z), ascending in x. To be made in this order: `rowBegin` and `columns`, resizeLinks(),
/// linkRow() for each row, by any number of threads. At most 2^31 - 2 unknowns.
struct CompactSystem {
    Shape shape;                         ///< of the grid; `channels` is not used
    double weights[3] = {1, 1, 1};       ///< of edges along x, y, z
    std::vector<std::int64_t> rowBegin;  ///< first unknown of each row, and their number
    std::vector<std::int32_t> columns;   ///< x of each unknown
    /// directions() for each unknown, in the order -x, +x, -y, +y, -z, +z: the unknown there, or count() for a fixed sample or none.
    std::vector<std::int32_t> neighbours;
    std::vector<double> diagonal;

    std::int64_t count() const { return static_cast<std::int64_t>(columns.size()); }
    int directions() const { return shape.depth > 1 ? 6 : 4; }
    std::int64_t rows() const { return shape.height * shape.depth; }

    void resizeLinks() {
        neighbours.resize(columns.size() * static_cast<std::size_t>(directions()));
        diagonal.resize(columns.size());
    }
    /// Writes the neighbours and the diagonal of the unknowns of a row.
    void linkRow(std::int64_t row);

    /// Calls visit(unknown, direction, x, y, z) for each neighbour of the unknowns of a row that is a fixed sample, at x, y, z.
    template <class F>
    void visitFixed(std::int64_t row, F&& visit) const {
        const std::int64_t y = row % shape.height, z = row / shape.height;
        for (std::int64_t k = rowBegin[static_cast<std::size_t>(row)]; k < rowBegin[static_cast<std::size_t>(row) + 1]; ++k)
            for (int d = 0; d < directions(); ++d) {
                if (neighbours[static_cast<std::size_t>(k * directions() + d)] != count()) continue;
                std::int64_t at[3] = {columns[static_cast<std::size_t>(k)], y, z};
                at[d / 2] += d % 2 == 0 ? -1 : 1;
                if (at[d / 2] >= 0 && at[d / 2] < axisExtent(shape, d / 2)) visit(k, d, at[0], at[1], at[2]);
            }
    }
};

}  // namespace parallax::solvers
