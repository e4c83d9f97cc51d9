// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/multigrid.hpp"

#include <algorithm>
#include <array>

#include "core/solvers/reporting.hpp"

namespace parallax::gpu {
namespace {

/// One axis of one level, in double.
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

/// Collects tables with their padding.
class Tables {
public:
    std::size_t add(const std::vector<double>& values, float padding) {
        const std::size_t at = floats_.size() + kAxisPadding;
        floats_.insert(floats_.end(), kAxisPadding, padding);
        for (const double v : values) floats_.push_back(static_cast<float>(v));
        floats_.insert(floats_.end(), kAxisPadding, padding);
        return at;
    }
    const std::vector<float>& floats() const { return floats_; }

private:
    std::vector<float> floats_;
};

/// Levels that are so small that one block computes them faster than the launches of more would take.
constexpr std::int64_t kTailCells = 1024;

Grid halved(const Grid& g, const std::array<bool, 3>& coarsened) {
    const auto size = [&](int n, int axis) { return std::int64_t{coarsened[static_cast<std::size_t>(axis)] ? (n + 1) / 2 : n}; };
    return Grid::of({size(g.width, 0), size(g.height, 1), size(g.depth, 2)}, g.channels);
}

}  // namespace

Multigrid::Multigrid(const Grid& grid, const GridStencil& stencil, float* b, float* z, const std::shared_ptr<Allocator>& allocator,
                     cudaStream_t stream) {
    std::array<Axis, 3> axes;
    const int cells[3] = {grid.width, grid.height, grid.depth};
    for (std::size_t k = 0; k < 3; ++k)
        axes[k] = Axis::finest(cells[k], stencil.weights[k], stencil.dirichlet && (k < 2 || grid.depth > 1));
    Tables tables;
    std::vector<std::array<std::array<std::size_t, 5>, 3>> places;
    Grid current = grid;
    std::size_t floats = 0;
    for (;;) {
        // Weak axes are not coarsened before the others have become as weak.
        double strongest = 0;
        for (const Axis& axis : axes)
            if (axis.cells() > 1) strongest = std::max(strongest, axis.strength());
        std::array<bool, 3> coarsened{};
        for (std::size_t k = 0; k < 3; ++k) coarsened[k] = axes[k].cells() > 1 && axes[k].strength() > 0.35 * strongest;
        MultigridLevel level{.grid = current, .axes = {}, .mass = static_cast<float>(stencil.diagonal)};
        const std::array<Axis, 3> fine = axes;
        auto& place = places.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
            Axis now = fine[k];
            if (coarsened[k]) axes[k] = now.coarsen();
            std::vector<double> before, behind;
            for (std::size_t i = 0; i < now.width.size(); ++i) {
                before.push_back(now.conductance[i] / now.width[i]);
                behind.push_back(now.conductance[i + 1] / now.width[i]);
            }
            place[k] = {tables.add(before, 0), tables.add(behind, 0), tables.add(now.width, 1), tables.add(now.own, 0),
                        tables.add(now.other, 0)};
            level.axes[k].coarsened = coarsened[k];
            const auto isLikeMiddle = [&](std::size_t i) {
                const std::size_t m = now.width.size() / 2;
                return before[i] == before[m] && behind[i] == before[m] && now.width[i] == now.width[m] && now.own[i] == now.own[m] &&
                       now.other[i] == now.other[m];
            };
            std::size_t begin = now.width.size() / 2, end = begin;
            while (begin > 0 && isLikeMiddle(begin - 1)) --begin;
            while (end < now.width.size() && isLikeMiddle(end)) ++end;
            level.axes[k].evenBegin = static_cast<int>(begin);
            level.axes[k].evenEnd = static_cast<int>(end);
        }
        if (!levels_.empty()) floats += 2 * static_cast<std::size_t>(current.elements());
        levels_.push_back(level);
        if (coarsened == std::array<bool, 3>{}) break;
        current = halved(current, coarsened);
    }
    tables_ = {allocator, std::span<const float>(tables.floats()), stream};
    arrays_ = {allocator, floats};
    if (floats > 0) check(cudaMemsetAsync(arrays_.data(), 0, floats * sizeof(float), stream), "Device memory could not be cleared");
    float* next = arrays_.data();
    for (std::size_t i = 0; i < levels_.size(); ++i) {
        MultigridLevel& level = levels_[i];
        for (std::size_t k = 0; k < 3; ++k) {
            const auto& [before, behind, width, own, other] = places[i][k];
            const float* const t = tables_.data();
            MultigridAxis& axis = level.axes[k];
            axis = {t + before, t + behind, t + width, t + own, t + other, axis.coarsened, axis.evenBegin, axis.evenEnd};
        }
        level.b = i == 0 ? b : next;
        level.z = i == 0 ? z : next + level.grid.elements();
        if (i > 0) next += 2 * level.grid.elements();
    }
    firstOfTail_ = levels_.size() - 1;
    while (firstOfTail_ > 0 && levels_[firstOfTail_ - 1].grid.samples() <= kTailCells &&
           levels_.size() - firstOfTail_ < static_cast<std::size_t>(kMostTailLevels))
        --firstOfTail_;
    MultigridTail tail;
    tail.count = static_cast<int>(levels_.size() - firstOfTail_);
    std::copy(levels_.begin() + static_cast<std::ptrdiff_t>(firstOfTail_), levels_.end(), tail.levels);
    tail_ = {allocator, std::span<const MultigridTail>(&tail, 1), stream};
}

std::uint64_t Multigrid::estimateBytes(const Grid& grid) {
    // b and z of all coarser levels take at most as much as half of the finest ones; rows are padded, and thin grids shrink along one axis.
    const std::uint64_t tables = 5 * 2 *
                                 (static_cast<std::uint64_t>(grid.width) + static_cast<std::uint64_t>(grid.height) +
                                  static_cast<std::uint64_t>(grid.depth) + 3 * 24 * 2 * kAxisPadding);
    return (2 * static_cast<std::uint64_t>(grid.elements()) + tables) * sizeof(float) + sizeof(MultigridTail) + (1U << 16);
}

void Multigrid::preloadKernels() { preloadMultigrid(); }

void Multigrid::apply(const SolveArguments& a, cudaStream_t stream, DeviceLaps* laps) const {
    for (std::size_t i = 0; i < firstOfTail_; ++i) {
        launchMultigridDown(a, levels_[i], levels_[i + 1], stream);
        endLevelLap(laps, solvers::kLapCycle, i);
    }
    launchMultigridTail(a, tail_.data(), stream);
    endLevelLap(laps, solvers::kLapCycle, firstOfTail_);
    for (std::size_t i = firstOfTail_; i-- > 0;) {
        launchMultigridUp(a, levels_[i], levels_[i + 1], stream);
        endLevelLap(laps, solvers::kLapCycle, i);
    }
    if (firstOfTail_ > 0 && multigridUpComputesInner(levels_[0])) return;
    launchMultigridInner(a, levels_[0], stream);
    endLap(laps, solvers::kLapProduct);
}

}  // namespace parallax::gpu
