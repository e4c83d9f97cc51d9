// SPDX-License-Identifier: GPL-3.0-or-later
// The local operator: Gaussians of all scales, separable. filterRows makes those of the rows, of the luminance that it computes from the
// colours; climbScales those of the columns from the smallest on, chooses each pixel's scale meanwhile, and maps. Neither scales nor
// choices ever go to memory. Both keep a window of samples in registers and walk over the weights in chunks: a sample is loaded once
// for all outputs of a thread, so that the multiply-adds are what takes time, and a radius may be as large as it likes.
#include <algorithm>

#include "parallax/gpu/operations/tone_mapping/passes.cuh"

namespace parallax::gpu {
namespace {

using namespace tonemap;

constexpr int kRowWarps = 8;                     // most of a block
constexpr std::size_t kSharedBytes = 48 * 1024;  // that a block gets without asking

/// Samples of a row that a warp needs, and places for them.
__host__ __device__ constexpr int rowSamples(int radius, int tail) { return kRowOutputs + radius + tail; }
constexpr int kRowUnroll = 4;
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
template <int C>
__global__ void __launch_bounds__(kRowWarps* kLanes, 3)
    filterRows(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const __grid_constant__ ToneBand band,
               const ToneState* state, int pieces) {
    extern __shared__ float shared[];
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
        // By way of shared memory: lanes have 17 pixels each, and store those that follow each other, half a stripe at a time.
#pragma unroll
        for (int o = 0; o < kRowOutputsEach; ++o) results[kRowOutputsEach * lane + o] = out[o];
        __syncwarp();
        static_assert(kColumnsOfWarp == 2 * kLanes);
        const int half = piece * kRowOutputsEach;  // the number of the first one
        const std::int64_t stripe = band.rows * kColumnsOfWarp;
        float* to = band.filtered + ((g * band.stripes + half / 2) * band.rows + band.radius + lowest) * kColumnsOfWarp + lane;
        const int inside = static_cast<int>(min(2 * band.stripes - half, std::int64_t{kRowOutputsEach}));
        const auto store = [&](auto odd) {
            constexpr int begin = decltype(odd)::value;  // in the second half of a stripe?
            float* p = to;
#pragma unroll
            for (int o = 0; o < kRowOutputsEach; ++o) {
                if (o < inside) p[(o + begin) % 2 * kLanes] = results[o * kLanes + lane];
                if ((o + begin) % 2 == 1) p += stripe;
            }
        };
        for (int i = lowest; i < highest; ++i, to += kColumnsOfWarp)
            if (half % 2 == 1) store(std::integral_constant<int, 1>());
            else store(std::integral_constant<int, 0>());
        __syncwarp();
    }
}

/// Two columns, kColumnOutputsEach rows of them.
struct Columns {
    float x[kColumnOutputsEach], y[kColumnOutputsEach];
};

__device__ __forceinline__ void addChunk(Columns& out, const Segment& ax, const Segment& ay, const Segment& bx, const Segment& by,
                                         const float* __restrict__ weights) {
    static_assert(kColumnOutputsEach + kToneChunk - 1 <= 2 * kToneChunk);
    const Weights k(weights);
#pragma unroll
    for (int t = 0; t < kToneChunk; ++t)
#pragma unroll
        for (int o = 0; o < kColumnOutputsEach; ++o) {
            const int i = o + t;
            out.x[o] = std::fma(k.w[t], i < kToneChunk ? ax[i] : bx[i - kToneChunk], out.x[o]);
            out.y[o] = std::fma(k.w[t], i < kToneChunk ? ay[i] : by[i - kToneChunk], out.y[o]);
        }
}

/// The Gaussian g along the columns, for the rows from `relative`, counted from the band's first one.
__device__ __forceinline__ void filterColumns(const ToneBand& band, int g, std::int64_t stripe, std::int64_t relative, Columns& out) {
    const ToneGaussian gaussian = band.gaussians[g];
    const float* weights = band.weights + gaussian.offset;
    const float* next = band.filtered +
                        ((g * band.stripes + stripe) * band.rows + relative + band.radius - gaussian.radius) * kColumnsOfWarp +
                        2 * (threadIdx.x % kLanes);
    Segment ax, ay, bx, by, cx, cy;
    const auto load = [&](Segment& x, Segment& y) {
#pragma unroll
        for (int i = 0; i < kToneChunk; ++i) {
            const float2 two = *reinterpret_cast<const float2*>(next + i * kColumnsOfWarp);
            x[i] = two.x;
            y[i] = two.y;
        }
        next += kToneChunk * kColumnsOfWarp;
    };
#pragma unroll
    for (int o = 0; o < kColumnOutputsEach; ++o) out.x[o] = out.y[o] = 0;
    load(ax, ay);
    load(bx, by);
    // What the next chunk needs is on its way while this one is added.
    for (int left = gaussian.chunks;; left -= 3, weights += 3 * kToneChunk) {
        if (left > 1) load(cx, cy);
        addChunk(out, ax, ay, bx, by, weights);
        if (left == 1) break;
        if (left > 2) load(ax, ay);
        addChunk(out, bx, by, cx, cy, weights + kToneChunk);
        if (left == 2) break;
        if (left > 3) load(bx, by);
        addChunk(out, cx, cy, ax, ay, weights + 2 * kToneChunk);
        if (left == 3) break;
    }
}

/// Show: writes the number of the chosen scale instead of the mapped colours.
template <int C, bool Show>
__global__ void __launch_bounds__(kColumnWarps* kLanes, 2)
    climbScales(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const __grid_constant__ ToneBand band,
                ToneState* state) {
    constexpr int R = kColumnOutputsEach;
    const int lane = static_cast<int>(threadIdx.x) % kLanes, warp = static_cast<int>(threadIdx.x) / kLanes;
    const auto stripes = static_cast<unsigned>(band.stripes);
    const std::int64_t stripe = blockIdx.x % stripes, column = stripe * kColumnsOfWarp + 2 * lane;
    const std::int64_t relative = (static_cast<std::int64_t>(blockIdx.x / stripes) * kColumnWarps + warp) * R, y = band.begin + relative;
    unsigned brighter = 0;
    if (y < band.end) {
        // The surround, or the number of its scale: with the sign set once the pixel gets no larger one. Neither is ever negative.
        Columns chosen, one, other;
        filterColumns(band, 0, stripe, relative, one);
#pragma unroll
        for (int o = 0; o < R; ++o) {
            chosen.x[o] = Show ? 0 : one.x[o];
            chosen.y[o] = Show ? 0 : one.y[o];
        }
        // tone::activity() <= epsilon, without a division. Returns whether any pixel of the warp goes on.
        const auto climb = [&](int scale, const Columns& smaller, const Columns& larger) {
            const float number = static_cast<float>(scale), least = setup.epsilon * static_cast<float>(state->sharpening[scale]);
            unsigned closed = ~0U;
            const auto step = [&](float& mine, float centre, float surround) {
                const bool calm = std::fabs(centre - surround) <= std::fma(setup.epsilon, centre, least);
                mine = calm && static_cast<int>(bitsOf(mine)) >= 0 ? (Show ? number : centre) : -std::fabs(mine);
                closed &= bitsOf(mine);
            };
#pragma unroll
            for (int o = 0; o < R; ++o) {
                step(chosen.x[o], smaller.x[o], larger.x[o]);
                step(chosen.y[o], smaller.y[o], larger.y[o]);
            }
            return __ballot_sync(kAllLanes, static_cast<int>(closed) >= 0) != 0;
        };
        for (int scale = 0; scale < setup.scales; scale += 2) {
            filterColumns(band, scale + 1, stripe, relative, other);
            if (!climb(scale, one, other) || scale + 1 == setup.scales) break;
            filterColumns(band, scale + 2, stripe, relative, one);
            if (!climb(scale + 1, other, one)) break;
        }
        const Numbers numbers(*state, setup);
        const float perScale = setup.scales > 1 ? 1.0F / static_cast<float>(setup.scales - 1) : 0.0F;
#pragma unroll
        for (int o = 0; o < R; ++o) {
            if (y + o >= band.end) break;
            float samples[2][C];
            const bool both = column + 1 < planes.width;
            if (column >= planes.width) break;
            const std::int64_t from = (y + o) * planes.inRowStride + column, to = (y + o) * planes.outRowStride + column;
#pragma unroll
            for (int c = 0; c < C; ++c) {
                if (planes.aligned) {
                    const float2 two = __ldcs(reinterpret_cast<const float2*>(planes.in[c] + from));
                    samples[0][c] = two.x;
                    samples[1][c] = two.y;
                } else {
                    samples[0][c] = planes.in[c][from];
                    samples[1][c] = both ? planes.in[c][from + 1] : 0.0F;
                }
            }
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                Pixel<C> p = boundedPixel(samples[i], setup, numbers);
                const float mine = std::fabs(i == 0 ? chosen.x[o] : chosen.y[o]);
                bool bright = false;
                if constexpr (Show) {
                    for (int c = 0; c < C; ++c) samples[i][c] = p.luminance == p.luminance ? mine * perScale : p.luminance;
                } else {
                    multiply(p, tone::localFactor(mine, numbers.q), setup);
                    bright = finish(p, numbers, samples[i]);
                    if (!setup.coding.linear) encode(samples[i], setup.coding);
                }
                brighter += bright && (i == 0 || both) ? 1U : 0U;
            }
#pragma unroll
            for (int c = 0; c < C; ++c) {
                if (planes.aligned) {
                    __stcs(reinterpret_cast<float2*>(planes.out[c] + to), make_float2(samples[0][c], samples[1][c]));
                } else {
                    planes.out[c][to] = samples[0][c];
                    if (both) planes.out[c][to + 1] = samples[1][c];
                }
            }
        }
    }
    reduceBlock<kColumnWarps * kLanes>(brighter, [](unsigned& a, unsigned b) { a += b; });
    if (threadIdx.x == 0 && brighter > 0) atomicAdd(&state->brighter, static_cast<unsigned long long>(brighter));
}

}  // namespace

void launchToneRows(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneMemory& memory, cudaStream_t stream) {
    const std::size_t ofWarp = static_cast<std::size_t>(rowPlaces(band.radius, band.tail) + kRowOutputs) * sizeof(float);
    const auto warps = static_cast<unsigned>(std::clamp<std::size_t>(kSharedBytes / ofWarp, 1, kRowWarps));
    const auto pieces = static_cast<unsigned>((band.stripes * kColumnsOfWarp + kRowOutputs - 1) / kRowOutputs);
    const std::int64_t rows = std::min(planes.height, band.end + band.tail) - std::max<std::int64_t>(band.begin - band.radius, 0);
    const auto rowGroups = static_cast<unsigned>((rows + warps - 1) / warps);
    forChannels(setup.channels, [&](auto c) {
        filterRows<c()>
            <<<pieces * rowGroups, warps * kLanes, warps * ofWarp, stream>>>(planes, setup, band, memory.state, static_cast<int>(pieces));
    });
    checkLaunch("The Gaussians of tone mapping could not be started");
}

void launchToneColumns(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneMemory& memory,
                       cudaStream_t stream) {
    constexpr int kRows = kColumnWarps * kColumnOutputsEach;
    const auto grid = static_cast<unsigned>(band.stripes * (ToneBand::roundedRows(band.end - band.begin) / kRows));
    constexpr unsigned threads = kColumnWarps * kLanes;
    forChannels(setup.channels, [&](auto c) {
        constexpr int C = c();
        if (setup.showScale) climbScales<C, true><<<grid, threads, 0, stream>>>(planes, setup, band, memory.state);
        else climbScales<C, false><<<grid, threads, 0, stream>>>(planes, setup, band, memory.state);
    });
    checkLaunch("The local operator of tone mapping could not be started");
}

void preloadToneBand(const ToneSetup& setup) {
    forChannels(setup.channels, [&](auto c) {
        constexpr int C = c();
        preload(reinterpret_cast<const void*>(&filterRows<C>));
        if (setup.showScale) preload(reinterpret_cast<const void*>(&climbScales<C, true>));
        else preload(reinterpret_cast<const void*>(&climbScales<C, false>));
    });
}

}  // namespace parallax::gpu
