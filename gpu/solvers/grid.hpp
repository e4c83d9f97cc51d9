// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of the unknowns on the device, the system, and the state of a solve that kernels share.
#pragma once

#include <cstdint>

#include "core/image/host_device.hpp"
#include "core/image/view.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax::gpu {

/// Arrays of a solver: x fastest, rows of `pitch` elements, slices, channels. Elements behind the end of a row are 0.
struct Grid {
    int width = 0, height = 0, depth = 1, channels = 1;
    int pitch = 0;

    static Grid of(const Shape& shape, int channels) {
        constexpr int rowGranularity = 32;  // rows of floats begin at multiples of 128 bytes
        const auto width = static_cast<int>(shape.width);
        return {width, static_cast<int>(shape.height), static_cast<int>(shape.depth), channels,
                (width + rowGranularity - 1) / rowGranularity * rowGranularity};
    }
    PARALLAX_HOST_DEVICE std::int64_t slice() const { return std::int64_t{pitch} * height; }
    PARALLAX_HOST_DEVICE std::int64_t plane() const { return slice() * depth; }
    PARALLAX_HOST_DEVICE std::int64_t elements() const { return plane() * channels; }
    PARALLAX_HOST_DEVICE std::int64_t samples() const { return std::int64_t{width} * height * depth; }
    PARALLAX_HOST_DEVICE std::int64_t at(int x, int y, int z, int channel) const {
        return channel * plane() + z * slice() + std::int64_t{y} * pitch + x;
    }
};

/// solvers::Stencil with arrays in the layout of the grid, shared by all channels.
struct GridStencil {
    double weights[3] = {1, 1, 1};  ///< of edges along x, y, z
    double diagonal = 0;
    const double* edges[3] = {};        ///< replace the weights within the grid if the first one is not null
    const double* diagonals = nullptr;  ///< replaces `diagonal` if it is not null; only with edges
    bool dirichlet = false;
    bool singular = false;

    static GridStencil of(const solvers::Stencil& s) {
        GridStencil g;
        for (int axis = 0; axis < 3; ++axis) g.weights[axis] = s.axisWeights[axis];
        g.diagonal = s.diagonal;
        g.dirichlet = s.border == solvers::Border::dirichlet;
        g.singular = solvers::isSingular(s);
        return g;
    }
};

/// The right-hand side and the result, where samples that are not finite count as 0 and are copied to the result.
struct ImagePlanes {
    View<const float> in;
    View<float> out;
    const int* channels = nullptr;  ///< device memory: channel of the image for each channel of the grid
    bool jointly = false;           ///< a sample that is not finite makes those of all channels there count as such
};

/// Iterations come in pairs, since x is read and written in the second one of each only.
enum class IterationOfPair { first, second };

/// Written by the device, one for each channel.
struct ChannelState {
    double mean = 0;             ///< of the right-hand side; subtracted if the system is singular
    double norm = 0;             ///< squared, of the right-hand side without its mean
    double residual = 0;         ///< squared norm
    double inner = 0;            ///< r . z, for a preconditioner that gives z, else r . r
    double alpha = 0, beta = 0;  ///< of conjugate gradients
    double trueResidual = 0;     ///< squared norm of f - A x, as last computed
    double resultMean = 0;
    double scale = 1;      ///< of the residual that a preconditioner in single precision receives
    double curvature = 0;  ///< p . A p of the last direction, times scale^2 (edges/iteration.hpp)
    double pending = 0;    ///< alpha of a direction that x still lacks
    int done = 0;
    int fresh = 1;  ///< the next direction does not depend on the one before
};
enum class SolveStatus : int { running, converged, mostIterations, failed };
/// Written by the device, one for each solve.
struct SolveState {
    long long iteration = 0;
    long long start = 0;  ///< nanoseconds
    double first = 0;     ///< relative residual at the start, of the channel with the largest one
    SolveStatus status = SolveStatus::running;
    unsigned ticket = 0;
};
struct HistoryPoint {
    double residual;  ///< relative, of the channel with the largest one
    long long nanoseconds;
};
/// Page-locked host memory that the device writes while the host watches.
struct SolveLog {
    volatile long long iterations;
    volatile int status;
    volatile double trueResidual;    ///< relative, of the channel with the largest one
    volatile long long nanoseconds;  ///< since the solve began, when it was computed; of direct solutions, when these began
    HistoryPoint points[1];          ///< most iterations + 1
};

/// Everything that the kernels of a solve need.
struct SolveArguments {
    Grid grid;
    GridStencil stencil;
    ChannelState* channels = nullptr;
    SolveState* state = nullptr;
    SolveLog* log = nullptr;
    double* partials = nullptr;  ///< sums of blocks
    double tolerance = 0;
    long long mostIterations = 0;
};

}  // namespace parallax::gpu
