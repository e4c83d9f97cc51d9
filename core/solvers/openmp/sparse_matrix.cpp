// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/openmp/sparse_matrix.hpp"

#include <algorithm>

namespace parallax::solvers {

Matrix matrixOf(const Stencil& s, const GridPart& part, const RunContext& context) {
    Matrix a;
    a.rows = a.columns = static_cast<std::size_t>(part.samples());
    a.begin.reserve(a.rows + 1);
    const std::size_t most = a.rows * (s.shape.depth > 1 ? 7 : 5);
    a.column.reserve(most);
    a.value.reserve(most);
    a.begin.push_back(0);
    const std::int64_t origin = part.first() * s.shape.width;
    for (std::int64_t line = part.first(); line < part.end(); ++line) {
        context.throwIfStopped();
        for (std::int64_t x = 0; x < s.shape.width; ++x) {
            const std::int64_t i = x + line * s.shape.width;
            const bool fixed = s.fixed && s.fixed[i];
            double diagonal = 1;
            if (!fixed)
                diagonal = visitRow(s, x, line % s.shape.height, line / s.shape.height, [&](std::int64_t j, double w) {
                    if (w == 0 || (s.fixed && s.fixed[j])) return;
                    a.column.push_back(static_cast<std::int32_t>(j - origin));
                    a.value.push_back(static_cast<float>(-w));
                });
            a.column.push_back(static_cast<std::int32_t>(i - origin));
            a.value.push_back(static_cast<float>(diagonal));
            a.begin.push_back(static_cast<std::int64_t>(a.column.size()));
        }
    }
    a.fit();
    return a;
}

Matrix matrixOf(const CompactSystem& s, const RunContext& context) {
    Matrix a;
    const PartRange own = s.ownUnknowns();
    a.rows = a.columns = static_cast<std::size_t>(own.count());
    a.begin.reserve(a.rows + 1);
    const auto directions = static_cast<std::size_t>(s.directions());
    a.column.reserve(a.rows * (directions + 1));
    a.value.reserve(a.rows * (directions + 1));
    a.begin.push_back(0);
    forRowsInTurn(context, a.rows, [&](std::size_t row) {
        const std::size_t i = row + static_cast<std::size_t>(own.first);
        for (std::size_t d = 0; d < directions; ++d) {
            const std::int32_t j = s.neighbours[i * directions + d];
            if (j == s.count()) continue;
            a.column.push_back(static_cast<std::int32_t>(j - own.first));
            a.value.push_back(static_cast<float>(-s.weights[d / 2]));
        }
        a.column.push_back(static_cast<std::int32_t>(row));
        a.value.push_back(static_cast<float>(s.diagonal[i]));
        a.begin.push_back(static_cast<std::int64_t>(a.column.size()));
    });
    a.fit();
    return a;
}

HostVector<float> diagonalOf(const Matrix& a, const RunContext& context) {
    HostVector<float> d(a.rows, 1);
    forRowsInTurn(context, a.rows, [&](std::size_t i) {
        for (auto k = static_cast<std::size_t>(a.begin[i]); k < static_cast<std::size_t>(a.begin[i + 1]); ++k)
            if (static_cast<std::size_t>(a.column[k]) == i && a.value[k] > 0) d[i] = a.value[k];
    });
    return d;
}

ColumnRange columnRange(const Matrix& a) {
    ColumnRange range;
    for (const std::int32_t c : a.column) {
        range.before = std::max<std::int64_t>(range.before, -c);
        range.after = std::max(range.after, c + 1 - static_cast<std::int64_t>(a.columns));
    }
    return range;
}

Matrix transposed(const Matrix& a, const ColumnRange& range, const RunContext& context) {
    Matrix t;
    t.rows = a.columns + static_cast<std::size_t>(range.before + range.after);
    t.columns = a.rows;
    t.begin.assign(t.rows + 1, 0);
    const auto rowOf = [&](std::int32_t column) { return static_cast<std::size_t>(column + range.before); };
    for (const std::int32_t c : a.column) ++t.begin[rowOf(c) + 1];
    for (std::size_t i = 0; i < t.rows; ++i) t.begin[i + 1] += t.begin[i];
    t.column.resize(a.column.size());
    t.value.resize(a.value.size());
    HostVector<std::int64_t> at(t.begin.begin(), t.begin.end() - 1);
    forRowsInTurn(context, a.rows, [&](std::size_t i) {
        a.forRow(i, [&](std::int32_t column, float value) {
            const auto to = static_cast<std::size_t>(at[rowOf(column)]++);
            t.column[to] = static_cast<std::int32_t>(i);
            t.value[to] = value;
        });
    });
    return t;
}

Matrix tripleProduct(const Matrix& r, const Matrix& a, const Matrix& p, std::int64_t rowsBefore, const RunContext& context) {
    Matrix c;
    c.rows = r.rows;
    c.columns = p.columns;
    c.begin.reserve(c.rows + 1);
    c.begin.push_back(0);
    const ColumnRange range = columnRange(p);
    RowAccumulator row(c.columns + static_cast<std::size_t>(range.before + range.after), range.before);
    forRowsInTurn(context, c.rows, [&](std::size_t i) {
        r.forRow(i, [&](std::int32_t k, float rk) {
            a.forRow(static_cast<std::size_t>(k), [&](std::int32_t j, float akj) {
                p.forRow(static_cast<std::size_t>(j + rowsBefore), [&](std::int32_t l, float pjl) { row.add(l, rk * akj * pjl); });
            });
        });
        row.finishRow(c);
    });
    c.fit();
    return c;
}

}  // namespace parallax::solvers
