// SPDX-License-Identifier: GPL-3.0-or-later
// The two passes that make a row of the result, compiled for each instruction set.
#pragma once

#include <cstdint>

#include "core/operations/edges/plan.hpp"

namespace parallax {

/// Three rows of a slice, or those of three slices, and what the samples of a column give: smoothed along y (and z), and the derivatives
/// along y and z. `alongZ` is null in a slice.
struct EdgeColumns {
    const float* rows[9] = {};
    float* smooth = nullptr;
    float* alongY = nullptr;
    float* alongZ = nullptr;
};

/// Writes `width` values of each array.
void combineEdgeRows(const EdgeColumns& columns, std::int64_t width, const EdgeWeights& weights);
/// Writes `width` magnitudes; reads the columns -1 and `width` as well.
void writeEdgeMagnitudes(const EdgeColumns& columns, std::int64_t width, const EdgeWeights& weights, float* out);

}  // namespace parallax
