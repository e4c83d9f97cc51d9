// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/multigrid/hierarchy.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace parallax::gpu {
namespace {

/// One axis of one level.
struct Axis {
    std::vector<double> width{};
    std::vector<double> conductance{};  ///< [i]: between cells i - 1 and i; the first and the last one lead to the border
    std::vector<double> own{}, other{};

    int cells() const { return static_cast<int>(width.size()); }
    static Axis finest(int cells, double weight, bool dirichlet) {
        Axis a;
        a.width.assign(static_cast<std::size_t>(cells), 1);
        a.conductance.assign(static_cast<std::size_t>(cells) + 1, weight);
        if (!dirichlet) a.conductance.front() = a.conductance.back() = 0;
        a.keep();
        return a;
    }
    void keep() {
        own.assign(width.size(), 1);
        other.assign(width.size(), 0);
    }
    /// How strongly cells are coupled along the axis.
    double strength() const {
        double most = 0;
        for (int i = 1; i < cells(); ++i) most = std::max(most, conductance[static_cast<std::size_t>(i)]);
        return most / width.front();
    }
    /// Sets the interpolation and returns the axis of half as many cells.
    Axis coarsen() {
        const std::size_t n = width.size(), half = (n + 1) / 2;
        Axis coarse;
        coarse.width.assign(half, 0);
        coarse.conductance.assign(half + 1, 0);
        keep();
        // From the centre of a cell to that of the pair.
        const auto resistance = [&](std::size_t i) {
            const std::size_t first = i / 2 * 2;
            return first + 1 < n ? 0.5 / conductance[first + 1] : 0;
        };
        for (std::size_t i = 0; i < n; ++i) coarse.width[i / 2] += width[i];
        for (std::size_t i = 2; i < n; i += 2) {
            const double between = resistance(i - 1) + 1 / conductance[i] + resistance(i);
            coarse.conductance[i / 2] = 1 / between;
            other[i - 1] = resistance(i - 1) / between;
            other[i] = resistance(i) / between;
            own[i - 1] = 1 - other[i - 1];
            own[i] = 1 - other[i];
        }
        // A Dirichlet border: the result falls linearly to 0 there.
        const auto border = [&](std::size_t i, double outer) {
            if (outer <= 0) return 0.0;
            const double between = resistance(i) + 1 / outer;
            own[i] -= resistance(i) / between;
            return 1 / between;
        };
        coarse.conductance.front() = border(0, conductance.front());
        coarse.conductance.back() = border(n - 1, conductance.back());
        coarse.keep();
        return coarse;
    }
};

Grid halved(const Grid& g, const std::array<bool, 3>& coarsened) {
    const auto size = [&](int n, int axis) { return std::int64_t{coarsened[static_cast<std::size_t>(axis)] ? (n + 1) / 2 : n}; };
    return Grid::of({size(g.width, 0), size(g.height, 1), size(g.depth, 2)}, g.channels);
}

AxisTable tableOf(const Axis& axis, bool coarsened) {
    AxisTable table{.before = {}, .behind = {}, .width = axis.width, .own = axis.own, .other = axis.other, .coarsened = coarsened};
    for (std::size_t i = 0; i < axis.width.size(); ++i) {
        table.before.push_back(axis.conductance[i] / axis.width[i]);
        table.behind.push_back(axis.conductance[i + 1] / axis.width[i]);
    }
    return table;
}

}  // namespace

std::vector<HierarchyLevel> multigridHierarchy(const Grid& grid, const GridStencil& stencil) {
    std::array<Axis, 3> axes;
    const int cells[3] = {grid.width, grid.height, grid.depth};
    for (std::size_t k = 0; k < 3; ++k)
        axes[k] = Axis::finest(cells[k], stencil.weights[k], stencil.dirichlet && (k < 2 || grid.depth > 1));
    std::vector<HierarchyLevel> levels;
    Grid current = grid;
    for (;;) {
        // Weak axes are not coarsened before the others have become as weak.
        double strongest = 0;
        for (const Axis& axis : axes)
            if (axis.cells() > 1) strongest = std::max(strongest, axis.strength());
        std::array<bool, 3> coarsened{};
        for (std::size_t k = 0; k < 3; ++k) coarsened[k] = axes[k].cells() > 1 && axes[k].strength() > 0.35 * strongest;
        HierarchyLevel& level = levels.emplace_back(HierarchyLevel{.grid = current, .axes = {}});
        for (std::size_t k = 0; k < 3; ++k) {
            Axis now = axes[k];
            if (coarsened[k]) axes[k] = now.coarsen();
            level.axes[k] = tableOf(now, coarsened[k]);
        }
        if (coarsened == std::array<bool, 3>{}) return levels;
        current = halved(current, coarsened);
    }
}

HierarchyLevel rowsOf(const HierarchyLevel& level, std::int64_t first, std::int64_t last) {
    HierarchyLevel part = level;
    part.grid.height = static_cast<int>(last - first);
    AxisTable& rows = part.axes[1];
    const auto keep = [&](std::vector<double>& values) { values = {values.begin() + first, values.begin() + last}; };
    for (std::vector<double>* values : {&rows.before, &rows.behind, &rows.width, &rows.own, &rows.other}) keep(*values);
    // The other coarse cells of the first and the last row lie behind the cut.
    if (first > 0) rows.other.front() = 0;
    if (last < level.grid.height) rows.other.back() = 0;
    return part;
}

}  // namespace parallax::gpu
