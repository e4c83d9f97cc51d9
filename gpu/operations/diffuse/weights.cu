// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/diffuse/weights.hpp"

#include "core/operations/diffuse/formulas.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of diffusion could not be started";
constexpr int kThreads = 256;

__device__ __forceinline__ bool isFinite(double guide) { return !isnan(guide); }

/// Rows of all slices in turns, along y of the grid of blocks.
template <class Visit>
__device__ __forceinline__ void visitSamples(const Grid& g, Visit&& visit) {
    const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (x >= g.width) return;
    for (int row = static_cast<int>(blockIdx.y); row < g.height * g.depth; row += static_cast<int>(gridDim.y))
        visit(x, row % g.height, row / g.height);
}

__global__ __launch_bounds__(kThreads) void guideKernel(Grid grid, DiffusionNumbers n, ImagePlanes image, const double* luminance,
                                                        double* guide) {
    visitSamples(grid, [&](int x, int y, int z) {
        bool finite = true;
        double sum = 0;
        for (int channel = 0; channel < grid.channels; ++channel) {
            const float sample = image.in.at(x, y, z, image.channels[channel]);
            finite = finite && isfinite(sample);
            sum += luminance[channel] * static_cast<double>(sample);
        }
        double value = 0;
        if (n.weights == DiffusionWeights::edges && finite) value = diffusion::guideValue(sum, n);
        guide[grid.at(x, y, z, 0)] = finite ? value : static_cast<double>(NAN);
    });
}

/// The grid is the whole image.
struct WholeImage {
    static constexpr bool kIsBand = false;
};
struct BandOfImage {
    static constexpr bool kIsBand = true;
    DiffusionRows beside;
};

template <class Extent>
__global__ __launch_bounds__(kThreads) void weightsKernel(Grid grid, DiffusionNumbers n, DiffusionArrays arrays, Extent extent) {
    Grid edges = grid;
    int rowsAbove = 0;
    bool hasBelow = false;
    if constexpr (Extent::kIsBand) {
        // The edges to the row above a band belong to it, too.
        rowsAbove = extent.beside.guide[0] ? 1 : 0;
        hasBelow = extent.beside.guide[1] != nullptr;
        edges.height += rowsAbove;
    }
    // `i`: index in the grid, from -pitch in the row above.
    const auto guideAt = [&](int x, int y, std::int64_t i) {
        if constexpr (Extent::kIsBand)
            if (y < 0 || y >= grid.height) return extent.beside.guide[y < 0 ? 0 : 1][x];
        return arrays.guide[i];
    };
    const auto sampleAt = [&](int x, int y, std::int64_t i, int channel) {
        if constexpr (Extent::kIsBand)
            if (y < 0 || y >= grid.height) return extent.beside.samples[y < 0 ? 0 : 1][std::int64_t{channel} * grid.pitch + x];
        return arrays.samples[channel * grid.plane() + i];
    };
    visitSamples(edges, [&](int x, int row, int z) {
        const int y = row - rowsAbove;
        const std::int64_t i = grid.at(x, y, z, 0);
        const bool inside[3] = {y >= 0 && x + 1 < grid.width, y + 1 < grid.height || hasBelow, z + 1 < grid.depth};
        const std::int64_t stride[3] = {1, grid.pitch, grid.slice()};
        const double own = guideAt(x, y, i);
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
            if (!arrays.edges[axis] || (y < 0 && axis != 1)) continue;
            double weight = 0;
            const int nextX = x + (axis == 0 ? 1 : 0), nextY = y + (axis == 1 ? 1 : 0);
            const double next = inside[axis] ? guideAt(nextX, nextY, i + stride[axis]) : static_cast<double>(NAN);
            if (isFinite(own) && isFinite(next)) {
                if (n.weights == DiffusionWeights::uniform) {
                    weight = n.step * n.axisWeights[axis];
                } else if (n.weights == DiffusionWeights::edges) {
                    weight = diffusion::edgePreservingWeight(next - own, n.axisWeights[axis], n);
                } else {
                    double sum = 0;
                    for (int channel = 0; channel < grid.channels; ++channel) {
                        const double difference = sampleAt(nextX, nextY, i + stride[axis], channel) - sampleAt(x, y, i, channel);
                        sum += difference * difference;
                    }
                    weight = diffusion::peronaMalikWeight(sum / grid.channels, n.axisWeights[axis], n.step, n);
                }
            }
            arrays.edges[axis][i] = weight;
        }
    });
}

dim3 blocksFor(const Grid& g) {
    constexpr int most = 32768;
    const int rows = g.height * g.depth;
    return {static_cast<unsigned>((g.width + kThreads - 1) / kThreads), static_cast<unsigned>(rows < most ? rows : most)};
}

}  // namespace

DiffusionNumbers DiffusionNumbers::of(const DiffusePlan& plan) {
    const DiffuseParameters& p = plan.parameters;
    return {p.weights,      p.lambda,   p.alpha,
            p.epsilon,      p.guide,    p.black,
            p.conductivity, p.contrast, {plan.axisWeights[0], plan.axisWeights[1], plan.axisWeights[2]},
            plan.step};
}

void launchDiffusionGuide(const Grid& grid, const DiffusionNumbers& numbers, const ImagePlanes& image, const double* luminance,
                          const DiffusionArrays& arrays, cudaStream_t stream) {
    guideKernel<<<blocksFor(grid), kThreads, 0, stream>>>(grid, numbers, image, luminance, arrays.guide);
    checkLaunch(kFailed);
}

void launchDiffusionWeights(const Grid& grid, const DiffusionNumbers& numbers, const DiffusionArrays& arrays, cudaStream_t stream) {
    weightsKernel<WholeImage><<<blocksFor(grid), kThreads, 0, stream>>>(grid, numbers, arrays, WholeImage{});
    checkLaunch(kFailed);
}

void launchDiffusionWeights(const Grid& grid, const DiffusionNumbers& numbers, const DiffusionArrays& arrays, const DiffusionRows& beside,
                            cudaStream_t stream) {
    weightsKernel<BandOfImage><<<blocksFor(grid), kThreads, 0, stream>>>(grid, numbers, arrays, BandOfImage{beside});
    checkLaunch(kFailed);
}

void preloadDiffusion() {
    preload(guideKernel);
    preload(weightsKernel<WholeImage>);
    preload(weightsKernel<BandOfImage>);
}

}  // namespace parallax::gpu
