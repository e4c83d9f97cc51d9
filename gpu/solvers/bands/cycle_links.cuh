// SPDX-License-Identifier: GPL-3.0-or-later
// How kernels of a band reach the residual and the result of the V-cycle, and those of the neighbours.
#pragma once

#include "gpu/solvers/bands/band_links.cuh"
#include "gpu/solvers/bands/cycle_iteration.hpp"

namespace parallax::gpu {

/// Links of iteration.cuh.
struct CycleLinks : BandLinks {
    CycleArrays c;
    std::int64_t plane;  ///< of the band

    CycleLinks(const SolveArguments& a, const BandArrays& arrays, const CycleArrays& cycle)
        : BandLinks{arrays}, c(cycle), plane(a.grid.plane()) {}

    template <class T>
    __device__ T* preconditioned(T* array, int channel) const {
        return array + channel * (c.plane - plane);
    }
    template <class Next>
    __device__ DirectionRows<float, Next> directionRows(const Next& next, int) const {
        return {v, next, {c.result[0], c.result[1]}, {c.directionBefore[0], c.directionBefore[1]}, {c.direction[0], c.direction[1]}};
    }
    __device__ StoredRows<float> updateRows() const { return {v, c.direction[0], c.direction[1]}; }
    __device__ void sendResult(const Grid& g, int channel, int x, int row, float value) const {
        const bool up = v.hasNeighbour[0] && row == 0, down = v.hasNeighbour[1] && row == g.height - 1;
        const std::int64_t at = std::int64_t{g.pitch} * channel + x;
        if (up) c.neighbourResult[0][at] = value;
        if (down) c.neighbourResult[1][at] = value;
        if (up || down) fenceDevices();
    }
    /// Rows of the residual of the cycle are exchanged when it begins.
    __device__ void sendResidual(const Grid&, int, std::int64_t, double2, bool) const {}
};

}  // namespace parallax::gpu
