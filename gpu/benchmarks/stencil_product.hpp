// SPDX-License-Identifier: GPL-3.0-or-later
// The product of the matrix-free solvers alone, beside which products by libraries are timed.
#pragma once

#include "gpu/solvers/grid.hpp"

#include <cuda_runtime_api.h>

namespace parallax::gpu {

/// samples[i] = pseudoRandom(first + i) + offset, see bench.hpp.
void launchRandom(float* samples, std::int64_t count, float offset, cudaStream_t stream, std::int64_t first = 0);
/// Random elements in [0, 1), 0 behind the ends of rows.
void launchRandom(const Grid& grid, double* p, cudaStream_t stream);
/// q = A p by strips, as `cg` applies A: 16 bytes a sample. Constant weights.
void launchStencilProduct(const SolveArguments& a, const double* p, double* q, cudaStream_t stream);
/// Returns the largest |u - v| and waits for it. `result`: a double in device memory.
double largestDifference(const Grid& grid, const double* u, const double* v, double* result, cudaStream_t stream);

}  // namespace parallax::gpu
