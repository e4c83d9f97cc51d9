// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/compressed_rows.hpp"
#include "gpu/solvers/scalars.cuh"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of the stored matrix could not be started";

__global__ __launch_bounds__(kSolverThreads) void compressKernel(SolveArguments a, CompressedRows rows) {
    const Grid& g = a.grid;
    const GridStencil& s = a.stencil;
    const std::int64_t step = std::int64_t{gridDim.x} * kSolverThreads;
    for (std::int64_t i = std::int64_t{blockIdx.x} * kSolverThreads + threadIdx.x; i <= g.plane(); i += step) {
        if (i == g.plane()) {
            rows.begin[i] = static_cast<int>(rows.entries);
            continue;
        }
        const std::int64_t line = i / g.pitch;
        const int x = static_cast<int>(i - line * g.pitch), y = static_cast<int>(line % g.height), z = static_cast<int>(line / g.height);
        const int at[3] = {x, y, z}, extent[3] = {g.width, g.height, g.depth};
        const std::int64_t w = g.width, h = g.height;
        // Entries of earlier lines: along x, then neighbours along y and z.
        const std::int64_t earlierY = z * (2 * h - 2) + (y > 0 ? y - 1 : 0) + (y < h - 1 ? y : h - 1);
        const std::int64_t earlierZ = (line > h ? line - h : 0) + (line < h * (g.depth - 1) ? line : h * (g.depth - 1));
        const int beside = (y > 0) + (y + 1 < g.height) + (z > 0) + (z + 1 < g.depth);
        const std::int64_t before = x < g.width ? x : w;  // cells of this line
        std::int64_t next = line * (3 * w - 2) + w * (earlierY + earlierZ) + before * (1 + beside) + (before > 0 ? before - 1 : 0) +
                            (before < w - 1 ? before : w - 1);
        rows.begin[i] = static_cast<int>(next);
        if (x >= g.width) continue;
        double diagonal = s.diagonals ? s.diagonals[i] : s.diagonal;
        const std::int64_t stride[3] = {1, g.pitch, g.slice()};
        const auto weight = [&](int axis, int side) {
            const bool inside = side == 0 ? at[axis] > 0 : at[axis] + 1 < extent[axis];
            if (!inside) return s.dirichlet && (axis < 2 || g.depth > 1) ? s.weights[axis] : 0.0;
            return s.edges[0] ? s.edges[axis][side == 0 ? i - stride[axis] : i] : s.weights[axis];
        };
        const auto put = [&](std::int64_t column, double value) {
            rows.columns[next] = static_cast<int>(column);
            rows.values[next++] = value;
        };
        for (int axis = 0; axis < (g.depth > 1 ? 3 : 2); ++axis) diagonal += weight(axis, 0) + weight(axis, 1);
        for (int axis = 2; axis >= 0; --axis)
            if (at[axis] > 0) put(i - stride[axis], -weight(axis, 0));
        put(i, diagonal);
        for (int axis = 0; axis < 3; ++axis)
            if (at[axis] + 1 < extent[axis]) put(i + stride[axis], -weight(axis, 1));
    }
}

__global__ void peerAlphaKernel(SolveArguments a, PeerScalars* scalars) {
    for (int channel = 0; channel < a.grid.channels; ++channel) {
        ChannelState& c = a.channels[channel];
        if (!hasEnded(a) && !c.done) setAlpha(a, channel, scalars[channel].product);
        const double alpha = hasEnded(a) || c.done ? 0 : c.alpha;
        scalars[channel].alpha = alpha;
        scalars[channel].minusAlpha = -alpha;
    }
}

__global__ void peerResidualKernel(SolveArguments a, PeerScalars* scalars) {
    if (hasEnded(a)) return;
    for (int channel = 0; channel < a.grid.channels; ++channel) {
        setResidual(a, channel, scalars[channel].product, false);
        scalars[channel].beta = a.channels[channel].done ? 0 : a.channels[channel].beta;
    }
    logResidual(a, a.state->iteration + 1);
}

}  // namespace

void launchCompress(const SolveArguments& a, const CompressedRows& rows, cudaStream_t stream) {
    constexpr std::int64_t most = 65536;
    const std::int64_t blocks = a.grid.plane() / kSolverThreads + 1;
    compressKernel<<<static_cast<unsigned>(blocks < most ? blocks : most), kSolverThreads, 0, stream>>>(a, rows);
    checkLaunch(kFailed);
}

void launchPeerAlpha(const SolveArguments& a, PeerScalars* scalars, cudaStream_t stream) {
    peerAlphaKernel<<<1, 1, 0, stream>>>(a, scalars);
    checkLaunch(kFailed);
}

void launchPeerResidual(const SolveArguments& a, PeerScalars* scalars, cudaStream_t stream) {
    peerResidualKernel<<<1, 1, 0, stream>>>(a, scalars);
    checkLaunch(kFailed);
}

}  // namespace parallax::gpu
