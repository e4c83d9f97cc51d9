// SPDX-License-Identifier: GPL-3.0-or-later
// The hot loops of wavelet / openmp on rows of samples, in double. Vector instructions are picked when the program runs.
#pragma once

#include <cstdint>

#include "core/operations/wavelet/parameters.hpp"

namespace parallax {

/// Two weighted sums of the same rows, as every pass needs: one for each filter of the analysis, or for the even and the odd samples of the
/// synthesis. With two steps of the filter at once, which share most of their rows, half of the loads are saved.
///
/// Rows come in groups (one of the analysis; low-pass and high-pass of the synthesis), each beginning with the newest row. With two steps a
/// group has `shift` rows more; the later step sums the first `taps` of them, the earlier step the last.
struct RowSums {
    const double* const* rows = nullptr;
    const double* first = nullptr;   ///< weights of the first sum, groups * taps
    const double* second = nullptr;  ///< weights of the second sum
    int groups = 1, taps = 0;
    int steps = 1;  ///< 1 or 2
    int shift = 0;  ///< rows from a step to the next, with two steps
};

/// Rows of scratch hold whole multiples of this many columns.
inline constexpr std::int64_t kRowGranule = 16;
constexpr std::int64_t paddedColumns(std::int64_t columns) { return (columns + kRowGranule - 1) / kRowGranule * kRowGranule; }

/// Targets of sums in scratch: step, then sum; with one step only [0] is used.
struct RowTargets {
    double* to[2][2] = {};
};
/// Columns 0 <= x < paddedColumns(columns): targets must have room for that, and every row be readable that far.
void sumRows(const RowSums& sums, std::int64_t columns, const RowTargets& targets);
/// Both sums of one step, interleaved: out[2 x] and out[2 x + 1], 0 <= x < paddedColumns(columns).
void sumRowsInterleaved(const RowSums& sums, std::int64_t columns, double* out);

/// Targets of sums in an image, exactly `columns` of them: rounded to float, or, if `wide` is set, as double.
struct FinalTargets {
    float* to[2][2] = {};
    double* wide[2][2] = {};
    bool stream = false;  ///< the floats go past the caches; finishRowStreams() before others read
};
void sumRowsFinally(const RowSums& sums, std::int64_t columns, const FinalTargets& targets);
void finishRowStreams();

/// even[i] = in[2 i], odd[i] = in[2 i + 1] for 0 <= i < pairs; exactly 2 pairs samples are read.
void splitRow(const float* in, std::int64_t pairs, double* even, double* odd);
void splitRow(const double* in, std::int64_t pairs, double* even, double* odd);

/// Counts of a thresholded row of coefficients.
struct ShrinkCount {
    std::int64_t zero = 0;       ///< coefficients that are 0 afterwards
    std::int64_t ambiguous = 0;  ///< finite ones with a magnitude in [from, to]
};
/// Thresholds a row in place, as shrunk().
ShrinkCount shrinkRow(float* row, std::int64_t columns, float threshold, const Shrinkage& shrinkage, float from, float to);

/// Finite samples of a row: count, largest magnitude and sum of squares, added to what is there.
struct RowMoments {
    std::int64_t finite = 0;
    float largest = 0;
    double squares = 0;
    void add(const RowMoments& r) {
        finite += r.finite;
        largest = r.largest > largest ? r.largest : largest;
        squares += r.squares;
    }
};
void addMoments(const float* row, std::int64_t columns, RowMoments& moments);

}  // namespace parallax
