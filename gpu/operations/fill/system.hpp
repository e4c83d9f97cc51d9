// SPDX-License-Identifier: GPL-3.0-or-later
// The system of one channel, made on the device by core/operations/fill/formulas.hpp. Known samples are equations of their own, u = 0: what
// they contribute is in the right-hand side of their neighbours.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/operations/fill/formulas.hpp"
#include "gpu/solvers/grid.hpp"

namespace parallax::gpu {

struct FillCounts {
    unsigned long long missing = 0, unusable = 0;
};

/// Device memory, in the layout of a grid of one channel.
struct FillArrays {
    std::uint8_t* kinds = nullptr;  ///< filling::Kind
    double* edges[3] = {};          ///< z only in volumes
    double* diagonals = nullptr;    ///< weights of edges to known samples
    double* rightSide = nullptr;    ///< these weights times the known samples
    const double* solution = nullptr;
    FillCounts* counts = nullptr;
};

/// The channel, and its alpha channel if transparent samples are missing; else a view without data.
struct FillChannel {
    View<const float> in, alpha;
    View<float> out;
};

/// Writes the kinds and their counts.
void launchFillKinds(const Grid& grid, const filling::Criterion& criterion, const FillChannel& channel, const FillArrays& arrays,
                     cudaStream_t stream);
/// Writes edges, diagonals and the right-hand side. `weights`: of edges along x, y, z.
void launchFillSystem(const Grid& grid, const double (&weights)[3], const FillChannel& channel, const FillArrays& arrays,
                      cudaStream_t stream);
/// Writes the solution to missing samples and copies the others.
void launchFillResult(const Grid& grid, const FillChannel& channel, const FillArrays& arrays, cudaStream_t stream);
void preloadFill();

}  // namespace parallax::gpu
