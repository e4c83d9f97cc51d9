// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram adjustment: counts of brightness, and the curve.
#include "gpu/operations/tone_mapping/curve.cuh"
#include "gpu/operations/tone_mapping/passes.cuh"
#include "gpu/primitives/histogram.cuh"

namespace parallax::gpu {
namespace {

using namespace tonemap;
using Knobs = StatisticsKnobs;

template <int C>
__global__ void __launch_bounds__(Knobs::value.threads, Knobs::value.blocks)
    countBrightness(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const ToneMemory memory, int copies,
                    bool backwards) {
    extern __shared__ unsigned histogram[];
    constexpr int threads = Knobs::value.threads;
    const int thread = static_cast<int>(threadIdx.x), bins = setup.bins;
    const PrivateCounts own{histogram, bins, copies};
    own.clear(thread, threads);
    const Numbers numbers(*memory.state, setup);
    unsigned* const mine = own.ofThread(thread);
    forBlock<Knobs, C, false>(
        planes, setup.coding, backwards,
        [&](float(&samples)[C]) {
            const float luminance = luminanceOf(samples, setup.weights);
            const int bin = numbers.scale.binOf(logarithm(numbers.delta + std::fabs(luminance)));
            atomicAdd(mine + (isFiniteLuminance(luminance) ? bin : bins) * copies, 1U);
        },
        [] {});
    __syncthreads();
    own.addTo(reinterpret_cast<Count*>(memory.counts), thread, threads);
}

__global__ void __launch_bounds__(kCurveThreads) makeCurve(const __grid_constant__ ToneSetup setup, const ToneMemory memory) {
    applyCeiling(setup, memory);
    __syncthreads();
    scanInBlock(memory.fixed, setup.bins + 1);
    __syncthreads();
    normaliseCurve(setup, memory);
}

}  // namespace

void launchToneCounts(const TonePlanes& given, const ToneSetup& setup, const ToneMemory& memory, int multiprocessors, bool backwards,
                      cudaStream_t stream) {
    const TonePlanes planes = flattened(given);
    const unsigned grid = gridOf(planes, multiprocessors, Knobs::value);
    const int copies = histogramCopies(setup.bins + 1);
    const std::size_t bytes = static_cast<std::size_t>(setup.bins + 1) * static_cast<std::size_t>(copies) * sizeof(unsigned);
    forChannels(setup.channels, [&](auto c) {
        countBrightness<c()><<<grid, Knobs::value.threads, bytes, stream>>>(planes, setup, memory, copies, backwards);
    });
    checkLaunch("The histogram of tone mapping could not be started");
}

void launchToneCurve(const ToneSetup& setup, const ToneMemory& memory, cudaStream_t stream) {
    makeCurve<<<1, kCurveThreads, 0, stream>>>(setup, memory);
    checkLaunch("The curve of tone mapping could not be started");
}

void preloadToneHistogram(const ToneSetup& setup) {
    forChannels(setup.channels, [&](auto c) { preload(&countBrightness<c()>); });
    preload(&makeCurve);
}

}  // namespace parallax::gpu
