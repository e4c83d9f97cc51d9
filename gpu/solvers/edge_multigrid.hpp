// SPDX-License-Identifier: GPL-3.0-or-later
// One V-cycle of multigrid in single precision, as a preconditioner for images whose edges have weights of their own.
//
// The coarse samples are every second one along both axes. Interpolation follows the weights, so that it does not cross weak edges, and
// coarser matrices are P' A P with 9 entries a row: J. E. Dendy, "Black box multigrid", Journal of Computational Physics 48, 1982.
// Smoothing is three Jacobi steps with the factors of a Chebyshev polynomial, in the opposite order after the coarser level.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <span>
#include <vector>

#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/solvers/device_laps.hpp"
#include "gpu/solvers/grid.hpp"

namespace parallax::gpu {

/// Arrays of one level. All have a margin of kEdgeMargin(pitch) elements on both sides, which are 0 as what lies behind the ends of rows.
struct EdgeLevel {
    Grid grid;
    bool fivePoint = false;  ///< without couplings between diagonal neighbours, as the finest level
    /// Couplings (positive) with the next samples, 0 where there is none; the diagonal and its inverse. One channel.
    float *east = nullptr, *south = nullptr, *southEast = nullptr, *southWest = nullptr, *diagonal = nullptr, *inverse = nullptr;
    /// Weight of a sample of the next level in the interpolation of its neighbours in this one, in the layout of the next level:
    /// [3 (dy + 1) + dx + 1]; the middle is not used.
    float* spread[9] = {};
    float *b = nullptr, *z = nullptr, *result = nullptr;  ///< all channels; z is what smoothing from zero gives
};
constexpr std::int64_t edgeMargin(int pitch) { return pitch + 32; }
inline constexpr int kMaxEdgeLevels = 32;
/// Before the coarser level, and after it.
inline constexpr int kSmoothingSteps = 3;
struct EdgeTail {
    EdgeLevel levels[kMaxEdgeLevels];
    int count = 0;
};

/// The grids of all levels, down to one sample.
std::vector<Grid> edgeGrids(const Grid& finest);

/// Levels in device memory, with their arrays, except right-hand side and result of the first one.
class EdgeLevels {
public:
    /// `fivePoint`: whether the first level is the finest one. `b` and `result`: arrays of the first level, with margins.
    EdgeLevels(std::span<const Grid> grids, bool fivePoint, float* b, float* result, const std::shared_ptr<Allocator>& allocator,
               cudaStream_t stream);
    static std::uint64_t bytes(std::span<const Grid> grids);
    const EdgeLevel& operator[](std::size_t i) const { return levels_[i]; }
    std::size_t size() const { return levels_.size(); }

private:
    std::vector<EdgeLevel> levels_;
    DeviceBuffer<float> arrays_;
};

class EdgeMultigrid {
public:
    /// The levels from one with this grid on; arguments are those of EdgeLevels.
    EdgeMultigrid(const Grid& grid, bool fivePoint, float* b, float* result, const std::shared_ptr<Allocator>& allocator,
                  cudaStream_t stream);
    static std::uint64_t estimateBytes(const Grid& grid);

    /// Makes the levels for the present weights.
    void build(const SolveArguments& a, cudaStream_t stream) const;
    /// Makes the levels from couplings and diagonal of the first one.
    void buildFromFirst(cudaStream_t stream) const;
    /// result = M b, and (r . z) into the state. `oneSided`: the finest level is smoothed after the coarser one only, so that M is not
    /// symmetric.
    void apply(const SolveArguments& a, bool oneSided, cudaStream_t stream, DeviceLaps* laps = nullptr) const;
    /// result = M b alone, with the symmetric M.
    void applyWithoutSum(const SolveArguments& a, cudaStream_t stream) const { run(a, {}, stream, nullptr); }
    const EdgeLevel& first() const { return levels_[0]; }

private:
    struct Kind {
        bool oneSided = false, sums = false;
    };
    void run(const SolveArguments& a, Kind kind, cudaStream_t stream, DeviceLaps* laps) const;
    void coarsenAll(cudaStream_t stream) const;

    EdgeLevels levels_;
    std::size_t firstOfTail_ = 0;
    DeviceBuffer<EdgeTail> tail_;
};

/// Couplings, diagonal and its inverse of the grid of `a` in the finest level. `hasNeighbour`: whether rows above and below the grid exist
/// on other devices; the weights of edges along y then begin one row before the grid.
void launchEdgeFinest(const SolveArguments& a, const EdgeLevel& finest, const bool (&hasNeighbour)[2], cudaStream_t stream);
/// The inverse of the diagonal.
void launchEdgeInverse(const EdgeLevel& level, cudaStream_t stream);
/// Interpolation and matrix of the next level.
void launchEdgeCoarsen(const EdgeLevel& fine, const EdgeLevel& coarse, cudaStream_t stream);
/// The V-cycle down to the next level: its right-hand side.
void launchEdgeDown(const SolveArguments& a, const EdgeLevel& fine, const EdgeLevel& coarse, cudaStream_t stream);
/// Up from the next level: the result. `sums`: of the finest level also (r . z).
void launchEdgeUp(const SolveArguments& a, const EdgeLevel& fine, const EdgeLevel& coarse, bool sums, cudaStream_t stream);
/// All levels of the tail. `sums`: of its first level also (r . z).
void launchEdgeTail(const SolveArguments& a, const EdgeTail* tail, bool sums, cudaStream_t stream);
/// Blocks of the kernels of the V-cycle.
unsigned edgeCycleBlocks(const Grid& grid);
void preloadEdgeMultigrid();
void preloadEdgeCycle();

}  // namespace parallax::gpu
