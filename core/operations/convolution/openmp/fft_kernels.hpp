// SPDX-License-Identifier: GPL-3.0-or-later
// Input and output of transforms, compiled for each instruction set. Complex samples are pairs of floats: one tile in the
// real parts, another one in the imaginary parts.
#pragma once

#include <cstdint>

namespace parallax {

/// Sets out[i] = (a[i], b[i]) * scale for n samples, with 0 for values that are not finite. Returns whether there were any.
bool packRows(const float* a, const float* b, float scale, std::int64_t n, float* out);

/// a[i], b[i] = parts of in[i] * scale1 * scale2 + offset.
void unpackRows(const float* in, float scale1, float scale2, float offset, std::int64_t n, float* a, float* b);

/// data[i] *= factors[i], n complex samples, a multiple of 8.
void multiplyComplex(float* data, const float* factors, std::int64_t n);
/// data[i] *= conjugate of factors[n - i], the transform of real weights at the opposite frequency. There are n + 1 factors,
/// the last one like the first.
void multiplyOpposite(float* data, const float* factors, std::int64_t n);

/// Columns that are transposed together: a cache line of complex samples.
inline constexpr std::int64_t kColumnsTogether = 8;
/// Eight columns of `rows` complex samples, an even number: from rows `pitch` complex samples apart to columns `length` apart, and back.
void takeColumns(const float* rows, std::int64_t pitch, std::int64_t count, float* columns, std::int64_t length);
void putColumns(const float* columns, std::int64_t length, std::int64_t count, float* rows, std::int64_t pitch);

}  // namespace parallax
