// SPDX-License-Identifier: GPL-3.0-or-later
// The local operator: Gaussians of all scales, separable. filterRows makes those of the rows, of the luminance that it computes from the
// colours; climbScales those of the columns from the smallest on, chooses each pixel's scale meanwhile, and maps. Neither scales nor
// choices ever go to memory. Both keep windows of samples in registers and walk over the weights in chunks: a sample is loaded once
// for all outputs of a thread, so that the arithmetic is what takes time, and a radius may be as large as it likes. Along the rows all
// Gaussians meet the same luminance: sums of two pixels at the same distance are shared. Along the columns each has rows of its own,
// which come into shared memory while the Gaussian before is filtered.
#pragma once

#include <cuda_pipeline.h>

#include <algorithm>

#include "parallax/gpu/operations/tone_mapping/passes.cuh"

namespace parallax::gpu::tonemap {

struct RowKnobs {
    static constexpr ToneRowTuning value = kToneRowTuning;
};
struct ColumnKnobs {
    static constexpr ToneColumnTuning value = kToneColumnTuning;
};

// ---- along the rows --------------------------------------------------------------------------------------------------------------------

inline constexpr int kRowPixels = 4;                     ///< of a thread that follow each other: a vector
inline constexpr int kWarpPixels = kRowPixels * kLanes;  ///< of a warp in a row
inline constexpr int kRowsAtOnce = 2;                    ///< of a thread: they share the weights

/// Samples beside a block's pixels, in whole vectors.
__host__ __device__ constexpr int rowReach(int radius) { return (radius + kRowPixels - 1) / kRowPixels * kRowPixels; }

using Vector = float[kRowPixels];

__device__ __forceinline__ void loadTo(Vector& to, const float4& v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
}
__device__ __forceinline__ void loadTo(Vector& to, const float* from) { loadTo(to, *reinterpret_cast<const float4*>(from)); }

/// Weights four at a time. Along the rows from memory, where few threads ask for them at a time, along the columns from a block's copy.
struct MemoryWeights {
    const float* table;
    __device__ __forceinline__ void four(int at, Vector& to) const { loadTo(to, __ldg(reinterpret_cast<const float4*>(table + at))); }
};
struct SharedWeights {
    const float* table;
    __device__ __forceinline__ void four(int at, Vector& to) const { loadTo(to, *reinterpret_cast<const float4*>(table + at)); }
};

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

/// Sums of two samples may be larger than floats are.
__device__ __forceinline__ bool isHuge(const ToneState& state) { return state.largest > 1e38; }
__device__ __forceinline__ float fromQuarter(float sum) { return 4 * std::fmin(sum, kLargestFloat / 4); }

/// |luminance| of kRowsAtOnce rows from (x, y) on, `pitch` pixels each, into shared memory, by all threads of a block; a quarter of it if
/// isHuge(). Outside of the image, and behind the row `last`, pixels at the edges repeat.
template <int C>
__device__ __forceinline__ void fillLuminance(const TonePlanes& planes, const ToneSetup& setup, const Numbers& numbers,
                                              const ToneState& state, std::int64_t x, std::int64_t y, std::int64_t last, int pitch,
                                              int thread, int threads, float* shared) {
    const bool huge = isHuge(state);
    if (numbers.allFinite && planes.aligned && !huge && x >= 0 && x + pitch <= planes.width) {
        for (int i = kRowPixels * thread; i < pitch; i += kRowPixels * threads) {
            float4 colours[kRowsAtOnce][C];
#pragma unroll
            for (int r = 0; r < kRowsAtOnce; ++r)
#pragma unroll
                for (int c = 0; c < C; ++c)
                    colours[r][c] = __ldg(reinterpret_cast<const float4*>(planes.in[c] + min(y + r, last) * planes.inRowStride + x + i));
#pragma unroll
            for (int r = 0; r < kRowsAtOnce; ++r) {
                float4 luminances;
#pragma unroll
                for (int o = 0; o < kRowPixels; ++o) {
                    float samples[C];
#pragma unroll
                    for (int c = 0; c < C; ++c) samples[c] = tonemap::lane(colours[r][c], o);
                    tonemap::lane(luminances, o) = std::fabs(luminanceOf(samples, setup.weights));
                }
                *reinterpret_cast<float4*>(shared + r * pitch + i) = luminances;
            }
        }
    } else {
        const float average = static_cast<float>(state.logAverage), part = huge ? 0.25F : 1.0F;
        for (int i = thread; i < pitch; i += threads) {
            const std::int64_t column = min(max(x + i, std::int64_t{0}), planes.width - 1);
#pragma unroll
            for (int r = 0; r < kRowsAtOnce; ++r)
                shared[r * pitch + i] =
                    part * surroundLuminance<C>(planes, setup, numbers, min(y + r, last) * planes.inRowStride + column, average);
        }
    }
}

/// Up to N Gaussians of the same rows, the largest first. What a pixel has at equal distances left and right is added once for all of
/// them.
template <int N>
struct RowSums {
    float sums[N][kRowsAtOnce][kRowPixels];
    Vector near[kRowsAtOnce][2];  ///< what was farthest away, left and right, of the distances before

    /// `centre`: the thread's samples in its first row. of(i): the Gaussian i, none if it has no chunks.
    template <class Of>
    __device__ __forceinline__ void add(const float* centre, int pitch, const MemoryWeights& weights, const Of& of) {
#pragma unroll
        for (int r = 0; r < kRowsAtOnce; ++r) {
            loadTo(near[r][0], centre + r * pitch);
#pragma unroll
            for (int o = 0; o < kRowPixels; ++o) near[r][1][o] = near[r][0][o];
        }
        int next[N];
#pragma unroll
        for (int i = 0; i < N; ++i) {
            next[i] = of(i).halfOffset;
            Vector own;
            weights.four(next[i], own);
#pragma unroll
            for (int r = 0; r < kRowsAtOnce; ++r)
#pragma unroll
                for (int o = 0; o < kRowPixels; ++o) sums[i][r][o] = own[0] * near[r][0][o];
        }
        addStages<N>(centre, centre, pitch, weights, next, 0, of);
    }

private:
    /// First the distances that all Gaussians have, then those that all but one have, and so on.
    template <int Active, class Of>
    __device__ __forceinline__ void addStages(const float* left, const float* right, int pitch, const MemoryWeights& weights,
                                              int (&next)[N], int chunk, const Of& of) {
        const int end = of(Active - 1).halfChunks();
#pragma unroll(Active > 3 ? 1 : 2)
        for (; chunk < end; ++chunk) {
            left -= kRowPixels;
            right += kRowPixels;
#pragma unroll
            for (int i = 0; i < Active; ++i) next[i] += kRowPixels;
            addChunk<Active>(left, right, pitch, weights, next);
        }
        if constexpr (Active > 1) addStages<Active - 1>(left, right, pitch, weights, next, chunk, of);
    }
    template <int Active>
    __device__ __forceinline__ void addChunk(const float* left, const float* right, int pitch, const MemoryWeights& weights,
                                             const int (&next)[N]) {
        Vector far[kRowsAtOnce][2], w[Active];
#pragma unroll
        for (int r = 0; r < kRowsAtOnce; ++r) {
            loadTo(far[r][0], left + r * pitch);
            loadTo(far[r][1], right + r * pitch);
        }
#pragma unroll
        for (int i = 0; i < Active; ++i) weights.four(next[i], w[i]);
#pragma unroll
        for (int k = 1; k <= kRowPixels; ++k)
#pragma unroll
            for (int r = 0; r < kRowsAtOnce; ++r)
#pragma unroll
                for (int o = 0; o < kRowPixels; ++o) {
                    const float before = o < k ? far[r][0][o - k + kRowPixels] : near[r][0][o - k];
                    const float behind = o + k < kRowPixels ? near[r][1][o + k] : far[r][1][o + k - kRowPixels];
                    const float both = before + behind;
#pragma unroll
                    for (int i = 0; i < Active; ++i) sums[i][r][o] = std::fma(w[i][k - 1], both, sums[i][r][o]);
                }
#pragma unroll
        for (int r = 0; r < kRowsAtOnce; ++r)
#pragma unroll
            for (int side = 0; side < 2; ++side)
#pragma unroll
                for (int o = 0; o < kRowPixels; ++o) near[r][side][o] = far[r][side][o];
    }
};

/// A block filters kRowsAtOnce rows of some pixels by all Gaussians; each warp kWarpPixels of them.
template <class Knobs, int C>
__global__ void __launch_bounds__(Knobs::value.warps* kLanes, Knobs::value.blocks)
    filterRows(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const __grid_constant__ ToneBand band,
               const ToneState* state, int pieces) {
    constexpr int kWarps = Knobs::value.warps, kThreads = kWarps * kLanes, kPixels = kWarps * kWarpPixels, N = Knobs::value.together;
    extern __shared__ __align__(16) float shared[];
    const int thread = static_cast<int>(threadIdx.x), lane = thread % kLanes, warp = thread / kLanes;
    const int reach = rowReach(band.radius), pitch = kPixels + 2 * reach;
    const int piece = static_cast<int>(blockIdx.x % static_cast<unsigned>(pieces));
    const std::int64_t y = max(band.begin - band.radius, std::int64_t{0}) +
                           static_cast<std::int64_t>(blockIdx.x / static_cast<unsigned>(pieces)) * kRowsAtOnce;
    const std::int64_t last = min(planes.height, band.end + band.radius) - 1;
    const MemoryWeights weights{band.weights};
    const Numbers numbers(*state, setup);
    const bool huge = isHuge(*state);
    fillLuminance<C>(planes, setup, numbers, *state, static_cast<std::int64_t>(piece) * kPixels - reach, y, last, pitch, thread, kThreads,
                     shared);
    __syncthreads();
    const std::int64_t column = static_cast<std::int64_t>(piece) * kPixels + warp * kWarpPixels + kRowPixels * lane;
    const std::int64_t stripe = column / kColumnsOfWarp;
    if (stripe >= band.stripes) return;
    const int relative = static_cast<int>(y - band.begin), bandRows = static_cast<int>(band.end - band.begin);
    for (int top = band.count - 1; top >= 0; top -= N) {
        if (relative >= bandRows + band.gaussians[top].radius || relative + kRowsAtOnce <= -band.gaussians[top].radius) continue;
        RowSums<N> rows;
        rows.add(shared + reach + warp * kWarpPixels + kRowPixels * lane, pitch, weights,
                 [&](int i) { return i <= top ? band.gaussians[max(top - i, 0)] : ToneGaussian(); });
        if (huge) {
            // Sums of weights may be larger than 1 by some roundings.
#pragma unroll
            for (int i = 0; i < N; ++i)
#pragma unroll
                for (int r = 0; r < kRowsAtOnce; ++r)
#pragma unroll
                    for (float& sum : rows.sums[i][r]) sum = fromQuarter(sum);
        }
        float* const largest =
            band.filtered + ((top * band.stripes + stripe) * band.rows + band.above()) * kColumnsOfWarp + column % kColumnsOfWarp;
        const std::int64_t gaussianStep = band.stripes * band.rows * kColumnsOfWarp;
        const auto store = [](float* to, const float(&sums)[kRowPixels]) {
            *reinterpret_cast<float4*>(to) = make_float4(sums[0], sums[1], sums[2], sums[3]);
        };
        if (y > 0 && y + kRowsAtOnce < planes.height && relative >= 0 && relative + kRowsAtOnce <= bandRows) {
            float* to = largest + relative * kColumnsOfWarp;
#pragma unroll
            for (int i = 0; i < N; ++i, to -= gaussianStep) {
                if (i > top) break;
#pragma unroll
                for (int r = 0; r < kRowsAtOnce; ++r) store(to + r * kColumnsOfWarp, rows.sums[i][r]);
            }
            continue;
        }
#pragma unroll
        for (int i = 0; i < N; ++i) {
            const int g = top - i;
            if (g < 0) break;
            const int radius = band.gaussians[g].radius;
            float* const to = largest - i * gaussianStep;
#pragma unroll
            for (int r = 0; r < kRowsAtOnce; ++r) {
                const int row = relative + r;
                if (y + r > last) break;
                // Outside of the image its first and last rows repeat: those are stored more than once.
                const int lowest = y + r == 0 ? -radius : max(row, -radius);
                const int highest = min(y + r == planes.height - 1 ? bandRows + radius : row + 1, bandRows + radius);
#pragma unroll 1
                for (int at = lowest; at < highest; ++at) store(to + at * kColumnsOfWarp, rows.sums[i][r]);
            }
        }
    }
}

// ---- along the columns -----------------------------------------------------------------------------------------------------------------

/// As many samples as there are weights in a chunk. Outputs of a thread meet three of these at a time, which change places instead of
/// being moved.
using Segment = float[kToneChunk];
using Column = float[kColumnOutputsEach];

/// Adds the weights First to Last of one chunk: out[o] += weights[t] * samples[o + t].
template <int First, int Last>
__device__ __forceinline__ void addWeights(Column& out, const Segment& a, const Segment& b, const Segment& c, const Segment& w) {
    static_assert(kColumnOutputsEach + kToneChunk - 1 <= 3 * kToneChunk);
#pragma unroll
    for (int t = First; t <= Last; ++t)
#pragma unroll
        for (int o = 0; o < kColumnOutputsEach; ++o) {
            const int i = o + t;
            out[o] = std::fma(w[t], i < kToneChunk ? a[i] : i < 2 * kToneChunk ? b[i - kToneChunk] : c[i - 2 * kToneChunk], out[o]);
        }
}
__device__ __forceinline__ void loadChunk(Segment& to, const SharedWeights& weights, int at) {
    Vector a, b;
    weights.four(at, a);
    weights.four(at + kRowPixels, b);
#pragma unroll
    for (int i = 0; i < kRowPixels; ++i) {
        to[i] = a[i];
        to[i + kRowPixels] = b[i];
    }
}
__device__ __forceinline__ void addChunk(Column& out, const Segment& a, const Segment& b, const Segment& c, const SharedWeights& weights,
                                         int at) {
    Segment w;
    loadChunk(w, weights, at);
    addWeights<0, kToneChunk - 1>(out, a, b, c, w);
}

/// A Gaussian along the columns. `next`: the first row of the first chunk, of which the thread's column is kColumnsOfWarp samples apart.
__device__ __forceinline__ void filterColumn(const ToneGaussian& gaussian, const SharedWeights& weights, const float* next, Column& out) {
    int at = gaussian.offset;
    Segment a, b, c;
    const auto load = [&](Segment& to) {
#pragma unroll
        for (int i = 0; i < kToneChunk; ++i) to[i] = next[i * kColumnsOfWarp];
        next += kToneChunk * kColumnsOfWarp;
    };
    load(a);
    load(b);
    load(c);
#pragma unroll
    for (float& sum : out) sum = 0;
    {
        // The zeros that the first chunk begins with are not added: what they would meet belongs to nobody.
        const int zeros = gaussian.lead();
        Segment w;
        loadChunk(w, weights, at);
        static_assert(kToneChunk == 8);
        if (zeros <= 1) addWeights<1, 2>(out, a, b, c, w);
        if (zeros <= 3) addWeights<3, 4>(out, a, b, c, w);
        if (zeros <= 5) addWeights<5, 6>(out, a, b, c, w);
        addWeights<7, 7>(out, a, b, c, w);
    }
    for (int left = gaussian.chunks - 1; left > 0; left -= 3) {
        at += kToneChunk;
        load(a);
        addChunk(out, b, c, a, weights, at);
        if (left == 1) break;
        at += kToneChunk;
        load(b);
        addChunk(out, c, a, b, weights, at);
        if (left == 2) break;
        at += kToneChunk;
        load(c);
        addChunk(out, a, b, c, weights, at);
    }
}

/// Where the rows of a Gaussian lie in a block's shared memory, in floats; -1: nowhere, they are read where they are.
struct ColumnPlaces {
    int at[kMaximumToneScales + 1];
    int weights;  ///< and those of the weights, with a number for each scale behind them
};

/// Show: writes the number of the chosen scale instead of the mapped colours. AllStaged: no Gaussian is too large for shared memory.
template <class Knobs, int C, bool Show, bool AllStaged>
__global__ void __launch_bounds__(Knobs::value.warps* kLanes, Knobs::value.blocks)
    climbScales(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const __grid_constant__ ToneBand band,
                const __grid_constant__ ColumnPlaces places, ToneState* state) {
    constexpr int R = kColumnOutputsEach, kWarps = Knobs::value.warps, kThreads = kWarps * kLanes, kRows = kWarps * R;
    constexpr int kAhead = Knobs::value.slots - 1;
    static_assert(ToneBand::roundedRows(1) % kRows == 0);
    extern __shared__ __align__(16) float shared[];
    const int thread = static_cast<int>(threadIdx.x), lane = thread % kLanes, warp = thread / kLanes;
    const auto stripes = static_cast<unsigned>(band.stripes);
    const std::int64_t stripe = blockIdx.x % stripes, column = stripe * kColumnsOfWarp + lane;
    const int ofBlock = static_cast<int>(blockIdx.x / stripes) * kRows, relative = ofBlock + warp * R;
    const std::int64_t y = band.begin + relative;
    const auto rowsOf = [&](int g, int row) {
        return band.filtered + ((g * band.stripes + stripe) * band.rows + band.above() + row) * kColumnsOfWarp;
    };
    const auto fetch = [&](int g) {
        if (g < band.count && (AllStaged || places.at[g] >= 0)) {
            const int radius = band.gaussians[g].radius;
            const float* source = rowsOf(g, ofBlock - radius) + 4 * thread;
            float* target = shared + places.at[g] + band.gaussians[g].lead() * kColumnsOfWarp + 4 * thread;
#pragma unroll 1
            for (int left = (kRows + 2 * radius) * kColumnsOfWarp - 4 * thread; left > 0; left -= 4 * kThreads) {
                __pipeline_memcpy_async(target, source, sizeof(float4));
                source += 4 * kThreads;
                target += 4 * kThreads;
            }
        }
        __pipeline_commit();
    };
    for (int g = 0; g < kAhead; ++g) fetch(g);
    // What a pixel's contrast may be at a scale besides what follows from its surround, and all weights.
    float* const least = shared + places.weights + band.all;
    if (thread < setup.scales) least[thread] = setup.epsilon * static_cast<float>(state->sharpening[thread]);
    for (int i = thread; i < band.all; i += kThreads) shared[places.weights + i] = __ldg(band.weights + i);
    const SharedWeights weights{shared + places.weights};
    Column chosen = {}, smaller = {};  // the surround, or the number of its scale; the Gaussian before
    bool goesOn = y < band.end;
#pragma unroll 1
    for (int g = 0; g < band.count; ++g) {
        // The rows of the Gaussian are there, and all warps are done with those of the one before, whose place is free for more. Perhaps
        // nobody goes on.
        __pipeline_wait_prior(kAhead - 1);
        if (__syncthreads_or(goesOn ? 1 : 0) == 0) break;
        fetch(g + kAhead);
        if (!goesOn) continue;
        Column larger;
        const ToneGaussian gaussian = band.gaussians[g];
        if (AllStaged || places.at[g] >= 0)
            filterColumn(gaussian, weights, shared + places.at[g] + warp * R * kColumnsOfWarp + lane, larger);
        else filterColumn(gaussian, weights, rowsOf(g, relative - gaussian.radius - gaussian.lead()) + lane, larger);
        if (g == 0) {
#pragma unroll
            for (int o = 0; o < R; ++o) chosen[o] = Show ? 0 : larger[o];
        } else {
            // tone::activity() <= epsilon, without a division. A pixel that gets no larger scale has NaN for the larger Gaussian, so that
            // it is never calm again.
            const float number = static_cast<float>(g - 1), most = least[g - 1];
            bool any = false;
#pragma unroll
            for (int o = 0; o < R; ++o) {
                const bool calm = std::fabs(smaller[o] - larger[o]) <= std::fma(setup.epsilon, smaller[o], most);
                chosen[o] = calm ? (Show ? number : smaller[o]) : chosen[o];
                larger[o] = calm ? larger[o] : kNotCounted;
                any = any || calm;
            }
            goesOn = __any_sync(kAllLanes, any) != 0;
        }
#pragma unroll
        for (int o = 0; o < R; ++o) smaller[o] = larger[o];
    }
    // From here on by way of shared memory, so that a loop over the rows needs no copies of its code.
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll
    for (int o = 0; o < R; ++o) shared[o * kThreads + thread] = chosen[o];
    unsigned brighter = 0;
    if (y < band.end && column < planes.width) {
        const Numbers numbers(*state, setup);
        const float perScale = setup.scales > 1 ? 1.0F / static_cast<float>(setup.scales - 1) : 0.0F;
        const int rows = static_cast<int>(min(std::int64_t{R}, band.end - y));
        std::int64_t from = y * planes.inRowStride + column, to = y * planes.outRowStride + column;
        const auto map = [&](float(&samples)[C], float of) {
            Pixel<C> p = boundedPixel(samples, setup, numbers);
            if constexpr (Show) {
                for (int c = 0; c < C; ++c) samples[c] = p.luminance == p.luminance ? of * perScale : p.luminance;
            } else {
                multiply(p, tone::localFactor(of, numbers.q), setup);
                brighter += finish(p, numbers, samples) ? 1U : 0U;
                if (!setup.coding.linear) encode(samples, setup.coding);
            }
        };
        constexpr int kGroup = Knobs::value.mapped;
        static_assert(R % kGroup == 0);
#pragma unroll 1
        for (int first = 0; first < rows; first += kGroup) {
            float samples[kGroup][C];
#pragma unroll
            for (int o = 0; o < kGroup; ++o)
#pragma unroll
                for (int c = 0; c < C; ++c) samples[o][c] = first + o < rows ? __ldcs(planes.in[c] + from + o * planes.inRowStride) : 0;
#pragma unroll
            for (int o = 0; o < kGroup; ++o) {
                if (first + o >= rows) break;
                map(samples[o], shared[(first + o) * kThreads + thread]);
#pragma unroll
                for (int c = 0; c < C; ++c) __stcs(planes.out[c] + to + o * planes.outRowStride, samples[o][c]);
            }
            from += kGroup * planes.inRowStride;
            to += kGroup * planes.outRowStride;
        }
    }
    reduceBlock<kThreads>(brighter, [](unsigned& a, unsigned b) { a += b; });
    if (threadIdx.x == 0 && brighter > 0) atomicAdd(&state->brighter, static_cast<unsigned long long>(brighter));
}

inline constexpr int kUnaskedShared = 48 * 1024;  ///< bytes that a block gets without asking

inline void allowShared(const void* kernel, int bytes) {
    if (bytes > kUnaskedShared)
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
              "The device has too little shared memory for tone mapping");
}

template <class Knobs = RowKnobs>
void launchRowsWith(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneMemory& memory, cudaStream_t stream) {
    constexpr int kPixels = Knobs::value.warps * kWarpPixels;
    const auto pieces = static_cast<unsigned>((band.stripes * kColumnsOfWarp + kPixels - 1) / kPixels);
    const std::int64_t rows = std::min(planes.height, band.end + band.radius) - std::max<std::int64_t>(band.begin - band.radius, 0);
    const auto pairs = static_cast<unsigned>((rows + kRowsAtOnce - 1) / kRowsAtOnce);
    const std::size_t bytes = static_cast<std::size_t>(kRowsAtOnce * (kPixels + 2 * rowReach(band.radius))) * sizeof(float);
    forChannels(setup.channels, [&](auto c) {
        filterRows<Knobs, c()>
            <<<pieces * pairs, Knobs::value.warps * kLanes, bytes, stream>>>(planes, setup, band, memory.state, static_cast<int>(pieces));
    });
    checkLaunch("The Gaussians of tone mapping could not be started");
}

template <class Knobs = ColumnKnobs>
void launchColumnsWith(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneMemory& memory,
                       cudaStream_t stream) {
    constexpr int kRows = Knobs::value.warps * kColumnOutputsEach, kSlots = Knobs::value.slots;
    const auto grid = static_cast<unsigned>(band.stripes * (ToneBand::roundedRows(band.end - band.begin) / kRows));
    constexpr unsigned threads = Knobs::value.warps * kLanes;
    int device = 0, most = 0;
    check(cudaGetDevice(&device), "The current CUDA device could not be found");
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "A property of the device could not be read");
    // A Gaussian takes the place of the one so many before it. The largest ones stay where they are if there is no room for them.
    constexpr int rowBytes = kColumnsOfWarp * static_cast<int>(sizeof(float));
    const int others = band.all + kMaximumToneScales;
    const int room = (std::min(most, Knobs::value.shared) - 1024) / rowBytes - (others + kColumnsOfWarp - 1) / kColumnsOfWarp;
    ColumnPlaces places{};
    int total = 0;
    for (int placed = band.count; placed >= 0; --placed) {
        total = 0;
        for (int slot = 0; slot < kSlots; ++slot) {
            int rows = 0;
            for (int g = slot; g < band.count; g += kSlots) {
                places.at[g] = g < placed ? total * kColumnsOfWarp : -1;
                if (g < placed) rows = std::max(rows, kRows + band.gaussians[g].chunks * kToneChunk);
            }
            total += rows;
        }
        if (total <= room) break;
    }
    places.weights = total * kColumnsOfWarp;
    // When the scales are chosen, the choices lie where all this was.
    constexpr int choices = kColumnOutputsEach * static_cast<int>(threads * sizeof(float));
    const int bytes = std::max(total * rowBytes + others * static_cast<int>(sizeof(float)), choices);
    forChannels(setup.channels, [&](auto c) {
        const auto launch = [&](auto kernel) {
            allowShared(reinterpret_cast<const void*>(kernel), bytes);
            kernel<<<grid, threads, static_cast<std::size_t>(bytes), stream>>>(planes, setup, band, places, memory.state);
        };
        const bool allStaged = places.at[band.count - 1] >= 0;
        if (setup.showScale) launch(allStaged ? &climbScales<Knobs, c(), true, true> : &climbScales<Knobs, c(), true, false>);
        else launch(allStaged ? &climbScales<Knobs, c(), false, true> : &climbScales<Knobs, c(), false, false>);
    });
    checkLaunch("The local operator of tone mapping could not be started");
}

}  // namespace parallax::gpu::tonemap
