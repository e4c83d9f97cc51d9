// SPDX-License-Identifier: GPL-3.0-or-later
// The local operator along the rows: all Gaussians of the luminance, which is computed here from the colours. They share the sums of two
// pixels at the same distance. Windows of samples stay in registers and walk over the weights in chunks, so that the radius is unlimited.
#pragma once

#include <algorithm>
#include <type_traits>

#include "gpu/operations/tone_mapping/local_weights.cuh"

namespace parallax::gpu::tonemap {

struct RowKnobs {
    static constexpr ToneRowTuning value = kToneRowTuning;
};
struct ManyRowKnobs {
    static constexpr ToneRowTuning value = kToneManyRowTuning;
};

inline constexpr int kWarpPixels = kRowPixels * kLanes;  ///< of a warp in a row
inline constexpr int kRowsAtOnce = 2;                    ///< per thread: they share the weights

/// Halo of a block, in whole vectors.
__host__ __device__ constexpr int rowReach(int radius) { return (radius + kRowPixels - 1) / kRowPixels * kRowPixels; }

/// |luminance| as input of the Gaussians: infinity counts as the limit, NaN as middle grey.
template <int C>
__device__ __forceinline__ float surroundLuminance(const TonePlanes& p, const ToneSetup& s, const Numbers& k, std::int64_t at,
                                                   float average) {
    float samples[C];
#pragma unroll
    for (int c = 0; c < C; ++c) samples[c] = __ldg(p.in[c] + at);
    const float luminance = std::fabs(boundedPixel(samples, s, k).luminance);
    return luminance == luminance ? luminance : average;
}

/// Whether sums of two samples may overflow.
__device__ __forceinline__ bool isHuge(const ToneState& state) { return state.largest > 1e38; }
__device__ __forceinline__ float fromQuarter(float sum) { return 4 * std::fmin(sum, kLargestFloat / 4); }

/// Stores |luminance| (a quarter of it if isHuge()) of kRowsAtOnce rows from (x, y) on, `pitch` pixels each, in shared memory. Called by
/// all threads of a block. Pixels at the edges repeat outside the image and after the row `last`.
template <int C>
__device__ __forceinline__ void fillLuminance(const TonePlanes& planes, const ToneSetup& setup, const Numbers& numbers,
                                              const ToneState& state, std::int64_t x, std::int64_t y, std::int64_t last, int pitch,
                                              int thread, int threads, float* shared) {
    const bool huge = isHuge(state);
    // Contiguous planes count as aligned for passes over all pixels even if their rows are not.
    const bool vectors = planes.aligned && planes.inRowStride % kRowPixels == 0;
    if (numbers.allFinite && vectors && !huge && x >= 0 && x + pitch <= planes.width) {
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

/// Up to N Gaussians of the same rows, the largest first. Samples at equal distances left and right are added once for all of them.
template <int N, class Weights>
struct RowSums {
    float sums[N][kRowsAtOnce][kRowPixels];
    Vector near[kRowsAtOnce][2];  ///< the farthest samples, left and right, of the previous distances

    /// `centre`: the thread's samples in its first row. `at`: ToneBand::rowWeights. chunksOf(i): chunks of Gaussian i.
    template <class Chunks>
    __device__ __forceinline__ void add(const float* centre, int pitch, const Weights& weights, int at, const Chunks& chunksOf) {
#pragma unroll
        for (int r = 0; r < kRowsAtOnce; ++r) {
            loadTo(near[r][0], centre + r * pitch);
#pragma unroll
            for (int o = 0; o < kRowPixels; ++o) near[r][1][o] = near[r][0][o];
        }
#pragma unroll
        for (int i = 0; i < N; ++i) {
            Vector own;
            weights.four(at + kRowPixels * i, own);
#pragma unroll
            for (int r = 0; r < kRowsAtOnce; ++r)
#pragma unroll
                for (int o = 0; o < kRowPixels; ++o) sums[i][r][o] = own[0] * near[r][0][o];
        }
        addStages<N>(centre, centre, pitch, weights, at, 0, chunksOf);
    }

private:
    /// Not unrolled: weights of the argument would no longer be uniform.
    template <int Active>
    static constexpr int kUnrolled = std::is_same_v<Weights, ArgumentWeights> || Active > 3 ? 1 : 2;

    /// First the distances within the radius of all Gaussians, then within that of all but one, and so on.
    template <int Active, class Chunks>
    __device__ __forceinline__ void addStages(const float* left, const float* right, int pitch, const Weights& weights, int at, int chunk,
                                              const Chunks& chunksOf) {
        const int end = chunksOf(Active - 1);
#pragma unroll(kUnrolled <Active>)
        for (; chunk < end; ++chunk) {
            left -= kRowPixels;
            right += kRowPixels;
            at += kRowPixels * N;
            addChunk<Active>(left, right, pitch, weights, at);
        }
        if constexpr (Active > 1) addStages<Active - 1>(left, right, pitch, weights, at, chunk, chunksOf);
    }
    template <int Active>
    __device__ __forceinline__ void addChunk(const float* left, const float* right, int pitch, const Weights& weights, int at) {
        Vector far[kRowsAtOnce][2], w[Active];
#pragma unroll
        for (int r = 0; r < kRowsAtOnce; ++r) {
            loadTo(far[r][0], left + r * pitch);
            loadTo(far[r][1], right + r * pitch);
        }
#pragma unroll
        for (int i = 0; i < Active; ++i) weights.four(at + kRowPixels * i, w[i]);
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

/// Stores kRowsAtOnce rows from y on, filtered by a group of Gaussians: `top`, the largest, and those below it. `column`: the first of the
/// thread's. `last`: the row after which the block's rows repeat.
template <int N>
__device__ __forceinline__ void storeRows(const float (&sums)[N][kRowsAtOnce][kRowPixels], const ToneBand& band, int top,
                                          std::int64_t column, std::int64_t y, std::int64_t last, std::int64_t height) {
    const int relative = static_cast<int>(y - band.begin), bandRows = static_cast<int>(band.end - band.begin);
    const std::int64_t stripe = column / kColumnsOfWarp, gaussianStep = band.stripes * band.rows * kColumnsOfWarp;
    float* const largest =
        band.filtered + ((top * band.stripes + stripe) * band.rows + band.above()) * kColumnsOfWarp + column % kColumnsOfWarp;
    const auto store = [](float* to, const float(&values)[kRowPixels]) {
        *reinterpret_cast<float4*>(to) = make_float4(values[0], values[1], values[2], values[3]);
    };
    if (y > 0 && y + kRowsAtOnce < height && relative >= 0 && relative + kRowsAtOnce <= bandRows) {
        float* to = largest + relative * kColumnsOfWarp;
#pragma unroll
        for (int i = 0; i < N; ++i, to -= gaussianStep) {
            if (i > top) break;
#pragma unroll
            for (int r = 0; r < kRowsAtOnce; ++r) store(to + r * kColumnsOfWarp, sums[i][r]);
        }
        return;
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
            // The first and last rows of the image repeat outside and are stored more than once.
            const int lowest = y + r == 0 ? -radius : max(row, -radius);
            const int highest = min(y + r == height - 1 ? bandRows + radius : row + 1, bandRows + radius);
#pragma unroll 1
            for (int at = lowest; at < highest; ++at) store(to + at * kColumnsOfWarp, sums[i][r]);
        }
    }
}

/// A block filters kRowsAtOnce rows by all Gaussians; each warp takes kWarpPixels of a row.
template <class Knobs, int C, class Weights>
__global__ void __launch_bounds__(Knobs::value.warps* kLanes, Knobs::value.blocks)
    filterRows(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const __grid_constant__ ToneBand band,
               const __grid_constant__ ToneWeights argument, const ToneState* state, int pieces) {
    constexpr int kWarps = Knobs::value.warps, kThreads = kWarps * kLanes, kPixels = kWarps * kWarpPixels, N = Knobs::value.together;
    extern __shared__ __align__(16) float shared[];
    const int thread = static_cast<int>(threadIdx.x), lane = thread % kLanes, warp = thread / kLanes;
    const int reach = rowReach(band.radius), pitch = kPixels + 2 * reach;
    const int piece = static_cast<int>(blockIdx.x % static_cast<unsigned>(pieces));
    const std::int64_t y = max(band.begin - band.radius, std::int64_t{0}) +
                           static_cast<std::int64_t>(blockIdx.x / static_cast<unsigned>(pieces)) * kRowsAtOnce;
    const std::int64_t last = min(planes.height, band.end + band.radius) - 1;
    const auto weights = [&] {
        if constexpr (std::is_same_v<Weights, ArgumentWeights>) return ArgumentWeights{argument};
        else return MemoryWeights{band.weights};
    }();
    const Numbers numbers(*state, setup);
    const bool huge = isHuge(*state);
    fillLuminance<C>(planes, setup, numbers, *state, static_cast<std::int64_t>(piece) * kPixels - reach, y, last, pitch, thread, kThreads,
                     shared);
    __syncthreads();
    const std::int64_t column = static_cast<std::int64_t>(piece) * kPixels + warp * kWarpPixels + kRowPixels * lane;
    const bool mine = column / kColumnsOfWarp < band.stripes;  // threads without a stripe take part, so that the warp does not diverge
    const int relative = static_cast<int>(y - band.begin), bandRows = static_cast<int>(band.end - band.begin);
#pragma unroll 1
    for (int top = band.count - 1, group = 0; top >= 0; top -= N, ++group) {
        if (relative >= bandRows + band.gaussians[top].radius || relative + kRowsAtOnce <= -band.gaussians[top].radius) continue;
        RowSums<N, Weights> rows;
        rows.add(shared + reach + warp * kWarpPixels + kRowPixels * lane, pitch, weights, band.rowWeights[group],
                 [&](int i) { return i <= top ? band.gaussians[max(top - i, 0)].halfChunks() : 0; });
        if (!mine) continue;
        if (huge) {
            // Sums of weights may exceed 1 by rounding.
#pragma unroll
            for (int i = 0; i < N; ++i)
#pragma unroll
                for (int r = 0; r < kRowsAtOnce; ++r)
#pragma unroll
                    for (float& sum : rows.sums[i][r]) sum = fromQuarter(sum);
        }
        storeRows<N>(rows.sums, band, top, column, y, last, planes.height);
    }
}

template <class Knobs, class Weights>
void launchRowsOf(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneWeights& argument,
                  const ToneMemory& memory, cudaStream_t stream) {
    constexpr int kPixels = Knobs::value.warps * kWarpPixels;
    const auto pieces = static_cast<unsigned>((band.stripes * kColumnsOfWarp + kPixels - 1) / kPixels);
    const std::int64_t rows = std::min(planes.height, band.end + band.radius) - std::max<std::int64_t>(band.begin - band.radius, 0);
    const auto pairs = static_cast<unsigned>((rows + kRowsAtOnce - 1) / kRowsAtOnce);
    const std::size_t bytes = static_cast<std::size_t>(kRowsAtOnce * (kPixels + 2 * rowReach(band.radius))) * sizeof(float);
    forChannels(setup.channels, [&](auto c) {
        filterRows<Knobs, c(), Weights><<<pieces * pairs, Knobs::value.warps * kLanes, bytes, stream>>>(
            planes, setup, band, argument, memory.state, static_cast<int>(pieces));
    });
    checkLaunch("The Gaussians of tone mapping could not be started");
}

/// `Many`: for weights that do not fit in the argument. LocalPlan's `together` must be that of the tuning parameters.
template <class Knobs = RowKnobs, class Many = ManyRowKnobs>
void launchRowsWith(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneWeights& argument,
                    const ToneMemory& memory, cudaStream_t stream) {
    if (band.inArgument) launchRowsOf<Knobs, ArgumentWeights>(planes, setup, band, argument, memory, stream);
    else launchRowsOf<Many, MemoryWeights>(planes, setup, band, argument, memory, stream);
}

}  // namespace parallax::gpu::tonemap
