// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a grid that a solver works on: all of them, or those of one of several ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/image/shape.hpp"
#include "core/parallel/communicator.hpp"

namespace parallax::solvers {

/// Rows are numbered y + height * z. A rank has neighbouring rows of an image, or slices of a volume, and keeps copies of those of other
/// ranks up to its reach away: one row or slice, if nothing else is said. Arrays of a rank hold the rows that it keeps.
class GridPart {
public:
    /// All rows.
    explicit GridPart(const Shape& grid);
    /// The rows, or slices if the depth is above 1, of a rank. All ranks construct theirs at the same time.
    GridPart(const Shape& grid, const PartRange& own, Communicator& communicator);
    /// The same rows with another reach.
    GridPart withReach(std::int64_t reach) const;
    /// The rows of a coarser grid made of this one: a rank has those whose first finer row or slice it has. `halved`: two rows or slices
    /// become one.
    GridPart coarser(const Shape& grid, bool halved, std::int64_t reach) const;

    /// Null: there are no other ranks.
    Communicator* communicator() const { return communicator_; }
    /// The extents of the whole grid.
    std::int64_t width() const { return width_; }
    std::int64_t allRows() const { return units_.units() * unit_; }
    /// Rows from a sample to its furthest neighbour: 1, or those of a slice.
    std::int64_t unitRows() const { return unit_; }

    std::int64_t first() const { return own_.first; }
    std::int64_t end() const { return own_.last; }
    std::int64_t rows() const { return own_.count(); }
    std::int64_t firstKept() const { return kept_.first; }
    std::int64_t endKept() const { return kept_.last; }
    std::int64_t samples() const { return rows() * width_; }
    std::int64_t keptSamples() const { return kept_.count() * width_; }
    /// The index of the first sample that is kept.
    std::int64_t origin() const { return kept_.first * width_; }
    /// Samples that are kept before the first own one.
    std::int64_t samplesBefore() const { return (own_.first - kept_.first) * width_; }

    /// Copies the kept rows that other ranks have from them. `kept`: the first sample that is kept. T: float or double.
    template <class T>
    void exchange(T* kept) const {
        static_assert(sizeof(T) % sizeof(float) == 0);
        exchangeRows(reinterpret_cast<float*>(kept), width_ * static_cast<std::int64_t>(sizeof(T) / sizeof(float)));
    }
    /// The sum of what all ranks found for their rows, on each rank; added in ascending order, so that it does not depend on the parts.
    double sum(std::span<const double> ofRows) const;
    /// Collects the own rows of all ranks, from the first own sample on, in `all`: on a rank, or on kEveryRank.
    template <class T>
    void gather(const T* own, T* all, int root) const {
        const std::size_t bytes = static_cast<std::size_t>(width_) * sizeof(T);
        const bool gets = root == kEveryRank || root == communicator_->rank();
        communicator_->gather(std::as_bytes(std::span(own, static_cast<std::size_t>(samples()))), places(bytes),
                              std::as_writable_bytes(std::span(all, gets ? static_cast<std::size_t>(allRows() * width_) : 0)), root);
    }
    /// The opposite: hands each rank its own rows of `all`, which only `root` has.
    void scatter(const double* all, double* own, int root) const;

private:
    /// Rows that this rank sends to another one or receives from it.
    struct Piece {
        int rank;
        bool sent;
        std::int64_t first, rows;
    };
    /// `isCoarse`: a part without rows keeps those around their place, too, since it may have rows of the finer grid.
    GridPart(std::int64_t width, std::int64_t unit, Partition units, Communicator* communicator, std::int64_t reach, bool isCoarse = false);
    void exchangeRows(float* kept, std::int64_t width) const;
    /// Where the own rows of each rank are among those of all.
    Partition places(std::size_t bytesOfRow) const;

    std::int64_t width_, unit_;
    Partition units_;  // rows or slices of all ranks
    Communicator* communicator_ = nullptr;
    PartRange own_, kept_;
    std::vector<Piece> pieces_;  // at most one from each rank, and one to it
};

}  // namespace parallax::solvers
