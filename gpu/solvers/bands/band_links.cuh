// SPDX-License-Identifier: GPL-3.0-or-later
// How kernels of a band reach the rows beside it and the sums of the other bands.
#pragma once

#include "gpu/parallel/flags.cuh"
#include "gpu/solvers/bands/band_iteration.hpp"
#include "gpu/solvers/strips.cuh"

namespace parallax::gpu {

/// Rows beside a band that exist in memory.
template <class T>
struct StoredRows {
    static constexpr bool kNone = false;
    const BandArrays& v;
    const T *above, *below;
    __device__ bool hasAbove() const { return v.hasNeighbour[0]; }
    __device__ bool hasBelow() const { return v.hasNeighbour[1]; }
    __device__ Two<T> pair(bool isAbove, std::int64_t i) const { return loadTwo(isAbove ? above : below, i); }
};

/// The directions beside a band, computed while they are loaded, by next(z, direction before), and stored for the update. z is the
/// residual, or the result of a preconditioner. Index 0: above, 1: below.
template <class T, class Next>
struct DirectionRows {
    static constexpr bool kNone = false;
    const BandArrays& v;
    const Next& next;
    const T* z[2];
    const T* before[2];
    T* direction[2];
    __device__ bool hasAbove() const { return v.hasNeighbour[0]; }
    __device__ bool hasBelow() const { return v.hasNeighbour[1]; }
    __device__ Two<T> pair(bool isAbove, std::int64_t i) const {
        const Two<T> of = loadTwo(isAbove ? z[0] : z[1], i), old = loadTwo(isAbove ? before[0] : before[1], i);
        const Two<T> u{next(of.x, old.x), next(of.y, old.y)};
        storePair(isAbove ? direction[0] : direction[1], i, widened(u), true);
        return u;
    }
};

/// Writes a pair of columns of row 0 or of the last row of a band to where the neighbours read it.
__device__ __forceinline__ void sendPair(const Grid& g, const BandArrays& v, double* const (&to)[2], int channel, std::int64_t i,
                                         double2 pair, bool both) {
    const std::int64_t inChannel = i - channel * g.plane(), last = std::int64_t{g.pitch} * (g.height - 1);
    const bool up = v.hasNeighbour[0] && inChannel < g.pitch, down = v.hasNeighbour[1] && inChannel >= last;
    const std::int64_t row = std::int64_t{g.pitch} * channel;
    if (up) storePair(to[0], row + inChannel, pair, both);
    if (down) storePair(to[1], row + inChannel - last, pair, both);
    if (up || down) fenceDevices();
}

/// Links of iteration.cuh.
struct BandLinks {
    static constexpr bool kAlone = false;
    BandArrays v;

    __device__ double samples() const { return v.allSamples; }
    __device__ void put(int channel, const Sums& s) const {
        putSum(v.sums, 2 * channel, s.a);
        putSum(v.sums, 2 * channel + 1, s.b);
    }
    __device__ bool exchange() const { return exchangeSums(v.sums); }
    __device__ Sums total(int channel) const { return {sumOfMembers(v.sums, 2 * channel), sumOfMembers(v.sums, 2 * channel + 1)}; }

    template <class Next>
    __device__ DirectionRows<double, Next> directionRows(const Next& next, int) const {
        return {v, next, {v.residual[0], v.residual[1]}, {v.directionBefore[0], v.directionBefore[1]}, {v.direction[0], v.direction[1]}};
    }
    template <class T>
    __device__ T* preconditioned(T* array, int) const {
        return array;
    }
    __device__ StoredRows<double> updateRows() const { return {v, v.direction[0], v.direction[1]}; }
    __device__ StoredRows<double> solutionRows() const { return {v, v.solution[0], v.solution[1]}; }
    __device__ void sendResidual(const Grid& g, int channel, std::int64_t i, double2 pair, bool both) const {
        sendPair(g, v, v.neighbourResidual, channel, i, pair, both);
    }
};

}  // namespace parallax::gpu
