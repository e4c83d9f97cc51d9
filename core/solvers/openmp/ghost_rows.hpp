// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/image/host/host_vector.hpp"
#include "core/parallel/communicator.hpp"
#include "core/solvers/openmp/sparse_matrix.hpp"

namespace parallax::solvers {

/// The unknowns of a compact system, or of a level of algebraic multigrid. Each part has neighbouring ones, and copies (ghosts) of those of
/// other parts that its rows of the matrix use. In arrays the ghosts of parts before come first, then the own unknowns, then the ghosts of
/// parts after; pointers are those of the first own one.
class GhostRows {
public:
    /// One part has all unknowns.
    explicit GhostRows(std::int64_t unknowns) : owners_(unknowns, 1) {}
    /// All ranks construct theirs at the same time. `ghosts`: their numbers among the unknowns of all parts, ascending.
    GhostRows(Communicator& communicator, const Partition& owners, std::vector<std::int64_t> ghosts);

    std::int64_t own() const { return range().count(); }
    std::int64_t all() const { return owners_.units(); }
    std::int64_t before() const { return before_; }
    std::int64_t after() const { return static_cast<std::int64_t>(ghosts_.size()) - before_; }
    /// Ghosts and own ones.
    std::int64_t kept() const { return own() + static_cast<std::int64_t>(ghosts_.size()); }
    /// The number among all unknowns of one that the part keeps, counted from its first own one.
    std::int64_t numberOf(std::int64_t kept) const;

    /// Copies the values of all ghosts from their owners. T: float, double or std::int32_t.
    template <class T>
    void exchange(T* own) const;
    /// The opposite: adds the values of all ghosts to those of their owners.
    void addToOwners(float* own) const;
    /// The rows of a matrix that belong to the ghosts before, the own unknowns and the ghosts after. Columns count from `first`, the number
    /// of the first own column among those of all parts, and need not be those of ghosts.
    Matrix withGhostRows(const Matrix& own, std::int64_t first) const;
    /// All rows of a square matrix, on every rank.
    Matrix gather(const Matrix& own) const;
    /// All values, on every rank.
    void gather(const float* own, float* all) const;

    /// Columns that count from the first own unknown among those of all parts become those of kept ones.
    void renumber(HostVector<std::int32_t>& columns) const;

private:
    PartRange range() const { return owners_[communicator_ ? communicator_->rank() : 0]; }

    Partition owners_;
    Communicator* communicator_ = nullptr;
    std::vector<std::int64_t> ghosts_;
    std::int64_t before_ = 0;
    std::vector<std::vector<std::int32_t>> wanted_;  // own unknowns that each rank has as ghosts
    std::vector<std::int64_t> counts_;               // of the ghosts of each rank
};

/// Adds the rows of other parts' columns of a product to those of their owners, `owners`: rows count from -before, as columns do from the
/// first own one. The result has the own rows.
Matrix addedToOwners(Communicator& communicator, const Partition& owners, const Matrix& product, std::int64_t before);

}  // namespace parallax::solvers
