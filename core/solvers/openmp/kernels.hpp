// SPDX-License-Identifier: GPL-3.0-or-later
// The hot loops of the solvers, one row of the grid each, compiled for each instruction set.
#pragma once

#include <cstdint>

namespace parallax::solvers {

/// A row and the rows next to it: y - 1, y + 1, z - 1, z + 1. Where there is none: the row itself, with a weight of 0.
template <class T>
struct RowNeighbours {
    const T* own = nullptr;
    const T* side[4] = {};
};

/// A row with constant weights:
///   (A u)_x = diagonal u_x - wx (u_x-1 + u_x+1) - sum of side_i neighbour_i
/// Diagonals include the edges that lead out of the grid. A row of one sample has the diagonal `last`.
struct RowCoefficients {
    double diagonal = 0, first = 0, last = 0;
    double wx = 0;
    double side[4] = {};
    double lastScale = 1;  ///< of the weights of the last sample's sides, which may stand for a part of a cell
};

/// A row with a weight for each edge. x: of the edges to the next samples. `side`: null where there is no edge.
struct RowWeights {
    const double* x = nullptr;
    const double* side[4] = {};
    double diagonal = 0;
    const double* diagonals = nullptr;     ///< replaces `diagonal`
    const std::uint8_t* fixed = nullptr;   ///< samples without an equation
    double first = 0, last = 0, rest = 0;  ///< added to the diagonals: edges that lead out of the grid
};

/// p = z + beta p. With beta 0, p need not be initialised.
void updateDirection(float* p, const float* z, double beta, std::int64_t count);
void updateDirection(double* p, const double* z, double beta, std::int64_t count);

/// Sum of p_x (A p)_x.
double dotApplied(const RowNeighbours<double>& p, const RowCoefficients& k, std::int64_t count);
double dotApplied(const RowNeighbours<double>& p, const RowWeights& k, std::int64_t count);
double dotApplied(const RowNeighbours<float>& p, const RowCoefficients& k, std::int64_t count);
double dotApplied(const RowNeighbours<float>& p, const RowWeights& k, std::int64_t count);

/// What updateSolution() changes in a row.
struct SolutionRow {
    double alpha;
    double *u, *r;
    float* copy = nullptr;  ///< receives scale * r, if not null
    double scale = 1;
};
/// u += alpha p, r -= alpha A p. Returns the sum of r^2.
double updateSolution(const RowNeighbours<double>& p, const RowCoefficients& k, const SolutionRow& to, std::int64_t count);
double updateSolution(const RowNeighbours<double>& p, const RowWeights& k, const SolutionRow& to, std::int64_t count);
double updateSolution(const RowNeighbours<float>& p, const RowCoefficients& k, const SolutionRow& to, std::int64_t count);
double updateSolution(const RowNeighbours<float>& p, const RowWeights& k, const SolutionRow& to, std::int64_t count);

/// Gauss-Seidel on every second sample of the row `u`, which is that of `neighbours`, from `parity` (0 or 1) on.
void relax(float* u, const RowNeighbours<float>& neighbours, const float* f, const RowCoefficients& k, int parity, std::int64_t count);
/// The same for u = 0.
void relaxFromZero(float* u, const float* f, const RowCoefficients& k, int parity, std::int64_t count);
/// r = f - A u.
void residual(const RowNeighbours<float>& u, const RowCoefficients& k, const float* f, float* r, std::int64_t count);

double dot(const float* a, const float* b, std::int64_t count);
double dot(const double* a, const double* b, std::int64_t count);
double sumOf(const double* a, std::int64_t count);
/// Sum of (a - mean)^2.
double squaredDistance(const double* a, double mean, std::int64_t count);

/// to = sum of weights_i rows_i.
void combineRows(float* to, const float* const* rows, const float* weights, int rowCount, std::int64_t count);
/// Half of the transpose of expandRow(): `count` samples to (count + 1) / 2.
void halveRow(float* to, const float* from, float outer, std::int64_t count);
/// to += the linear interpolation of a row of (count + 1) / 2 cells at the centres of `count` half cells; `outer` times
/// the outer cells beyond their centres.
void expandRow(float* to, const float* from, float outer, std::int64_t count);
/// to += from.
void addRow(float* to, const float* from, std::int64_t count);

}  // namespace parallax::solvers
