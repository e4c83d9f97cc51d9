// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/tone_mapping/gradient/launchers.hpp"
#include "gpu/operations/tone_mapping/passes.cuh"

namespace parallax::gpu {
namespace {

using namespace tonemap;

constexpr const char* kFailed = "A kernel of the gradient operator could not be started";
constexpr int kThreads = 256;

/// Calls visit(x, y) for the pixels of a level: blocks of kThreads columns take rows in turns.
template <class Visit>
__device__ __forceinline__ void visitPixels(std::int64_t width, std::int64_t height, Visit&& visit) {
    const std::int64_t across = (width + kThreads - 1) / kThreads;
    for (std::int64_t turn = blockIdx.x; turn < across * height; turn += gridDim.x) {
        const std::int64_t x = turn % across * kThreads + threadIdx.x;
        if (x < width) visit(static_cast<int>(x), static_cast<int>(turn / across));
    }
}
/// Follows from the size of the level alone, and so does the order of its sums.
unsigned blocksFor(std::int64_t width, std::int64_t height) {
    return static_cast<unsigned>(std::min<std::int64_t>((width + kThreads - 1) / kThreads * height, kGradientBlocks));
}
unsigned blocksFor(const GradientLevel& level) { return blocksFor(level.width, level.height); }

/// A pixel with infinities replaced.
template <int C>
__device__ __forceinline__ Pixel<C> pixelAt(const TonePlanes& p, const ToneSetup& setup, float limit, int x, int y) {
    Pixel<C> pixel;
#pragma unroll
    for (int c = 0; c < C; ++c) pixel.c[c] = tone::withoutInfinity(__ldg(p.in[c] + y * p.inRowStride + x), limit);
    pixel.luminance = tone::luminance(setup.weights, pixel.c, C);
    return pixel;
}
template <int C>
__device__ __forceinline__ float relativeOf(const Pixel<C>& p, float average, float delta) {
    return tone::relativeLuminance(std::fabs(p.luminance), average, delta);
}

template <int C>
__global__ void __launch_bounds__(kThreads)
    logarithmKernel(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const ToneState* state,
                    const GradientLevel finest) {
    const float limit = static_cast<float>(state->limit), average = static_cast<float>(state->logAverage),
                delta = static_cast<float>(setup.delta);
    visitPixels(finest.width, finest.height, [&](int x, int y) {
        const Pixel<C> p = pixelAt<C>(planes, setup, limit, x, y);
        finest.logarithms[finest.at(x, y)] = std::log(p.luminance == p.luminance ? relativeOf(p, average, delta) : 1 + delta);
    });
}

__global__ void __launch_bounds__(kThreads) reductionKernel(const GradientLevel fine, const GradientLevel coarse) {
    visitPixels(coarse.width, coarse.height, [&](int x, int y) {
        float sum = 0;
#pragma unroll
        for (int j = 0; j < 5; ++j) {
            const int row = min(max(2 * y + j - 2, 0), fine.height - 1);
            float across = 0;
#pragma unroll
            for (int i = 0; i < 5; ++i)
                across = std::fma(static_cast<float>(tone::reductionWeight(i)),
                                  __ldg(fine.logarithms + fine.at(min(max(2 * x + i - 2, 0), fine.width - 1), row)), across);
            sum = std::fma(static_cast<float>(tone::reductionWeight(j)), across, sum);
        }
        coarse.logarithms[coarse.at(x, y)] = sum;
    });
}

__global__ void __launch_bounds__(kThreads)
    magnitudeKernel(const GradientLevel level, const GradientRows counted, const GradientMemory memory, double* mean) {
    double sum = 0;
    visitPixels(level.width, level.height, [&](int x, int y) {
        const auto at = [&](int column, int row) { return __ldg(level.logarithms + level.at(column, row)); };
        const float across = at(min(x + 1, level.width - 1), y) - at(max(x - 1, 0), y);
        const float down = at(x, min(y + 1, level.height - 1)) - at(x, max(y - 1, 0));
        const float magnitude = std::sqrt(across * across + down * down);
        level.attenuation[level.at(x, y)] = magnitude;
        if (y >= counted.first && y < counted.last) sum += static_cast<double>(magnitude);
    });
    const auto add = [](double& a, double b) { a += b; };
    reduceBlock<kThreads>(sum, add);
    if (threadIdx.x == 0) memory.partials[blockIdx.x] = sum;
    if (!isLastBlock(memory.ticket, gridDim.x)) return;
    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += kThreads) sum += loadFromOthers(memory.partials + i);
    reduceBlock<kThreads>(sum, add);
    if (threadIdx.x == 0) *mean = sum / counted.pixels;
}

__global__ void __launch_bounds__(kThreads)
    attenuationKernel(const GradientLevel level, const GradientLevel coarse, const GradientNumbers numbers, const double* mean) {
    const auto attenuation = tone::Attenuation<float>::of(*mean, numbers.alpha, numbers.beta, numbers.noise);
    visitPixels(level.width, level.height, [&](int x, int y) {
        float& own = level.attenuation[level.at(x, y)];
        float phi = attenuation(own);
        if (coarse.attenuation) {
            const int left = x / 2, right = min(left + x % 2, coarse.width - 1), upper = y / 2,
                      lower = min(upper + y % 2, coarse.height - 1);
            const auto at = [&](int column, int row) { return __ldg(coarse.attenuation + coarse.at(column, row)); };
            phi *= 0.25F * ((at(left, upper) + at(left, lower)) + (at(right, upper) + at(right, lower)));
        }
        own = phi;
    });
}

__global__ void __launch_bounds__(kThreads) divergenceKernel(const GradientLevel finest, int first, const Grid grid, double* b) {
    visitPixels(grid.width, grid.height, [&](int x, int row) {
        const int y = first + row;
        const std::int64_t i = finest.at(x, y);
        const auto h = [&](std::int64_t at) { return static_cast<double>(__ldg(finest.logarithms + at)); };
        const auto phi = [&](std::int64_t at) { return static_cast<double>(__ldg(finest.attenuation + at)); };
        const double own = h(i), ownPhi = phi(i);
        // The attenuated gradient to a neighbour.
        const auto flow = [&](std::int64_t at) { return 0.5 * (own - h(at)) * (ownPhi + phi(at)); };
        double sum = 0;
        if (x > 0) sum += flow(i - 1);
        if (x + 1 < finest.width) sum += flow(i + 1);
        if (y > 0) sum += flow(i - finest.pitch);
        if (y + 1 < finest.height) sum += flow(i + finest.pitch);
        b[grid.at(x, row, 0, 0)] = sum;
    });
}

template <int C>
__global__ void __launch_bounds__(kThreads)
    planeKernel(const __grid_constant__ TonePlanes planes, const Grid grid, const double* x, float* plane) {
    visitPixels(planes.width, planes.height, [&](int column, int row) {
        auto value = static_cast<float>(x[grid.at(column, row, 0, 0)]);
#pragma unroll
        for (int c = 0; c < C; ++c) {
            const float sample = __ldg(planes.in[c] + row * planes.inRowStride + column);
            if (sample != sample) value = sample;
        }
        plane[row * planes.width + column] = value;
    });
}

__global__ void limitsKernel(GradientState* state) {
    if (!(state->all.low <= state->all.high)) state->all = {0, 0};
}

/// One block: each thread has kGradientBins / kThreads bins.
__global__ void __launch_bounds__(kThreads) rankKernel(int rank, bool first, const GradientNumbers numbers, const GradientMemory memory) {
    constexpr int each = kGradientBins / kThreads;
    __shared__ std::uint64_t sums[kThreads];
    const auto* const counts = memory.counts;
    const int begin = static_cast<int>(threadIdx.x) * each;
    std::uint64_t own = 0;
    for (int i = 0; i < each; ++i) own += counts[begin + i];
    sums[threadIdx.x] = own;
    __syncthreads();
    // Values below the limits come first.
    const std::uint64_t below = counts[kGradientBins];
    std::uint64_t before = below, total = below + counts[kGradientBins + 1];
    for (int i = 0; i < kThreads; ++i) {
        if (i < static_cast<int>(threadIdx.x)) before += sums[i];
        total += sums[i];
    }
    const auto n = static_cast<std::int64_t>(total);
    if (n == 0) {
        if (threadIdx.x == 0) memory.state->around[rank] = memory.state->all;
        return;
    }
    const std::int64_t clipped = tone::clippedCount(rank == 0 ? numbers.clipWhite : numbers.clipBlack, n);
    const auto wanted = static_cast<std::uint64_t>(rank == 0 ? n - 1 - clipped : clipped);
    // Rounding of the limits may leave the value just beside them.
    const bool isFirst = threadIdx.x == 0, isLast = threadIdx.x == kThreads - 1;
    if ((wanted < before && !isFirst) || (wanted >= before + own && !isLast)) return;
    int bin = begin;
    std::uint64_t passed = before + counts[bin];
    while (bin + 1 < begin + each && passed <= wanted) passed += counts[++bin];
    const HistogramLimits limits = first ? memory.state->all : memory.state->around[rank];
    const double low = static_cast<double>(limits.low), width = (static_cast<double>(limits.high) - low) / kGradientBins;
    memory.state->around[rank] = {static_cast<float>(low + bin * width), static_cast<float>(low + (bin + 1) * width)};
}

__global__ void rangeKernel(GradientState* state) {
    const auto middle = [](const HistogramLimits& l) { return 0.5 * (static_cast<double>(l.low) + static_cast<double>(l.high)); };
    state->range = tone::DisplayRange::of(middle(state->around[0]), middle(state->around[1]));
}

template <int C>
__global__ void __launch_bounds__(kThreads)
    gradientMapKernel(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const GradientNumbers numbers,
                      const GradientMemory memory) {
    const ToneState* const state = memory.tone.state;
    const float limit = static_cast<float>(state->limit), average = static_cast<float>(state->logAverage),
                delta = static_cast<float>(setup.delta);
    const tone::DisplayRange range = memory.state->range;
    const float white = static_cast<float>(range.white), black = static_cast<float>(range.black),
                perRange = static_cast<float>(range.perRange());
    unsigned brighter = 0;
    visitPixels(planes.width, planes.height, [&](int x, int y) {
        const Pixel<C> p = pixelAt<C>(planes, setup, limit, x, y);
        const float relative = relativeOf(p, average, delta);
        const float display = tone::displayOf(memory.plane[y * planes.width + x] - white, black, perRange);
        float samples[C];
        bool above = false;
#pragma unroll
        for (int c = 0; c < C; ++c) {
            samples[c] = p.luminance;  // a NaN in one channel
            if (p.luminance == p.luminance)
                samples[c] = tone::gradientColour(p.c[c], average, relative, display, numbers.largestRatio, numbers.saturation);
            above = above || samples[c] > static_cast<float>(tone::kBrighterThanWhite);
        }
        if (!setup.coding.linear) encode(samples, setup.coding);
#pragma unroll
        for (int c = 0; c < C; ++c) __stcs(planes.out[c] + y * planes.outRowStride + x, samples[c]);
        brighter += above ? 1U : 0U;
    });
    reduceBlock<kThreads>(brighter, [](unsigned& a, unsigned b) { a += b; });
    if (threadIdx.x == 0 && brighter > 0) atomicAdd(&memory.tone.state->brighter, static_cast<unsigned long long>(brighter));
}

}  // namespace

void launchGradientLogarithms(const TonePlanes& planes, const ToneSetup& setup, const GradientMemory& memory, const GradientLevel& finest,
                              cudaStream_t stream) {
    forChannels(setup.channels, [&](auto c) {
        logarithmKernel<c()><<<blocksFor(finest), kThreads, 0, stream>>>(planes, setup, memory.tone.state, finest);
    });
    checkLaunch(kFailed);
}

void launchGradientReduction(const GradientLevel& fine, const GradientLevel& coarse, cudaStream_t stream) {
    reductionKernel<<<blocksFor(coarse), kThreads, 0, stream>>>(fine, coarse);
    checkLaunch(kFailed);
}

void launchGradientMagnitudes(const GradientLevel& level, int index, const GradientRows& counted, const GradientMemory& memory,
                              cudaStream_t stream) {
    magnitudeKernel<<<blocksFor(level), kThreads, 0, stream>>>(level, counted, memory, memory.state->means + index);
    checkLaunch(kFailed);
}

void launchGradientAttenuation(const GradientLevel& level, int index, const GradientLevel* coarse, const GradientNumbers& numbers,
                               const GradientMemory& memory, cudaStream_t stream) {
    const GradientLevel below = coarse ? *coarse : GradientLevel{};
    attenuationKernel<<<blocksFor(level), kThreads, 0, stream>>>(level, below, numbers, memory.state->means + index);
    checkLaunch(kFailed);
}

void launchGradientDivergence(const GradientLevel& finest, int first, const Grid& grid, double* b, cudaStream_t stream) {
    divergenceKernel<<<blocksFor(grid.width, grid.height), kThreads, 0, stream>>>(finest, first, grid, b);
    checkLaunch(kFailed);
}

void launchGradientPlane(const TonePlanes& planes, const ToneSetup& setup, const GradientMemory& memory, const Grid& grid, const double* x,
                         cudaStream_t stream) {
    forChannels(setup.channels, [&](auto c) {
        planeKernel<c()><<<blocksFor(planes.width, planes.height), kThreads, 0, stream>>>(planes, grid, x, memory.plane);
    });
    checkLaunch(kFailed);
}

void launchGradientLimits(const GradientMemory& memory, cudaStream_t stream) {
    limitsKernel<<<1, 1, 0, stream>>>(memory.state);
    checkLaunch(kFailed);
}

void launchGradientRank(int rank, bool first, const GradientNumbers& numbers, const GradientMemory& memory, cudaStream_t stream) {
    rankKernel<<<1, kThreads, 0, stream>>>(rank, first, numbers, memory);
    checkLaunch(kFailed);
}

void launchGradientRange(const GradientMemory& memory, cudaStream_t stream) {
    rangeKernel<<<1, 1, 0, stream>>>(memory.state);
    checkLaunch(kFailed);
}

void launchGradientMapping(const TonePlanes& planes, const ToneSetup& setup, const GradientNumbers& numbers, const GradientMemory& memory,
                           cudaStream_t stream) {
    forChannels(setup.channels, [&](auto c) {
        gradientMapKernel<c()><<<blocksFor(planes.width, planes.height), kThreads, 0, stream>>>(planes, setup, numbers, memory);
    });
    checkLaunch(kFailed);
}

void preloadGradient(const ToneSetup& setup) {
    forChannels(setup.channels, [&](auto c) {
        preload(&logarithmKernel<c()>);
        preload(&planeKernel<c()>);
        preload(&gradientMapKernel<c()>);
    });
    preload(&reductionKernel);
    preload(&magnitudeKernel);
    preload(&attenuationKernel);
    preload(&divergenceKernel);
    preload(&limitsKernel);
    preload(&rankKernel);
    preload(&rangeKernel);
}

}  // namespace parallax::gpu
