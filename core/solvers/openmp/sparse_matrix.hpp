// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices of algebraic multigrid, in single precision; on parts, the rows of one part.
#pragma once

#include <cstdint>
#include <vector>

#include "core/backends/openmp/parallel.hpp"
#include "core/image/host/host_vector.hpp"
#include "core/solvers/compact_system.hpp"
#include "core/solvers/grid_part.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax::solvers {

/// Compressed rows. Columns count from the first one that the part has, so those of other parts are negative, or `columns` and more.
struct Matrix {
    std::size_t rows = 0, columns = 0;
    HostVector<std::int64_t> begin;  ///< rows + 1
    HostVector<std::int32_t> column;
    HostVector<float> value;
    void fit() {
        column.shrink_to_fit();
        value.shrink_to_fit();
    }
    bool isOwn(std::int32_t c) const { return static_cast<std::size_t>(c) < columns; }
    /// Calls body(column, value) for the entries of row i.
    template <class F>
    void forRow(std::size_t i, F&& body) const {
        for (auto k = static_cast<std::size_t>(begin[i]); k < static_cast<std::size_t>(begin[i + 1]); ++k) body(column[k], value[k]);
    }
};

/// Calls body(row) for all rows by threads.
template <class F>
void forRows(const RunContext& context, std::size_t rows, const F& body) {
    constexpr std::size_t kRows = 4096;  // of a task
    // Few rows are not worth a second thread.
    const auto tasks = static_cast<std::int64_t>((rows + kRows - 1) / kRows);
    parallelTasks(context, tasks, static_cast<int>(std::min<std::int64_t>((tasks + 1) / 2, 1 << 16)), [&](std::int64_t task, int) {
        const std::size_t first = static_cast<std::size_t>(task) * kRows;
        for (std::size_t i = first; i < std::min(rows, first + kRows); ++i) body(i);
    });
}

/// Calls body(row) for all rows in their order. Throws Error(cancelled).
template <class F>
void forRowsInTurn(const RunContext& context, std::size_t rows, const F& body) {
    constexpr std::size_t kRows = 4096;  // between two looks at the stop token
    for (std::size_t first = 0; first < rows; first += kRows) {
        context.throwIfStopped();
        for (std::size_t i = first; i < std::min(rows, first + kRows); ++i) body(i);
    }
}

inline float rowTimes(const Matrix& a, std::size_t i, const float* x) {
    float sum = 0;
    for (auto k = static_cast<std::size_t>(a.begin[i]); k < static_cast<std::size_t>(a.begin[i + 1]); ++k)
        sum += a.value[k] * x[a.column[k]];
    return sum;
}

/// Sums of entries by column, one row at a time.
class RowAccumulator {
public:
    /// Columns from -before on.
    explicit RowAccumulator(std::size_t columns, std::int64_t before = 0) : before_(before), sum_(columns, 0), used_(columns, 0) {}
    void add(std::int32_t column, float value) {
        const auto c = static_cast<std::size_t>(column + before_);
        if (!used_[c]) {
            used_[c] = 1;
            columns_.push_back(column);
        }
        sum_[c] += value;
    }
    void finishRow(Matrix& to) {
        for (const std::int32_t column : columns_) {
            const auto c = static_cast<std::size_t>(column + before_);
            to.column.push_back(column);
            to.value.push_back(sum_[c]);
            sum_[c] = 0;
            used_[c] = 0;
        }
        columns_.clear();
        to.begin.push_back(static_cast<std::int64_t>(to.column.size()));
    }

private:
    std::int64_t before_;
    HostVector<float> sum_;
    HostVector<std::uint8_t> used_;
    std::vector<std::int32_t> columns_;
};

/// The rows of the system that the part has; those of fixed samples are 1.
Matrix matrixOf(const Stencil& stencil, const GridPart& part, const RunContext& context);
/// The rows of a compact system that are those of own unknowns.
Matrix matrixOf(const CompactSystem& system, const RunContext& context);
/// 1 where the diagonal is not positive.
HostVector<float> diagonalOf(const Matrix& a, const RunContext& context);
/// `a` has columns from -range.before to those after its own ones, which become the rows of the result.
struct ColumnRange {
    std::int64_t before = 0, after = 0;
};
ColumnRange columnRange(const Matrix& a);
Matrix transposed(const Matrix& a, const ColumnRange& range, const RunContext& context);
/// r a p, with as many own columns as p. `p` begins with the rows of those `rowsBefore` columns of `a` that other parts have. The product
/// of a row of r and a is not kept: computing parts of it again costs little and saves memory.
Matrix tripleProduct(const Matrix& r, const Matrix& a, const Matrix& p, std::int64_t rowsBefore, const RunContext& context);

}  // namespace parallax::solvers
