// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a grid that a solver works on: all of them, or those of one of several ranks.
#pragma once

#include <cstdint>
#include <span>

#include "core/image/shape.hpp"
#include "core/parallel/communicator.hpp"

namespace parallax::solvers {

/// Rows are numbered y + height * z. A rank has neighbouring rows of an image, or slices of a volume, and keeps copies of the ones next to
/// them, which others have. Arrays of a rank hold the rows that it keeps.
class GridPart {
public:
    /// All rows.
    explicit GridPart(const Shape& grid);
    /// The rows, or slices if the depth is above 1, of a rank. All ranks construct theirs at the same time.
    GridPart(const Shape& grid, const PartRange& own, Communicator& communicator);

    std::int64_t first() const { return own_.first; }
    std::int64_t end() const { return own_.last; }
    std::int64_t rows() const { return own_.count(); }
    std::int64_t firstKept() const { return kept_.first; }
    std::int64_t endKept() const { return kept_.last; }
    std::int64_t samples() const { return rows() * width_; }
    std::int64_t keptSamples() const { return kept_.count() * width_; }
    /// The index of the first sample that is kept.
    std::int64_t origin() const { return kept_.first * width_; }

    /// Copies the kept rows that other ranks have from them. `kept`: the first sample that is kept.
    void exchange(double* kept) const;
    /// The sum of what all ranks found for their rows, on each rank; added in ascending order, so that it does not depend on the parts.
    double sum(std::span<const double> ofRows) const;

private:
    std::int64_t width_, unit_;  // rows from a sample to its furthest neighbour
    PartRange own_, kept_;
    Communicator* communicator_ = nullptr;
    Partition parts_;  // rows of all ranks
};

}  // namespace parallax::solvers
