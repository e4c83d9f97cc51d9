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

/// Where a sample of a row lies in shared memory. Four places are left out after each 32: threads that read 16 bytes each, 64 bytes
/// apart, then meet all banks.
__host__ __device__ constexpr int placeOf(int i) { return i + i / 32 * 4; }
__host__ __device__ constexpr int rowPlaces(int lead) { return placeOf(kRowOutputs + 2 * lead + kToneChunk); }

/// Adds the part of one chunk: out[o] += weights[t] * samples[o + t], samples in consecutive registers.
template <int Outputs, int Held>
__device__ __forceinline__ void addChunk(float (&out)[Outputs], const float (&samples)[Held], const float* __restrict__ weights) {
    static_assert(Held >= Outputs + kToneChunk - 1);
    const float4 a = __ldg(reinterpret_cast<const float4*>(weights)), b = __ldg(reinterpret_cast<const float4*>(weights) + 1);
    const float w[kToneChunk] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
    for (int t = 0; t < kToneChunk; ++t)
#pragma unroll
        for (int o = 0; o < Outputs; ++o) out[o] = std::fma(w[t], samples[o + t], out[o]);
}

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

/// A warp filters kRowOutputs pixels of a row by all Gaussians that need this row.
template <int C>
__global__ void __launch_bounds__(kRowWarps* kLanes, 2)
    filterRows(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const __grid_constant__ ToneBand band,
               const ToneState* state, int segments) {
    extern __shared__ __align__(16) float shared[];
    const int lane = static_cast<int>(threadIdx.x) % kLanes, warp = static_cast<int>(threadIdx.x) / kLanes;
    const int warps = static_cast<int>(blockDim.x) / kLanes, places = rowPlaces(band.lead);
    float* const samples = shared + warp * (places + placeOf(kRowOutputs));
    float* const results = samples + places;
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x / static_cast<unsigned>(segments)) * warps + warp;
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x % static_cast<unsigned>(segments)) * kRowOutputs;
    if (row >= band.rows) return;  // all lanes of a warp, and nothing waits for other warps
    // Outside of the image its first and last rows repeat.
    const std::int64_t relative = row - band.lead, y = min(max(band.begin + relative, std::int64_t{0}), planes.height - 1);
    const std::int64_t made = ToneBand::roundedRows(band.end - band.begin);
    const Numbers numbers(*state, setup);
    const float average = static_cast<float>(state->logAverage);
#pragma unroll 4  // so that several loads are on their way
    for (int i = lane; i < kRowOutputs + 2 * band.lead + kToneChunk; i += kLanes) {
        const std::int64_t x = min(max(first - band.lead + i, std::int64_t{0}), planes.width - 1);
        samples[placeOf(i)] = surroundLuminance<C>(planes, setup, numbers, y * planes.inRowStride + x, average);
    }
    __syncwarp();
    for (int g = 0; g < band.count; ++g) {
        const ToneGaussian gaussian = band.gaussians[g];
        if (relative < -gaussian.lead || relative >= made + gaussian.tail()) continue;
        const float* weights = band.weights + gaussian.offset;
        const int begin = band.lead - gaussian.lead + kRowOutputsEach * lane;
        float out[kRowOutputsEach] = {};
        float window[kRowOutputsEach + kToneChunk];
        const auto load = [&](int place, int i) {
#pragma unroll
            for (int v = 0; v < kToneChunk; v += 4) {
                const float4 four = *reinterpret_cast<const float4*>(samples + placeOf(i + v));
                window[place + v] = four.x;
                window[place + v + 1] = four.y;
                window[place + v + 2] = four.z;
                window[place + v + 3] = four.w;
            }
        };
        load(0, begin);
        load(kToneChunk, begin + kToneChunk);
#pragma unroll 3
        for (int chunk = 0; chunk < gaussian.chunks; ++chunk) {
            load(2 * kToneChunk, begin + (chunk + 2) * kToneChunk);
            addChunk(out, window, weights + chunk * kToneChunk);
#pragma unroll
            for (int i = 0; i < kRowOutputsEach; ++i) window[i] = window[i + kToneChunk];
        }
        // By way of shared memory: lanes have 16 pixels each, and store those that follow each other.
#pragma unroll
        for (int o = 0; o < kRowOutputsEach; o += 4)
            *reinterpret_cast<float4*>(results + placeOf(kRowOutputsEach * lane + o)) =
                make_float4(std::fmin(out[o], kLargestFloat), std::fmin(out[o + 1], kLargestFloat), std::fmin(out[o + 2], kLargestFloat),
                            std::fmin(out[o + 3], kLargestFloat));
        __syncwarp();
#pragma unroll
        for (int i = 4 * lane; i < kRowOutputs; i += 4 * kLanes) {
            const std::int64_t stripe = (first + i) / kColumnsOfWarp;
            float* const to = band.filtered + ((g * band.stripes + stripe) * band.rows + row) * kColumnsOfWarp + i % kColumnsOfWarp;
            if (stripe < band.stripes) *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(results + placeOf(i));
        }
        __syncwarp();
    }
}

/// Two columns, kColumnOutputsEach rows of them.
struct Columns {
    float x[kColumnOutputsEach], y[kColumnOutputsEach];
};

/// The Gaussian g along the columns, for the rows from `relative`, counted from the band's first one.
__device__ __forceinline__ void filterColumns(const ToneBand& band, int g, std::int64_t stripe, std::int64_t relative, Columns& out) {
    const ToneGaussian gaussian = band.gaussians[g];
    const float* const weights = band.weights + gaussian.offset;
    const float* next = band.filtered + ((g * band.stripes + stripe) * band.rows + relative + band.lead - gaussian.lead) * kColumnsOfWarp +
                        2 * (threadIdx.x % kLanes);
    constexpr int kHeld = kColumnOutputsEach + 2 * kToneChunk;
    float wx[kHeld], wy[kHeld];
    const auto load = [&](int place) {
#pragma unroll
        for (int i = 0; i < kToneChunk; ++i) {
            const float2 two = *reinterpret_cast<const float2*>(next + i * kColumnsOfWarp);
            wx[place + i] = two.x;
            wy[place + i] = two.y;
        }
        next += kToneChunk * kColumnsOfWarp;
    };
#pragma unroll
    for (int o = 0; o < kColumnOutputsEach; ++o) out.x[o] = out.y[o] = 0;
    load(0);
    load(kToneChunk);
#pragma unroll 3
    for (int chunk = 0; chunk < gaussian.chunks; ++chunk) {
        load(2 * kToneChunk);  // of the chunk after the next: on its way while this one is added
        addChunk(out.x, wx, weights + chunk * kToneChunk);
        addChunk(out.y, wy, weights + chunk * kToneChunk);
#pragma unroll
        for (int i = 0; i < 2 * kToneChunk; ++i) {
            wx[i] = wx[i + kToneChunk];
            wy[i] = wy[i + kToneChunk];
        }
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
        // The surround, or the number of its scale.
        Columns smaller, chosen;
        filterColumns(band, 0, stripe, relative, smaller);
#pragma unroll
        for (int o = 0; o < R; ++o) {
            chosen.x[o] = Show ? 0 : smaller.x[o];
            chosen.y[o] = Show ? 0 : smaller.y[o];
        }
        unsigned open = (1U << 2 * R) - 1;  // bits 2 o and 2 o + 1: may the pixel get a larger scale?
        for (int scale = 0; scale < setup.scales; ++scale) {
            if (__ballot_sync(kAllLanes, open != 0) == 0) break;
            Columns larger;
            filterColumns(band, scale + 1, stripe, relative, larger);
            const float sharpening = static_cast<float>(state->sharpening[scale]);
            // tone::activity() <= epsilon, without a division.
            const auto calm = [&](float centre, float surround) {
                return std::fabs(centre - surround) <= setup.epsilon * (sharpening + centre);
            };
#pragma unroll
            for (int o = 0; o < R; ++o) {
                if (!calm(smaller.x[o], larger.x[o])) open &= ~(1U << 2 * o);
                if (!calm(smaller.y[o], larger.y[o])) open &= ~(2U << 2 * o);
                const float x = Show ? static_cast<float>(scale) : smaller.x[o], z = Show ? static_cast<float>(scale) : smaller.y[o];
                chosen.x[o] = open >> 2 * o & 1U ? x : chosen.x[o];
                chosen.y[o] = open >> 2 * o & 2U ? z : chosen.y[o];
            }
            smaller = larger;
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
                const float mine = i == 0 ? chosen.x[o] : chosen.y[o];
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

void launchToneBand(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneMemory& memory, cudaStream_t stream) {
    const std::size_t ofWarp = static_cast<std::size_t>(rowPlaces(band.lead) + placeOf(kRowOutputs)) * sizeof(float);
    const auto warps = static_cast<unsigned>(std::clamp<std::size_t>(kSharedBytes / ofWarp, 1, kRowWarps));
    const auto segments = static_cast<unsigned>((band.stripes * kColumnsOfWarp + kRowOutputs - 1) / kRowOutputs);
    const auto rowGroups = static_cast<unsigned>((band.rows + warps - 1) / warps);
    constexpr int kRows = kColumnWarps * kColumnOutputsEach;
    const auto grid = static_cast<unsigned>(band.stripes * (ToneBand::roundedRows(band.end - band.begin) / kRows));
    forChannels(setup.channels, [&](auto c) {
        constexpr int C = c();
        filterRows<C><<<segments * rowGroups, warps * kLanes, warps * ofWarp, stream>>>(planes, setup, band, memory.state,
                                                                                        static_cast<int>(segments));
        constexpr unsigned threads = kColumnWarps * kLanes;
        if (setup.showScale) climbScales<C, true><<<grid, threads, 0, stream>>>(planes, setup, band, memory.state);
        else climbScales<C, false><<<grid, threads, 0, stream>>>(planes, setup, band, memory.state);
    });
    checkLaunch("The Gaussians of tone mapping could not be started");
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
