// SPDX-License-Identifier: GPL-3.0-or-later
// One V-cycle of multigrid in single precision, as a preconditioner for images whose edges have weights of their own.
//
// The coarse samples are every second one along both axes. Interpolation follows the weights, so that it does not cross weak edges, and
// coarser matrices are P' A P with 9 entries a row: J. E. Dendy, "Black box multigrid", Journal of Computational Physics 48, 1982.
// Smoothing is three Jacobi steps with the factors of a Chebyshev polynomial, in the opposite order after the coarser level.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <vector>

#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/solvers/device_laps.hpp"
#include "gpu/solvers/grid.hpp"

namespace parallax::gpu {

/// Arrays of one level. All have a margin of kEdgeMargin(pitch) elements on both sides, which are 0 as what lies behind the ends of rows.
struct EdgeLevel {
    Grid grid;
    /// Couplings (positive) with the next samples, 0 where there is none; the diagonal and its inverse. One channel.
    float *east = nullptr, *south = nullptr, *southEast = nullptr, *southWest = nullptr, *diagonal = nullptr, *inverse = nullptr;
    /// Weight of a sample of the next level in the interpolation of its neighbours in this one, in the layout of the next level:
    /// [3 (dy + 1) + dx + 1]; the middle is not used.
    float* spread[9] = {};
    float *b = nullptr, *z = nullptr, *result = nullptr;  ///< all channels; z is what smoothing from zero gives
};
constexpr std::int64_t edgeMargin(int pitch) { return pitch + 32; }
inline constexpr int kMostEdgeLevels = 32;
struct EdgeTail {
    EdgeLevel levels[kMostEdgeLevels];
    int count = 0;
    bool hasFinest = false;
};

class EdgeMultigrid {
public:
    /// `b` and `result`: arrays of the finest level, with margins.
    EdgeMultigrid(const Grid& grid, float* b, float* result, const std::shared_ptr<Allocator>& allocator, cudaStream_t stream);
    static std::uint64_t estimateBytes(const Grid& grid);

    /// Makes the levels for the present weights.
    void build(const SolveArguments& a, cudaStream_t stream) const;
    /// result = M b, and (r . z) into the state. `oneSided`: the finest level is smoothed after the coarser one only, so that M is not
    /// symmetric.
    void apply(const SolveArguments& a, bool oneSided, cudaStream_t stream, DeviceLaps* laps = nullptr) const;
    const EdgeLevel& finest() const { return levels_.front(); }

private:
    std::vector<EdgeLevel> levels_;
    std::size_t firstOfTail_ = 0;
    DeviceBuffer<float> arrays_;
    DeviceBuffer<EdgeTail> tail_;
};

void launchEdgeFinest(const SolveArguments& a, const EdgeLevel& finest, cudaStream_t stream);
/// Interpolation and matrix of the next level.
void launchEdgeCoarsen(const EdgeLevel& fine, const EdgeLevel& coarse, cudaStream_t stream);
/// The V-cycle down to the next level: its right-hand side.
void launchEdgeDown(const SolveArguments& a, const EdgeLevel& fine, const EdgeLevel& coarse, cudaStream_t stream);
/// Up from the next level: the result. Of the finest level also (r . z).
void launchEdgeUp(const SolveArguments& a, const EdgeLevel& fine, const EdgeLevel& coarse, cudaStream_t stream);
void launchEdgeTail(const SolveArguments& a, const EdgeTail* tail, cudaStream_t stream);
/// Blocks of the kernels of the V-cycle.
unsigned edgeCycleBlocks(const Grid& grid);
void preloadEdgeMultigrid();
void preloadEdgeCycle();

}  // namespace parallax::gpu
