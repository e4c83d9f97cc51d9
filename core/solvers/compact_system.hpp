// SPDX-License-Identifier: GPL-3.0-or-later
// The system of a grid with constant weights, Neumann borders and many fixed samples, reduced to the others: its memory and its work follow
// from the number of unknowns.
#pragma once

#include <cstdint>
#include <vector>

#include "core/image/host/host_vector.hpp"
#include "core/solvers/grid_part.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax::solvers {

/// Unknowns are numbered by rows (y + height * z), ascending in x. A part has the equations of its own rows, and knows the unknowns of all
/// rows that it keeps: those of others are ghosts, which come before its own unknowns and after them. To be made in this order: setRows(),
/// `rowBegin` and `columns`, resizeLinks(), linkRow() for each own row, by any number of threads. At most 2^31 - 2 unknowns.
struct CompactSystem {
    Shape shape;                         ///< of the grid; `channels` is not used
    double weights[3] = {1, 1, 1};       ///< of edges along x, y, z
    PartRange own, kept;                 ///< rows: of the equations, and of their unknowns
    std::vector<std::int64_t> rowBegin;  ///< first unknown of each kept row, and their number
    HostVector<std::int32_t> columns;    ///< x of each unknown
    /// directions() for each unknown, in the order -x, +x, -y, +y, -z, +z: the unknown there, or count() for a fixed sample or none. Of
    /// ghosts undefined, as `diagonal` is.
    HostVector<std::int32_t> neighbours;
    HostVector<double> diagonal;

    /// All unknowns that are kept.
    std::int64_t count() const { return static_cast<std::int64_t>(columns.size()); }
    int directions() const { return shape.depth > 1 ? 6 : 4; }
    /// The first unknown of a kept row, or the number of those before the end of the last one.
    std::int64_t begin(std::int64_t row) const { return rowBegin[static_cast<std::size_t>(row - kept.first)]; }
    PartRange ownUnknowns() const { return {begin(own.first), begin(own.last)}; }

    void setRows(const GridPart& part) {
        own = {part.first(), part.end()};
        kept = {part.firstKept(), part.endKept()};
    }

    void resizeLinks() {
        neighbours.resize(columns.size() * static_cast<std::size_t>(directions()));
        diagonal.resize(columns.size());
    }
    /// Writes the neighbours and the diagonal of the unknowns of an own row.
    void linkRow(std::int64_t row);

    /// Returns the system of all parts. All ranks call it.
    CompactSystem gathered(Communicator& communicator) const;

    /// Calls visit(unknown, direction, x, y, z) for each neighbour of the unknowns of an own row that is a fixed sample, at x, y, z.
    template <class F>
    void visitFixed(std::int64_t row, F&& visit) const {
        const std::int64_t y = row % shape.height, z = row / shape.height;
        for (std::int64_t k = begin(row); k < begin(row + 1); ++k)
            for (int d = 0; d < directions(); ++d) {
                if (neighbours[static_cast<std::size_t>(k * directions() + d)] != count()) continue;
                std::int64_t at[3] = {columns[static_cast<std::size_t>(k)], y, z};
                at[d / 2] += d % 2 == 0 ? -1 : 1;
                if (at[d / 2] >= 0 && at[d / 2] < axisExtent(shape, d / 2)) visit(k, d, at[0], at[1], at[2]);
            }
    }
};

}  // namespace parallax::solvers
