// SPDX-License-Identifier: GPL-3.0-or-later
// The local operator: Gaussians of all scales, separable. filterRows makes those of the rows, of the luminance that it computes from the
// colours; climbScales those of the columns from the smallest on, chooses each pixel's scale meanwhile, and maps. Neither scales nor
// choices ever go to memory. Both keep a window of samples in registers and walk over the weights in chunks: a sample is loaded once
// for all outputs of a thread, so that the multiply-adds are what takes time, and a radius may be as large as it likes.
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

inline constexpr int kVector = 4;                        ///< samples that are loaded together
inline constexpr int kRowPixels = 2 * kVector;           ///< of a thread that follow each other
inline constexpr int kWarpPixels = kRowPixels * kLanes;  ///< of a warp in a row
inline constexpr int kRowsAtOnce = 2;                    ///< of a block

/// Samples beside a block's pixels, in whole threads.
__host__ __device__ constexpr int rowReach(int radius) { return (radius + kRowPixels - 1) / kRowPixels * kRowPixels; }
/// Where a vector of a row of `pitch` samples lies: those of even numbers first, then those of odd ones, so that threads that read every
/// second one meet all banks.
__host__ __device__ constexpr int rowPlace(int pitch, int at) { return at / kVector % 2 * (pitch / 2) + at / kRowPixels * kVector; }

using Vector = float[kVector];

__device__ __forceinline__ void loadTo(Vector& to, const float* from) {
    const float4 v = *reinterpret_cast<const float4*>(from);
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
}

/// Weights in global memory, or those of a block in shared memory.
template <bool Shared>
struct Weights {
    const float* table;
    __device__ __forceinline__ void four(int at, Vector& to) const {
        const float4 v = Shared ? *reinterpret_cast<const float4*>(table + at) : __ldg(reinterpret_cast<const float4*>(table + at));
        to[0] = v.x;
        to[1] = v.y;
        to[2] = v.z;
        to[3] = v.w;
    }
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

/// |luminance| of `rows` rows from (x, y) on, `pitch` pixels each, into shared memory, by all threads of a block; a quarter of it if
/// isHuge(). Outside of the image, and behind the row `last`, pixels at the edges repeat. Together: rows that a thread loads before it uses
/// the first. place(x): of a vector in its row.
template <int C, int Together, class Place>
__device__ __forceinline__ void fillLuminance(const TonePlanes& planes, const ToneSetup& setup, const Numbers& numbers,
                                              const ToneState& state, std::int64_t x, std::int64_t y, std::int64_t last, int pitch,
                                              int rows, int thread, int threads, const Place& place, float* shared) {
    const bool huge = isHuge(state);
    const auto rowAt = [&](std::int64_t at) { return min(max(at, std::int64_t{0}), last) * planes.inRowStride; };
    if (numbers.allFinite && planes.aligned && !huge && x >= 0 && x + pitch <= planes.width) {
        const int quads = pitch / kVector;
        for (int i = thread; i < quads * (rows / Together); i += threads) {
            const int group = rows == Together ? 0 : i / quads, row = group * Together, at = (i - group * quads) * kVector;
            float4 colours[Together][C];
#pragma unroll
            for (int r = 0; r < Together; ++r) {
                const std::int64_t from = rowAt(y + row + r) + x + at;
#pragma unroll
                for (int c = 0; c < C; ++c) colours[r][c] = __ldg(reinterpret_cast<const float4*>(planes.in[c] + from));
            }
#pragma unroll
            for (int r = 0; r < Together; ++r) {
                float4 luminances;
#pragma unroll
                for (int o = 0; o < kVector; ++o) {
                    float samples[C];
#pragma unroll
                    for (int c = 0; c < C; ++c) samples[c] = tonemap::lane(colours[r][c], o);
                    tonemap::lane(luminances, o) = std::fabs(luminanceOf(samples, setup.weights));
                }
                *reinterpret_cast<float4*>(shared + (row + r) * pitch + place(at)) = luminances;
            }
        }
    } else {
        const float average = static_cast<float>(state.logAverage), part = huge ? 0.25F : 1.0F;
        for (int i = thread; i < pitch * rows; i += threads) {
            const int row = i / pitch, at = i - row * pitch;
            const std::int64_t column = min(max(x + at, std::int64_t{0}), planes.width - 1);
            shared[row * pitch + place(at) + at % kVector] =
                part * surroundLuminance<C>(planes, setup, numbers, rowAt(y + row) + column, average);
        }
    }
}

/// Up to N Gaussians of the same row, the largest first. What a pixel has at equal distances left and right is added once for all of
/// them.
template <class Knobs>
struct RowSums {
    static constexpr int N = Knobs::value.together;
    float sums[N][kRowPixels];
    float left[kRowPixels], right[kRowPixels];  ///< what was farthest away of the distances before

    /// `centre`: the first vector of the thread's samples, which lies as rowPlace() says. of(i): the Gaussian i, none if it has no chunks.
    template <class W, class Of>
    __device__ __forceinline__ void add(const float* centre, int pitch, const W& weights, const Of& of) {
        load(left, centre, pitch);
#pragma unroll
        for (int o = 0; o < kRowPixels; ++o) right[o] = left[o];
        int next[N];
#pragma unroll
        for (int i = 0; i < N; ++i) {
            next[i] = of(i).halfOffset;
            Vector own;
            weights.four(next[i], own);
            next[i] += kVector;
#pragma unroll
            for (int o = 0; o < kRowPixels; ++o) sums[i][o] = own[0] * left[o];
        }
        addStages<N>(centre, centre, pitch, weights, next, 0, of);
    }

private:
    __device__ __forceinline__ static void load(float (&to)[kRowPixels], const float* from, int pitch) {
        Vector even, odd;
        loadTo(even, from);
        loadTo(odd, from + pitch / 2);
#pragma unroll
        for (int o = 0; o < kVector; ++o) {
            to[o] = even[o];
            to[o + kVector] = odd[o];
        }
    }
    /// First the distances that all Gaussians have, then those that all but one have, and so on.
    template <int Active, class W, class Of>
    __device__ __forceinline__ void addStages(const float* before, const float* behind, int pitch, const W& weights, int (&next)[N],
                                              int chunk, const Of& of) {
        const int end = of(Active - 1).halfChunks();
#pragma unroll(Active > Knobs::value.unrolled ? 1 : 2)
        for (; chunk < end; ++chunk) {
            before -= kVector;
            behind += kVector;
            addChunk<Active>(before, behind, pitch, weights, next);
#pragma unroll
            for (int i = 0; i < Active; ++i) next[i] += kRowPixels;
        }
        if constexpr (Active > 1) addStages<Active - 1>(before, behind, pitch, weights, next, chunk, of);
    }
    /// As many distances as a thread has pixels.
    template <int Active, class W>
    __device__ __forceinline__ void addChunk(const float* before, const float* behind, int pitch, const W& weights, const int (&next)[N]) {
        float farLeft[kRowPixels], farRight[kRowPixels];
        load(farLeft, before, pitch);
        load(farRight, behind, pitch);
#pragma unroll
        for (int first = 1; first <= kRowPixels; first += kVector) {
            Vector w[Active];
#pragma unroll
            for (int i = 0; i < Active; ++i) weights.four(next[i] + first - 1, w[i]);
#pragma unroll
            for (int k = first; k < first + kVector; ++k) {
                float both[kRowPixels];
#pragma unroll
                for (int o = 0; o < kRowPixels; ++o)
                    both[o] = (o < k ? farLeft[o - k + kRowPixels] : left[o - k]) +
                              (o + k < kRowPixels ? right[o + k] : farRight[o + k - kRowPixels]);
#pragma unroll
                for (int i = 0; i < Active; ++i)
#pragma unroll
                    for (int o = 0; o < kRowPixels; ++o) sums[i][o] = std::fma(w[i][k - first], both[o], sums[i][o]);
            }
        }
#pragma unroll
        for (int o = 0; o < kRowPixels; ++o) {
            left[o] = farLeft[o];
            right[o] = farRight[o];
        }
    }
};

/// A block filters kRowsAtOnce rows of some pixels by all Gaussians that go through memory; each warp kWarpPixels of one row.
template <class Knobs, int C>
__global__ void __launch_bounds__(Knobs::value.warps* kLanes, Knobs::value.blocks)
    filterRows(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const __grid_constant__ ToneBand band,
               const ToneState* state, int pieces) {
    constexpr int kWarps = Knobs::value.warps / kRowsAtOnce, kThreads = Knobs::value.warps * kLanes, kPixels = kWarps * kWarpPixels,
                  N = Knobs::value.together;
    static_assert(Knobs::value.warps % kRowsAtOnce == 0);
    extern __shared__ __align__(16) float shared[];
    const int thread = static_cast<int>(threadIdx.x), lane = thread % kLanes, warp = thread / kLanes;
    const int reach = rowReach(band.radius), pitch = kPixels + 2 * reach;
    const int piece = static_cast<int>(blockIdx.x % static_cast<unsigned>(pieces));
    const std::int64_t first = max(band.begin - band.radius, std::int64_t{0}) +
                               static_cast<std::int64_t>(blockIdx.x / static_cast<unsigned>(pieces)) * kRowsAtOnce;
    const std::int64_t last = min(planes.height, band.end + band.radius) - 1;
    const Numbers numbers(*state, setup);
    const bool huge = isHuge(*state);
    fillLuminance<C, kRowsAtOnce>(
        planes, setup, numbers, *state, static_cast<std::int64_t>(piece) * kPixels - reach, first, last, pitch, kRowsAtOnce, thread,
        kThreads, [pitch](int at) { return rowPlace(pitch, at); }, shared);
    __syncthreads();
    const int ofWarp = warp % kWarps * kWarpPixels;
    const std::int64_t y = first + warp / kWarps;
    if (y > last || static_cast<std::int64_t>(piece) * kPixels + ofWarp >= band.stripes * kColumnsOfWarp) return;  // all lanes of a warp
    // Two lanes exchange vectors, so that they store what lies side by side.
    const bool isOdd = lane % 2 == 1;
    const std::int64_t column = static_cast<std::int64_t>(piece) * kPixels + ofWarp + lane / 2 * (2 * kRowPixels) + (isOdd ? kVector : 0);
    const std::int64_t stripe = column / kColumnsOfWarp;
    const bool isInside = stripe < band.stripes;
    const int relative = static_cast<int>(y - band.begin), bandRows = static_cast<int>(band.end - band.begin);
    const bool isPlain = y > 0 && y < planes.height - 1 && relative >= 0 && relative < bandRows;  // every Gaussian needs it, and once
    const std::int64_t step = band.stripes * band.rows * kColumnsOfWarp;
    const Weights<false> weights{band.weights};
    for (int top = band.count - 1; top >= band.small; top -= N) {
        if (relative >= bandRows + band.gaussians[top].radius || relative < -band.gaussians[top].radius) continue;
        RowSums<Knobs> row;
        row.add(shared + warp / kWarps * pitch + (reach + ofWarp) / 2 + kVector * lane, pitch, weights,
                [&](int i) { return i <= top - band.small ? band.gaussians[max(top - i, 0)] : ToneGaussian(); });
        float* to = band.filtered + (((top - band.small) * band.stripes + stripe) * band.rows + band.above() + relative) * kColumnsOfWarp +
                    column % kColumnsOfWarp;
#pragma unroll
        for (int i = 0; i < N; ++i, to -= step) {
            if (i > top - band.small) break;
            float(&sums)[kRowPixels] = row.sums[i];
            if (huge) {
                // Sums of weights may be larger than 1 by some roundings.
#pragma unroll
                for (float& sum : sums) sum = fromQuarter(sum);
            }
            float one[kVector], other[kVector];
#pragma unroll
            for (int o = 0; o < kVector; ++o) {
                const float got = __shfl_xor_sync(kAllLanes, isOdd ? sums[o] : sums[o + kVector], 1);
                one[o] = isOdd ? got : sums[o];
                other[o] = isOdd ? sums[o + kVector] : got;
            }
            const auto store = [&](float* at) {
                *reinterpret_cast<float4*>(at) = make_float4(one[0], one[1], one[2], one[3]);
                *reinterpret_cast<float4*>(at + kRowPixels) = make_float4(other[0], other[1], other[2], other[3]);
            };
            if (isPlain) {
                if (isInside) store(to);
            } else if (isInside) {
                // Outside of the image its first and last rows repeat: those are stored more than once.
                const int radius = band.gaussians[top - i].radius;
                const int lowest = y == 0 ? -radius : max(relative, -radius);
                const int highest = min(y == planes.height - 1 ? bandRows + radius : relative + 1, bandRows + radius);
#pragma unroll 1
                for (int at = lowest; at < highest; ++at) store(to + (at - relative) * kColumnsOfWarp);
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
template <class W>
__device__ __forceinline__ void loadChunk(Segment& to, const W& weights, int at) {
    Vector a, b;
    weights.four(at, a);
    weights.four(at + kVector, b);
#pragma unroll
    for (int i = 0; i < kVector; ++i) {
        to[i] = a[i];
        to[i + kVector] = b[i];
    }
}
template <class W>
__device__ __forceinline__ void addChunk(Column& out, const Segment& a, const Segment& b, const Segment& c, const W& weights, int at) {
    Segment w;
    loadChunk(w, weights, at);
    addWeights<0, kToneChunk - 1>(out, a, b, c, w);
}

/// A Gaussian along the columns. `next`: the first row of the first chunk, of which the thread's column is kColumnsOfWarp samples apart.
template <class W>
__device__ __forceinline__ void filterColumn(const ToneGaussian& gaussian, const W& weights, const float* next, Column& out) {
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

__device__ __forceinline__ void prefetchToLevel2(const float* line) { asm volatile("prefetch.global.L2 [%0];" ::"l"(line)); }

/// Where the rows of a Gaussian lie in a block's shared memory, in floats; -1: nowhere, they are read where they are.
struct ColumnPlaces {
    int at[kMaximumToneScales + 1];
    int together[kMaximumToneScales + 2];  ///< of small Gaussians: so many, from this one on, are made at once; 0: with one before
    int tile;                              ///< where the luminance for the small Gaussians lies
    int weights;                           ///< and the weights of all Gaussians, and behind these a number for each scale
};

/// Luminance around a block's pixels, from which it makes the small Gaussians of the rows by itself.
inline constexpr int kTileReach = kToneSmallRadius, kTilePitch = kColumnsOfWarp + 2 * kTileReach;
__host__ __device__ constexpr int tileRows(int rows) { return rows + 2 * kTileReach; }

/// Small Gaussians, at most Most of them and none of a radius above Reach, along the rows of the tile: `rows` rows and what each reaches
/// above and below, to where filterColumn() reads. Sums of two pixels are shared, as in RowSums.
template <int Reach, int Most, class W>
__device__ __forceinline__ void filterTile(const ToneGaussian* gaussians, const int* places, int count, const W& weights, const float* tile,
                                           float* shared, int rows, bool huge, int thread, int threads) {
    constexpr int kQuads = kColumnsOfWarp / kVector, kSamples = kVector + 2 * Reach;
    static_assert(Reach % kVector == 0 && Reach <= kTileReach);
    const int largest = gaussians[count - 1].radius;
    for (int i = thread; i < (rows / 2 + largest) * kQuads; i += threads) {
        const int row = i / kQuads * 2 - largest, x = i % kQuads * kVector;
        const float* const from = tile + (row + kTileReach) * kTilePitch + x + kTileReach - Reach;
        float samples[2][kSamples], sums[Most][2][kVector];
#pragma unroll
        for (int r = 0; r < 2; ++r)
#pragma unroll
            for (int j = 0; j < kSamples; j += kVector) {
                Vector v;
                loadTo(v, from + r * kTilePitch + j);
#pragma unroll
                for (int o = 0; o < kVector; ++o) samples[r][j + o] = v[o];
            }
        int next[Most];
#pragma unroll
        for (int g = 0; g < Most; ++g) {
            next[g] = gaussians[min(g, count - 1)].halfOffset;
            Vector own;
            weights.four(next[g], own);
#pragma unroll
            for (int r = 0; r < 2; ++r)
#pragma unroll
                for (int o = 0; o < kVector; ++o) sums[g][r][o] = own[0] * samples[r][Reach + o];
        }
        // Weights of distances beyond a radius are zeros.
#pragma unroll
        for (int first = 1; first <= Reach; first += kVector) {
            Vector w[Most];
#pragma unroll
            for (int g = 0; g < Most; ++g) weights.four(next[g] + kVector - 1 + first, w[g]);
#pragma unroll
            for (int k = first; k < first + kVector; ++k)
#pragma unroll
                for (int r = 0; r < 2; ++r)
#pragma unroll
                    for (int o = 0; o < kVector; ++o) {
                        const float both = samples[r][Reach + o - k] + samples[r][Reach + o + k];
#pragma unroll
                        for (int g = 0; g < Most; ++g) sums[g][r][o] = std::fma(w[g][k - first], both, sums[g][r][o]);
                    }
        }
#pragma unroll
        for (int g = 0; g < Most; ++g) {
            if (g >= count) break;
            const int radius = gaussians[g].radius;
            float* const to = shared + places[g] + (gaussians[g].lead() + radius + row) * kColumnsOfWarp + x;
#pragma unroll
            for (int r = 0; r < 2; ++r) {
                if (row + r < -radius || row + r >= rows + radius) continue;
                if (huge)
                    for (float& sum : sums[g][r]) sum = fromQuarter(sum);
                *reinterpret_cast<float4*>(to + r * kColumnsOfWarp) =
                    make_float4(sums[g][r][0], sums[g][r][1], sums[g][r][2], sums[g][r][3]);
            }
        }
    }
}

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
        return band.filtered + (((g - band.small) * band.stripes + stripe) * band.rows + band.above() + row) * kColumnsOfWarp;
    };
    const auto fetch = [&](int g) {
        if (g >= band.small && g < band.count && (AllStaged || places.at[g] >= 0)) {
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
    for (int g = 0; g < kAhead - 1; ++g) fetch(g);
    // What a pixel's contrast may be at a scale besides what follows from its surround, and all weights.
    float* const least = shared + places.weights + band.all;
    if (thread < setup.scales) least[thread] = setup.epsilon * static_cast<float>(state->sharpening[thread]);
    for (int i = thread; i < band.all; i += kThreads) shared[places.weights + i] = __ldg(band.weights + i);
    const Weights<true> weights{shared + places.weights};
    const bool huge = isHuge(*state);
    if (band.small > 0) {
        const Numbers numbers(*state, setup);
        fillLuminance<C, 2>(
            planes, setup, numbers, *state, stripe * kColumnsOfWarp - kTileReach, band.begin + ofBlock - kTileReach, planes.height - 1,
            kTilePitch, tileRows(kRows), thread, kThreads, [](int at) { return at / kVector * kVector; }, shared + places.tile);
    }
    if (Knobs::value.prefetch && y < band.end)
        for (int i = lane; i < C * R; i += kLanes)
            if (y + i / C < band.end) prefetchToLevel2(planes.in[i % C] + (y + i / C) * planes.inRowStride + stripe * kColumnsOfWarp);
    Column chosen = {}, smaller = {};  // the surround, or the number of its scale; the Gaussian before
    bool goesOn = y < band.end;
#pragma unroll 1
    for (int g = -1; g < band.count; ++g) {
        // The rows of the Gaussian are there, and all warps are done with those of the one before, whose place is free for more. Nobody may
        // go on.
        __pipeline_wait_prior(kAhead - 1);
        if (__syncthreads_or(goesOn ? 1 : 0) == 0) break;
        fetch(g + kAhead);
        if (const int count = places.together[g + 1]; count > 0) {
            const ToneGaussian* const first = band.gaussians + g + 1;
            const int* const to = places.at + g + 1;
            if (first[count - 1].radius <= kTileReach / 2)
                filterTile<kTileReach / 2, kAhead + 1>(first, to, count, weights, shared + places.tile, shared, kRows, huge, thread,
                                                       kThreads);
            else filterTile<kTileReach, kAhead>(first, to, count, weights, shared + places.tile, shared, kRows, huge, thread, kThreads);
        }
        if (g < 0 || !goesOn) continue;
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
    if (band.small == band.count) return;
    constexpr int kPixels = Knobs::value.warps / kRowsAtOnce * kWarpPixels;
    const auto pieces = static_cast<unsigned>((band.stripes * kColumnsOfWarp + kPixels - 1) / kPixels);
    const std::int64_t rows = std::min(planes.height, band.end + band.radius) - std::max<std::int64_t>(band.begin - band.radius, 0);
    const auto groups = static_cast<unsigned>((rows + kRowsAtOnce - 1) / kRowsAtOnce);
    const std::size_t bytes = static_cast<std::size_t>(kRowsAtOnce * (kPixels + 2 * rowReach(band.radius))) * sizeof(float);
    forChannels(setup.channels, [&](auto c) {
        filterRows<Knobs, c()>
            <<<pieces * groups, Knobs::value.warps * kLanes, bytes, stream>>>(planes, setup, band, memory.state, static_cast<int>(pieces));
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
    const int tile = band.small > 0 ? tileRows(kRows) * kTilePitch : 0, others = tile + band.all + kMaximumToneScales;
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
    // The first ones take all places, later ones all but that of the Gaussian which is filtered meanwhile.
    for (int g = 0; g < band.small;) {
        const bool narrow = band.gaussians[g].radius <= kTileReach / 2;
        const int most = g == 0 && narrow ? kSlots : kSlots - 1;
        int& count = places.together[g];
        while (count < most && g + count < band.small && (band.gaussians[g + count].radius <= kTileReach / 2) == narrow) ++count;
        g += count;
    }
    places.tile = total * kColumnsOfWarp;
    places.weights = places.tile + tile;
    const int bytes = total * rowBytes + others * static_cast<int>(sizeof(float));
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
