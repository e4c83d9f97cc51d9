// SPDX-License-Identifier: GPL-3.0-or-later
// The local operator: Gaussians of all scales, separable. filterRows makes those of the rows, of the luminance that it computes from the
// colours; climbScales those of the columns from the smallest on, chooses each pixel's scale meanwhile, and maps. Neither scales nor
// choices ever go to memory. Both keep a window of samples in registers and walk over the weights in chunks: a sample is loaded once
// for all outputs of a thread, so that the multiply-adds are what takes time, and a radius may be as large as it likes.
#pragma once

#include <algorithm>

#include "parallax/gpu/operations/tone_mapping/passes.cuh"

namespace parallax::gpu::tonemap {

inline constexpr std::size_t kUnaskedShared = 48 * 1024;  ///< bytes that a block gets without asking

struct RowKnobs {
    static constexpr ToneLocalTuning value = kToneRowTuning;
};
struct ColumnKnobs {
    static constexpr ToneLocalTuning value = kToneColumnTuning;
};

/// Samples of a row that a warp needs, and places for them.
__host__ __device__ constexpr int rowSamples(int radius, int tail) { return kRowOutputs + radius + tail; }
inline constexpr int kRowUnroll = 4;
__host__ __device__ constexpr int rowPlaces(int radius, int tail) {
    constexpr int unit = kRowUnroll * kLanes;
    return (rowSamples(radius, tail) + unit - 1) / unit * unit;
}

struct Weights {
    float w[kToneChunk];
    __device__ __forceinline__ explicit Weights(const float* __restrict__ weights) {
        const float4 a = __ldg(reinterpret_cast<const float4*>(weights)), b = __ldg(reinterpret_cast<const float4*>(weights) + 1);
        w[0] = a.x;
        w[1] = a.y;
        w[2] = a.z;
        w[3] = a.w;
        w[4] = b.x;
        w[5] = b.y;
        w[6] = b.z;
        w[7] = b.w;
    }
};
/// As many samples as there are weights in a chunk. Outputs of a thread meet two or three of these at a time, which change places
/// instead of being moved.
using Segment = float[kToneChunk];

/// |luminance| as the Gaussians take it: infinities count as the limit, and for its neighbours a pixel without a value is of middle grey.
template <int C>
__device__ __forceinline__ float surroundLuminance(const TonePlanes& p, const ToneSetup& s, const Numbers& k, std::int64_t at,
                                                   float average) {
    float samples[C];
#pragma unroll
    for (int c = 0; c < C; ++c) samples[c] = __ldg(p.in[c] + at);
    const float luminance = std::fabs(boundedPixel(samples, s, k).luminance);
    return luminance == luminance ? luminance : average;
}

/// Adds the part of one chunk: out[o] += weights[t] * samples[o + t].
__device__ __forceinline__ void addChunk(float (&out)[kRowOutputsEach], const Segment& a, const Segment& b, const Segment& c,
                                         const float* __restrict__ weights) {
    static_assert(kRowOutputsEach + kToneChunk - 1 <= 3 * kToneChunk);
    const Weights k(weights);
#pragma unroll
    for (int t = 0; t < kToneChunk; ++t)
#pragma unroll
        for (int o = 0; o < kRowOutputsEach; ++o) {
            const int i = o + t;
            out[o] = std::fma(k.w[t], i < kToneChunk ? a[i] : i < 2 * kToneChunk ? b[i - kToneChunk] : c[i - 2 * kToneChunk], out[o]);
        }
}

/// A warp filters kRowOutputs pixels of a row by all Gaussians that need this row.
template <class Knobs, int C>
__global__ void __launch_bounds__(Knobs::value.warps* kLanes, Knobs::value.blocks)
    filterRows(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const __grid_constant__ ToneBand band,
               const ToneState* state, int pieces) {
    extern __shared__ __align__(16) float shared[];
    const int lane = static_cast<int>(threadIdx.x) % kLanes, warp = static_cast<int>(threadIdx.x) / kLanes;
    const int warps = static_cast<int>(blockDim.x) / kLanes, places = rowPlaces(band.radius, band.tail);
    float* const samples = shared + warp * (places + kRowOutputs);
    float* const results = samples + places;
    const std::int64_t y = max(band.begin - band.radius, std::int64_t{0}) +
                           static_cast<std::int64_t>(blockIdx.x / static_cast<unsigned>(pieces)) * warps + warp;
    const int piece = static_cast<int>(blockIdx.x % static_cast<unsigned>(pieces));
    const std::int64_t first = static_cast<std::int64_t>(piece) * kRowOutputs;
    if (y >= min(planes.height, band.end + band.tail)) return;  // all lanes of a warp, and nothing waits for other warps
    const int relative = static_cast<int>(y - band.begin), bandRows = static_cast<int>(band.end - band.begin);
    const Numbers numbers(*state, setup);
    const float average = static_cast<float>(state->logAverage);
    const bool huge = state->largest > 1e38;
    const std::int64_t start = first - band.radius;
    if (numbers.allFinite && start >= 0 && start + places <= planes.width) {
        const std::int64_t from = y * planes.inRowStride + start + lane;
#pragma unroll 1
        for (int i = 0; i < places; i += kRowUnroll * kLanes) {
            float colours[kRowUnroll][C];
#pragma unroll
            for (int j = 0; j < kRowUnroll; ++j)
#pragma unroll
                for (int c = 0; c < C; ++c) colours[j][c] = __ldg(planes.in[c] + from + i + j * kLanes);
#pragma unroll
            for (int j = 0; j < kRowUnroll; ++j) samples[i + j * kLanes + lane] = std::fabs(luminanceOf(colours[j], setup.weights));
        }
    } else {
        for (int i = lane; i < places; i += kLanes) {
            const std::int64_t x = min(max(start + i, std::int64_t{0}), planes.width - 1);
            samples[i] = surroundLuminance<C>(planes, setup, numbers, y * planes.inRowStride + x, average);
        }
    }
    __syncwarp();
    for (int g = 0; g < band.count; ++g) {
        const ToneGaussian gaussian = band.gaussians[g];
        // Outside of the image its first and last rows repeat: those are stored more than once.
        const int lowest = y == 0 ? -gaussian.radius : max(relative, -gaussian.radius);
        const int highest = min(y == planes.height - 1 ? bandRows + gaussian.tail() : relative + 1, bandRows + gaussian.tail());
        if (lowest >= highest || relative < lowest || relative >= highest) continue;
        const float* weights = band.weights + gaussian.offset;
        const float* next = samples + (band.radius - gaussian.radius) + kRowOutputsEach * lane;
        float out[kRowOutputsEach] = {};
        Segment a, b, c;
        const auto load = [&](Segment& to) {
#pragma unroll
            for (int i = 0; i < kToneChunk; ++i) to[i] = next[i];
            next += kToneChunk;
        };
        load(a);
        load(b);
        load(c);
        for (int left = gaussian.chunks;; left -= 3, weights += 3 * kToneChunk) {
            addChunk(out, a, b, c, weights);
            if (left == 1) break;
            load(a);
            addChunk(out, b, c, a, weights + kToneChunk);
            if (left == 2) break;
            load(b);
            addChunk(out, c, a, b, weights + 2 * kToneChunk);
            if (left == 3) break;
            load(c);
        }
        if (huge) {
            // Sums of weights may be larger than 1 by some roundings.
#pragma unroll
            for (float& sum : out) sum = std::fmin(sum, kLargestFloat);
        }
        // By way of shared memory: lanes have 17 pixels each, and store those that follow each other, a stripe at a time.
#pragma unroll
        for (int o = 0; o < kRowOutputsEach; ++o) results[kRowOutputsEach * lane + o] = out[o];
        __syncwarp();
        constexpr int kQuads = kColumnsOfWarp / 4;
        const int mine = lane / kQuads, inside = min(static_cast<int>(band.stripes) - piece * kRowOutputsEach, kRowOutputsEach);
        const std::int64_t stripe = band.rows * kColumnsOfWarp;
        float* to = band.filtered +
                    ((g * band.stripes + piece * kRowOutputsEach + mine) * band.rows + band.radius + lowest) * kColumnsOfWarp +
                    4 * (lane % kQuads);
        for (int i = lowest; i < highest; ++i, to += kColumnsOfWarp) {
            float* p = to;
#pragma unroll
            for (int o = 0; o < kRowOutputs; o += 4 * kLanes, p += kLanes / kQuads * stripe)
                if (o / kColumnsOfWarp + mine < inside)
                    *reinterpret_cast<float4*>(p) = *reinterpret_cast<const float4*>(results + o + 4 * lane);
        }
        __syncwarp();
    }
}

using Column = float[kColumnOutputsEach];

__device__ __forceinline__ void addChunk(Column& out, const Segment& a, const Segment& b, const Segment& c,
                                         const float* __restrict__ weights) {
    static_assert(kColumnOutputsEach + kToneChunk - 1 <= 3 * kToneChunk);
    const Weights k(weights);
#pragma unroll
    for (int t = 0; t < kToneChunk; ++t)
#pragma unroll
        for (int o = 0; o < kColumnOutputsEach; ++o) {
            const int i = o + t;
            out[o] = std::fma(k.w[t], i < kToneChunk ? a[i] : i < 2 * kToneChunk ? b[i - kToneChunk] : c[i - 2 * kToneChunk], out[o]);
        }
}

__device__ __forceinline__ void prefetchToLevel2(const float* line) { asm volatile("prefetch.global.L2 [%0];" ::"l"(line)); }

/// Asks for what the Gaussian g of a block needs: its warps their own rows, the first and the last one also what lies above and below.
template <int Warps>
__device__ __forceinline__ void prefetchColumns(const ToneBand& band, int g, std::int64_t stripe, int relative, int warp, int lane) {
    const ToneGaussian gaussian = band.gaussians[g];
    const int first = relative - (warp == 0 ? gaussian.radius : 0);
    const int last = relative + kColumnOutputsEach + (warp == Warps - 1 ? gaussian.tail() : 0);
    const float* const rows = band.filtered + ((g * band.stripes + stripe) * band.rows + band.radius) * kColumnsOfWarp;
    for (int row = first + lane; row < last; row += kLanes) prefetchToLevel2(rows + static_cast<std::int64_t>(row) * kColumnsOfWarp);
}

/// The Gaussian g along the columns, for the rows from `relative`, counted from the band's first one.
__device__ __forceinline__ void filterColumn(const ToneBand& band, int g, std::int64_t stripe, int relative, int lane, Column& out) {
    const ToneGaussian gaussian = band.gaussians[g];
    const float* weights = band.weights + gaussian.offset;
    const float* next =
        band.filtered + ((g * band.stripes + stripe) * band.rows + relative + band.radius - gaussian.radius) * kColumnsOfWarp + lane;
    Segment a, b, c, d;
    const auto load = [&](Segment& to) {
#pragma unroll
        for (int i = 0; i < kToneChunk; ++i) to[i] = next[i * kColumnsOfWarp];
        next += kToneChunk * kColumnsOfWarp;
    };
#pragma unroll
    for (float& sum : out) sum = 0;
    load(a);
    load(b);
    load(c);
    // What the next chunk needs is on its way while this one is added.
    for (int left = gaussian.chunks;; left -= 4, weights += 4 * kToneChunk) {
        if (left > 1) load(d);
        addChunk(out, a, b, c, weights);
        if (left == 1) break;
        if (left > 2) load(a);
        addChunk(out, b, c, d, weights + kToneChunk);
        if (left == 2) break;
        if (left > 3) load(b);
        addChunk(out, c, d, a, weights + 2 * kToneChunk);
        if (left == 3) break;
        if (left > 4) load(c);
        addChunk(out, d, a, b, weights + 3 * kToneChunk);
        if (left == 4) break;
    }
}

/// Show: writes the number of the chosen scale instead of the mapped colours.
template <class Knobs, int C, bool Show>
__global__ void __launch_bounds__(Knobs::value.warps* kLanes, Knobs::value.blocks)
    climbScales(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const __grid_constant__ ToneBand band,
                ToneState* state) {
    constexpr int R = kColumnOutputsEach, kWarps = Knobs::value.warps;
    constexpr bool kPrefetch = Knobs::value.prefetch;
    static_assert(ToneBand::roundedRows(1) % (kWarps * R) == 0);
    const int lane = static_cast<int>(threadIdx.x) % kLanes, warp = static_cast<int>(threadIdx.x) / kLanes;
    const auto stripes = static_cast<unsigned>(band.stripes);
    const std::int64_t stripe = blockIdx.x % stripes, column = stripe * kColumnsOfWarp + lane;
    const int relative = static_cast<int>(blockIdx.x / stripes * kWarps + static_cast<unsigned>(warp)) * R;
    const std::int64_t y = band.begin + relative;
    unsigned brighter = 0;
    if (y < band.end) {
        // The surround, or the number of its scale: with the sign set once the pixel gets no larger one. Neither is ever negative.
        Column chosen, one, other;
        if (kPrefetch) prefetchColumns<kWarps>(band, 1, stripe, relative, warp, lane);
        filterColumn(band, 0, stripe, relative, lane, one);
#pragma unroll
        for (int o = 0; o < R; ++o) chosen[o] = Show ? 0 : one[o];
        // tone::activity() <= epsilon, without a division. Returns whether any pixel of the warp goes on.
        const auto climb = [&](int scale, const Column& smaller, const Column& larger) {
            const float number = static_cast<float>(scale), least = setup.epsilon * static_cast<float>(state->sharpening[scale]);
            unsigned closed = ~0U;
#pragma unroll
            for (int o = 0; o < R; ++o) {
                const bool calm = std::fabs(smaller[o] - larger[o]) <= std::fma(setup.epsilon, smaller[o], least);
                const unsigned mine = bitsOf(chosen[o]);
                chosen[o] = calm && static_cast<int>(mine) >= 0 ? (Show ? number : smaller[o]) : floatOf(mine | 0x80000000U);
                closed &= bitsOf(chosen[o]);
            }
            return __ballot_sync(kAllLanes, static_cast<int>(closed) >= 0) != 0;
        };
        for (int scale = 0; scale < setup.scales; scale += 2) {
            if (kPrefetch && scale + 2 < band.count) prefetchColumns<kWarps>(band, scale + 2, stripe, relative, warp, lane);
            filterColumn(band, scale + 1, stripe, relative, lane, other);
            if (!climb(scale, one, other) || scale + 1 == setup.scales) break;
            if (kPrefetch && scale + 3 < band.count) prefetchColumns<kWarps>(band, scale + 3, stripe, relative, warp, lane);
            filterColumn(band, scale + 2, stripe, relative, lane, one);
            if (!climb(scale + 1, other, one)) break;
        }
        const Numbers numbers(*state, setup);
        const float perScale = setup.scales > 1 ? 1.0F / static_cast<float>(setup.scales - 1) : 0.0F;
        const int rows = column < planes.width ? static_cast<int>(min(std::int64_t{R}, band.end - y)) : 0;
        std::int64_t from = y * planes.inRowStride + column, to = y * planes.outRowStride + column;
#pragma unroll
        for (int o = 0; o < R; ++o, from += planes.inRowStride, to += planes.outRowStride) {
            if (o >= rows) break;
            float samples[C];
#pragma unroll
            for (int c = 0; c < C; ++c) samples[c] = __ldcs(planes.in[c] + from);
            Pixel<C> p = boundedPixel(samples, setup, numbers);
            const float mine = std::fabs(chosen[o]);
            if constexpr (Show) {
                for (int c = 0; c < C; ++c) samples[c] = p.luminance == p.luminance ? mine * perScale : p.luminance;
            } else {
                multiply(p, tone::localFactor(mine, numbers.q), setup);
                brighter += finish(p, numbers, samples) ? 1U : 0U;
                if (!setup.coding.linear) encode(samples, setup.coding);
            }
#pragma unroll
            for (int c = 0; c < C; ++c) __stcs(planes.out[c] + to, samples[c]);
        }
    }
    reduceBlock<kWarps * kLanes>(brighter, [](unsigned& a, unsigned b) { a += b; });
    if (threadIdx.x == 0 && brighter > 0) atomicAdd(&state->brighter, static_cast<unsigned long long>(brighter));
}

template <class Knobs = RowKnobs>
void launchRowsWith(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneMemory& memory, cudaStream_t stream) {
    const std::size_t ofWarp = static_cast<std::size_t>(rowPlaces(band.radius, band.tail) + kRowOutputs) * sizeof(float);
    const auto warps = static_cast<unsigned>(std::clamp<std::size_t>(kUnaskedShared / ofWarp, 1, Knobs::value.warps));
    const auto pieces = static_cast<unsigned>((band.stripes * kColumnsOfWarp + kRowOutputs - 1) / kRowOutputs);
    const std::int64_t rows = std::min(planes.height, band.end + band.tail) - std::max<std::int64_t>(band.begin - band.radius, 0);
    const auto rowGroups = static_cast<unsigned>((rows + warps - 1) / warps);
    forChannels(setup.channels, [&](auto c) {
        filterRows<Knobs, c()>
            <<<pieces * rowGroups, warps * kLanes, warps * ofWarp, stream>>>(planes, setup, band, memory.state, static_cast<int>(pieces));
    });
    checkLaunch("The Gaussians of tone mapping could not be started");
}

template <class Knobs = ColumnKnobs>
void launchColumnsWith(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneMemory& memory,
                       cudaStream_t stream) {
    constexpr int kRows = Knobs::value.warps * kColumnOutputsEach;
    const auto grid = static_cast<unsigned>(band.stripes * (ToneBand::roundedRows(band.end - band.begin) / kRows));
    constexpr unsigned threads = Knobs::value.warps * kLanes;
    forChannels(setup.channels, [&](auto c) {
        constexpr int C = c();
        if (setup.showScale) climbScales<Knobs, C, true><<<grid, threads, 0, stream>>>(planes, setup, band, memory.state);
        else climbScales<Knobs, C, false><<<grid, threads, 0, stream>>>(planes, setup, band, memory.state);
    });
    checkLaunch("The local operator of tone mapping could not be started");
}

}  // namespace parallax::gpu::tonemap
