// SPDX-License-Identifier: GPL-3.0-or-later
// The statistics of tone mapping by the variants of gpu/primitives: each is a reduction of a plane with one number per pixel. For
// comparison with the fused passes.
#include "gpu/operations/tone_mapping/curve.cuh"
#include "gpu/operations/tone_mapping/passes.cuh"
#include "gpu/primitives/reduction.cuh"

namespace parallax::gpu {
namespace {

using namespace tonemap;

constexpr int kThreads = 256;

/// The number of a pixel; NaN for pixels that do not count, which the primitives leave out.
enum class Feature {
    luminance,
    sampleLow,
    sampleHigh,
    scaledLuminance,
    scaledFloor,  ///< at least the smallest luminance that has a logarithm
    scaledFirst,  ///< the channels of the scaled image
    scaledSecond,
    scaledThird,
    mappedLow,
    mappedHigh,
    brightness
};

template <int C>
__device__ float featureOf(Feature feature, const float (&c)[C], const ToneSetup& s, const Numbers& k) {
    const float nothing = kNotCounted;
    const Pixel<C> raw = rawPixel(c, s);
    if (feature == Feature::mappedLow || feature == Feature::mappedHigh) {
        const Pixel<C> p = scaledPixel(boundedPixel(c, s, k), s, k);
        if (p.luminance != p.luminance) return nothing;
        const Extent results = responses(p, k);
        return feature == Feature::mappedLow ? results.low : results.high;
    }
    if (!isFiniteLuminance(raw.luminance)) return nothing;
    const Pixel<C> scaled = scaledPixel(raw, s, k);
    Extent samples;
    for (int i = 0; i < C; ++i) samples.add(c[i]);
    switch (feature) {
        case Feature::luminance: return std::fabs(raw.luminance);
        case Feature::sampleLow: return samples.low;
        case Feature::sampleHigh: return samples.high;
        case Feature::scaledLuminance: return scaled.luminance;
        case Feature::scaledFloor: return std::fmax(scaled.luminance + k.receptorDelta, k.receptorFloor);
        case Feature::scaledFirst: return scaled.c[0];
        case Feature::scaledSecond: return scaled.c[C > 1 ? 1 : 0];
        case Feature::scaledThird: return scaled.c[C > 2 ? 2 : 0];
        case Feature::brightness: return logarithm(k.delta + std::fabs(raw.luminance));
        case Feature::mappedLow:
        case Feature::mappedHigh: break;
    }
    return nothing;
}

template <int C>
__global__ void __launch_bounds__(kThreads) writeFeature(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup,
                                                         const ToneState* state, Feature feature, float* plane) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= planes.width * planes.height) return;
    // A 64-bit division takes as long as everything else here.
    const std::int64_t row = planes.height == 1               ? 0
                             : i <= std::int64_t{0xffffffffU} ? static_cast<unsigned>(i) / static_cast<unsigned>(planes.width)
                                                              : i / planes.width;
    const std::int64_t at = row * planes.inRowStride + (i - row * planes.width);
    float samples[C];
#pragma unroll
    for (int c = 0; c < C; ++c) samples[c] = planes.in[c][at];
    const Numbers numbers(*state, setup);
    plane[i] = featureOf(feature, samples, setup, numbers);
}

/// Results of the primitives on the device.
struct Results {
    LogSum logarithms;
    double sums[4];  ///< luminance, channels
    Extent light, samples;
};
static_assert(sizeof(Results) <= kTonePrimitiveResultBytes);

struct SumOperator {
    using Value = double;
    PARALLAX_HOST_DEVICE Value identity() const { return 0; }
    PARALLAX_HOST_DEVICE Value map(float x) const { return isFinite(x) ? static_cast<double>(x) : 0; }
    PARALLAX_HOST_DEVICE Value combine(Value a, Value b) const { return a + b; }
};

__global__ void conclude(TonePass pass, const __grid_constant__ ToneSetup setup, const Results* results, ToneState* state) {
    // Numbers that the pass did not gather are not used.
    const Results r = *results;
    TonePart all;
    all.logarithms = r.logarithms.sum;
    all.luminance = r.sums[0];
    for (int c = 0; c < 3; ++c) all.channels[c] = r.sums[1 + c];
    all.light = r.light;
    all.samples = r.samples;
    all.count = pass != TonePass::mapped ? r.logarithms.count : r.samples.low <= r.samples.high ? 1 : 0;
    concludePass(pass, setup, all, *state);
}

__global__ void __launch_bounds__(kCurveThreads) ceilCounts(const __grid_constant__ ToneSetup setup, const ToneMemory memory) {
    applyCeiling(setup, memory);
}
__global__ void __launch_bounds__(kCurveThreads) divideByTotal(const __grid_constant__ ToneSetup setup, const ToneMemory memory) {
    normaliseCurve(setup, memory);
}

void write(Feature feature, const TonePlanes& planes, const ToneSetup& setup, const ToneMemory& memory, const TonePrimitiveMemory& own,
           cudaStream_t stream) {
    const std::int64_t pixels = planes.width * planes.height;
    const auto blocks = static_cast<unsigned>((pixels + kThreads - 1) / kThreads);
    forChannels(setup.channels,
                [&](auto c) { writeFeature<c()><<<blocks, kThreads, 0, stream>>>(planes, setup, memory.state, feature, own.plane); });
    checkLaunch("A plane of tone mapping could not be started");
}

}  // namespace

TonePrimitiveMemory tonePrimitiveBytes(const TonePrimitives& primitives, std::int64_t pixels, int bins) {
    TonePrimitiveMemory own;
    own.reduction.bytes =
        std::max(reductionWorkspaceBytes(primitives.reduction, pixels), reductionBytes(primitives.reduction, pixels, SumOperator{}));
    if (bins > 0) {
        own.histogram.bytes = histogramWorkspaceBytes(primitives.histogram, pixels, bins);
        own.scan.bytes = scanWorkspaceBytes<std::uint64_t>(primitives.scan, bins + 1);
    }
    return own;
}

void initialiseTonePrimitives(const TonePrimitives& primitives, const TonePrimitiveMemory& own, cudaStream_t stream) {
    initialiseReduction(primitives.reduction, own.reduction, stream);
    check(cudaMemsetAsync(own.results, 0, kTonePrimitiveResultBytes, stream), "The statistics of tone mapping could not be cleared");
}

void launchTonePassByPrimitives(TonePass pass, const TonePlanes& given, const ToneSetup& setup, const TonePrimitives& primitives,
                                const ToneMemory& memory, const TonePrimitiveMemory& own, cudaStream_t stream) {
    const TonePlanes planes = flattened(given);
    const std::int64_t n = planes.width * planes.height;
    auto* const results = static_cast<Results*>(own.results);
    const ReductionVariant variant = primitives.reduction;
    const auto plane = [&](Feature feature) { write(feature, planes, setup, memory, own, stream); };
    const auto minimum = [&](float* to) { launchMinimum(variant, own.plane, n, to, own.reduction, stream); };
    const auto maximum = [&](float* to) { launchMaximum(variant, own.plane, n, to, own.reduction, stream); };
    const auto logarithms = [&](float delta) { launchLogSum(variant, own.plane, n, delta, &results->logarithms, own.reduction, stream); };
    const auto sum = [&](double* to) { launchReduction(variant, own.plane, n, SumOperator{}, to, own.reduction, stream); };
    switch (pass) {
        case TonePass::luminance:
            plane(Feature::luminance);
            minimum(&results->light.low);
            maximum(&results->light.high);
            logarithms(static_cast<float>(setup.delta));
            break;
        case TonePass::samples:
            plane(Feature::sampleLow);
            minimum(&results->samples.low);
            plane(Feature::sampleHigh);
            maximum(&results->samples.high);
            plane(Feature::luminance);
            minimum(&results->light.low);
            maximum(&results->light.high);
            logarithms(1);  // for their number
            break;
        case TonePass::scaled:
            plane(Feature::scaledLuminance);
            minimum(&results->light.low);
            maximum(&results->light.high);
            sum(&results->sums[0]);
            for (int c = 0; c < setup.channels; ++c) {
                plane(static_cast<Feature>(static_cast<int>(Feature::scaledFirst) + c));
                sum(&results->sums[1 + c]);
            }
            plane(Feature::scaledFloor);
            logarithms(0);
            break;
        case TonePass::mapped:
            plane(Feature::mappedLow);
            minimum(&results->samples.low);
            plane(Feature::mappedHigh);
            maximum(&results->samples.high);
            break;
    }
    conclude<<<1, 1, 0, stream>>>(pass, setup, results, memory.state);
    checkLaunch("The statistics of tone mapping could not be started");
}

void launchToneCountsByPrimitives(const TonePlanes& given, const ToneSetup& setup, const TonePrimitives& primitives,
                                  const ToneMemory& memory, const TonePrimitiveMemory& own, cudaStream_t stream) {
    const TonePlanes planes = flattened(given);
    write(Feature::brightness, planes, setup, memory, own, stream);
    launchHistogram(primitives.histogram, own.plane, planes.width * planes.height,
                    {.bins = setup.bins, .limits = {}, .deviceLimits = &memory.state->brightness}, memory.counts, own.histogram, stream);
}

void launchToneCurveByPrimitives(const ToneSetup& setup, const TonePrimitives& primitives, const ToneMemory& memory,
                                 const TonePrimitiveMemory& own, cudaStream_t stream) {
    ceilCounts<<<1, kCurveThreads, 0, stream>>>(setup, memory);
    checkLaunch("The ceiling of tone mapping could not be started");
    launchExclusiveScan<std::uint64_t>(primitives.scan, memory.fixed, memory.fixed, setup.bins + 1, own.scan, stream);
    divideByTotal<<<1, kCurveThreads, 0, stream>>>(setup, memory);
    checkLaunch("The curve of tone mapping could not be started");
}

void preloadTonePrimitives(const TonePrimitives& primitives, const ToneSetup& setup) {
    preloadReduction(primitives.reduction);
    preloadReductionOf<SumOperator>(primitives.reduction);
    preload(&conclude);
    forChannels(setup.channels, [&](auto c) { preload(reinterpret_cast<const void*>(&writeFeature<c()>)); });
    if (setup.op != ToneOperator::histogram) return;
    preloadHistogram(primitives.histogram);
    preloadScan<std::uint64_t>(primitives.scan);
    preload(&ceilCounts);
    preload(&divideByTotal);
}

}  // namespace parallax::gpu
