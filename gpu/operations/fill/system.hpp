// SPDX-License-Identifier: GPL-3.0-or-later
// The system of one channel, made on the device by core/operations/fill/formulas.hpp. Known samples are equations of their own, u = 0: what
// they contribute is in the right-hand side of their neighbours.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

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

/// A band of an image: its place, and the rows of the channel around it.
struct FillBand {
    /// Rows of the image that are a part of the band, and those that the windows of their samples reach.
    struct Window {
        int first = 0, last = 0;
        int firstSeen = 0;
        View<const float> seen;  ///< of the channel, from row firstSeen on
    };
    int firstRow = 0, imageHeight = 0;
    std::span<const Window> windows;  ///< all rows of the band, once
};

/// Rows above and below a band: known samples, NaN for all others; null at the border of the image.
struct FillRows {
    const double *above = nullptr, *below = nullptr;
};

/// Writes the kinds and their counts.
void launchFillKinds(const Grid& grid, const filling::Criterion& criterion, const FillChannel& channel, const FillArrays& arrays,
                     cudaStream_t stream);
/// The same for a band, and writes its first and its last row to the right-hand side: known samples, NaN for all others.
void launchFillKinds(const Grid& grid, const filling::Criterion& criterion, const FillChannel& channel, const FillBand& band,
                     const FillArrays& arrays, cudaStream_t stream);
/// Writes edges, diagonals and the right-hand side. `weights`: of edges along x, y, z. In a band those along y begin one row before
/// arrays.edges[1] if there is a row above.
void launchFillSystem(const Grid& grid, const double (&weights)[3], const FillChannel& channel, const FillRows& beside,
                      const FillArrays& arrays, cudaStream_t stream);
/// Writes the solution to missing samples and copies the others.
void launchFillResult(const Grid& grid, const FillChannel& channel, const FillArrays& arrays, cudaStream_t stream);
void preloadFill();

}  // namespace parallax::gpu
