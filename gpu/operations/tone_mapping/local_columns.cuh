// SPDX-License-Identifier: GPL-3.0-or-later
// The local operator along the columns: Gaussians in ascending order, each pixel's choice of scale after each of them, and the mapping.
// Neither scales nor choices go to global memory. The rows of each Gaussian are copied to shared memory while the previous one is filtered.
// Windows of samples stay in registers: a sample is loaded once for all outputs of a thread.
#pragma once

#include <cuda_pipeline.h>

#include <algorithm>

#include "gpu/operations/tone_mapping/local_weights.cuh"
#include "gpu/runtime/bulk_copy.cuh"

namespace parallax::gpu::tonemap {

struct ColumnKnobs {
    static constexpr ToneColumnTuning value = kToneColumnTuning;
};
struct ManyColumnKnobs {
    static constexpr ToneColumnTuning value = kToneManyColumnTuning;
};

/// As large as a chunk of weights. The outputs of a thread use three of these at a time, which swap roles instead of being moved.
using Segment = float[kToneChunk];
using Column = float[kColumnOutputsEach];

/// Adds weights First to Last of a chunk: out[o] += weights[t] * samples[o + t].
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
template <class Weights>
__device__ __forceinline__ void loadChunk(Segment& to, const Weights& weights, int at) {
    Vector a, b;
    weights.four(at, a);
    weights.four(at + kRowPixels, b);
#pragma unroll
    for (int i = 0; i < kRowPixels; ++i) {
        to[i] = a[i];
        to[i + kRowPixels] = b[i];
    }
}
template <class Weights>
__device__ __forceinline__ void addChunk(Column& out, const Segment& a, const Segment& b, const Segment& c, const Weights& weights,
                                         int at) {
    Segment w;
    loadChunk(w, weights, at);
    addWeights<0, kToneChunk - 1>(out, a, b, c, w);
}

/// Filters by a Gaussian along the columns. `next`: the thread's column in the first row of the first chunk; rows are kColumnsOfWarp apart.
template <class Weights>
__device__ __forceinline__ void filterColumn(const ToneGaussian& gaussian, const Weights& weights, const float* next, Column& out) {
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
        // Leading zeros of the first chunk are skipped, since there are no samples for them.
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

/// Offset in floats of the rows of a Gaussian in shared memory; -1: they stay in global memory.
struct ColumnPlaces {
    int at[kMaximumToneScales + 1];
    int others;  ///< a number for each scale, then the weights if they are not in the argument
};

/// Copies the rows of the Gaussians from global memory into the slots of a block. Fast: all of them fit.
template <class Knobs, bool Fast>
struct GaussianRows {
    static constexpr int kThreads = Knobs::value.warps * kLanes, kRows = Knobs::value.warps * kColumnOutputsEach;
    static constexpr int kSlots = Knobs::value.slots, kAhead = kSlots - 1;
    static constexpr bool kBulk = Fast && kHasBulkCopies;
    const ToneBand& band;
    const ColumnPlaces& places;
    float* shared;
    BulkArrival* arrivals;
    std::int64_t stripe;
    int thread, firstRow;  ///< of the block, from the beginning of the band

    __device__ __forceinline__ void begin() const {
        if constexpr (kBulk) {
            if (thread == 0) beginArrivals(arrivals, kSlots);
            __syncthreads();
        }
        for (int g = 0; g < kAhead; ++g) fetch(g);
    }
    __device__ __forceinline__ const float* inMemory(int g, int row) const {
        return band.filtered + ((g * band.stripes + stripe) * band.rows + band.above() + row) * kColumnsOfWarp;
    }
    __device__ __forceinline__ bool isStaged(int g) const { return Fast || places.at[g] >= 0; }
    /// Starts the copy of a Gaussian's rows.
    __device__ __forceinline__ void fetch(int g) const {
        const bool staged = g < band.count && isStaged(g);
        const int radius = staged ? band.gaussians[g].radius : 0;
        if constexpr (kBulk) {
            if (thread == 0 && staged)
                bulkCopy(shared + places.at[g] + band.gaussians[g].lead() * kColumnsOfWarp, inMemory(g, firstRow - radius),
                         static_cast<unsigned>(kRows + 2 * radius) * kColumnsOfWarp * unsigned{sizeof(float)}, arrivals + g % kSlots);
        } else {
            if (staged) {
                const float* source = inMemory(g, firstRow - radius) + 4 * thread;
                float* target = shared + places.at[g] + band.gaussians[g].lead() * kColumnsOfWarp + 4 * thread;
#pragma unroll 1
                for (int left = (kRows + 2 * radius) * kColumnsOfWarp - 4 * thread; left > 0; left -= 4 * kThreads) {
                    __pipeline_memcpy_async(target, source, sizeof(float4));
                    source += 4 * kThreads;
                    target += 4 * kThreads;
                }
            }
            __pipeline_commit();
        }
    }
    __device__ __forceinline__ void await(int g) const {
        if constexpr (kBulk) awaitArrival(arrivals + g % kSlots, static_cast<unsigned>(g / kSlots));
        else __pipeline_wait_prior(kAhead - 1);
    }
    /// Waits for the copies after `awaited` Gaussians, which may be in flight after an early end.
    __device__ __forceinline__ void awaitRest(int awaited) const {
        if constexpr (kBulk) {
            for (int g = awaited; g < min(awaited + kAhead - 1, band.count); ++g) await(g);
        } else {
            __pipeline_wait_prior(0);
        }
    }
};

/// The choices of scale of a thread's pixels.
template <bool Show>
struct ScaleChoice {
    Column chosen = {}, smaller = {};  ///< the surround, or the index of its scale; the previous Gaussian
    /// Compares the g-th Gaussian with the previous one. Returns whether pixels of the warp are left. `least`: constant part of the
    /// threshold.
    __device__ __forceinline__ bool compare(int g, Column& larger, const float* least, float epsilon) {
        bool goesOn = true;
        if (g == 0) {
#pragma unroll
            for (int o = 0; o < kColumnOutputsEach; ++o) chosen[o] = Show ? 0 : larger[o];
        } else {
            // tone::activity() <= epsilon, without a division. A pixel that has its scale gets NaN as the larger Gaussian, so that
            // the test fails from then on.
            const float number = static_cast<float>(g - 1), most = least[g - 1];
            float alive = kNotCounted;
#pragma unroll
            for (int o = 0; o < kColumnOutputsEach; ++o) {
                const bool calm = std::fabs(smaller[o] - larger[o]) <= std::fma(epsilon, smaller[o], most);
                chosen[o] = calm ? (Show ? number : smaller[o]) : chosen[o];
                larger[o] = calm ? larger[o] : kNotCounted;
                alive = std::fmin(alive, larger[o]);
            }
            goesOn = __any_sync(kAllLanes, alive == alive) != 0;
        }
#pragma unroll
        for (int o = 0; o < kColumnOutputsEach; ++o) smaller[o] = larger[o];
        return goesOn;
    }
};

/// Maps a warp's pixels by the choices in shared memory, and returns how many of a thread's are brighter than white. A loop over the rows
/// needs no copies of its code, and threads map what others chose.
template <int C, bool Show, int Threads>
__device__ __forceinline__ unsigned mapChoices(const TonePlanes& planes, const ToneSetup& setup, const ToneState& state,
                                               const float* shared, std::int64_t stripe, int warp, std::int64_t y, int rows) {
    const int thread = static_cast<int>(threadIdx.x), lane = thread % kLanes;
    const Numbers numbers(state, setup);
    const float perScale = setup.scales > 1 ? 1.0F / static_cast<float>(setup.scales - 1) : 0.0F;
    unsigned brighter = 0;
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
    if (planes.aligned && (planes.inRowStride | planes.outRowStride) % kRowPixels == 0 && (stripe + 1) * kColumnsOfWarp <= planes.width) {
        // Vectors: a warp processes several rows at a time.
        constexpr int kAcross = kColumnsOfWarp / kRowPixels, kDown = kLanes / kAcross;
        const int below = lane / kAcross, beside = kRowPixels * (lane % kAcross);
        const std::int64_t x = stripe * kColumnsOfWarp + beside;
        const float* choices = shared + warp * kLanes + beside;
#pragma unroll 1
        for (int row = below; row < rows; row += kDown) {
            float4 colours[C];
#pragma unroll
            for (int c = 0; c < C; ++c)
                colours[c] = __ldcs(reinterpret_cast<const float4*>(planes.in[c] + (y + row) * planes.inRowStride + x));
            Vector of;
            loadTo(of, choices + row * Threads);
#pragma unroll
            for (int o = 0; o < kRowPixels; ++o) {
                float samples[C];
#pragma unroll
                for (int c = 0; c < C; ++c) samples[c] = tonemap::lane(colours[c], o);
                map(samples, of[o]);
#pragma unroll
                for (int c = 0; c < C; ++c) tonemap::lane(colours[c], o) = samples[c];
            }
#pragma unroll
            for (int c = 0; c < C; ++c) __stcs(reinterpret_cast<float4*>(planes.out[c] + (y + row) * planes.outRowStride + x), colours[c]);
        }
    } else {
        const std::int64_t column = stripe * kColumnsOfWarp + lane;
#pragma unroll 1
        for (int row = 0; row < rows; ++row) {
            float samples[C];
#pragma unroll
            for (int c = 0; c < C; ++c) samples[c] = __ldcs(planes.in[c] + (y + row) * planes.inRowStride + column);
            map(samples, shared[row * Threads + thread]);
#pragma unroll
            for (int c = 0; c < C; ++c) __stcs(planes.out[c] + (y + row) * planes.outRowStride + column, samples[c]);
        }
    }
    return brighter;
}

/// Show: writes the index of the chosen scale instead of the mapped colours. Fast: weights are in the argument and the rows of all
/// Gaussians fit in shared memory.
template <class Knobs, int C, bool Show, bool Fast>
__global__ void __launch_bounds__(Knobs::value.warps* kLanes, Knobs::value.blocks)
    climbScales(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const __grid_constant__ ToneBand band,
                const __grid_constant__ ColumnPlaces places, const __grid_constant__ ToneWeights argument, ToneState* state) {
    using Rows = GaussianRows<Knobs, Fast>;
    constexpr int R = kColumnOutputsEach, kThreads = Rows::kThreads;
    static_assert(ToneBand::roundedRows(1) % Rows::kRows == 0);
    extern __shared__ __align__(16) float shared[];
    __shared__ BulkArrival arrivals[Rows::kSlots];
    const int thread = static_cast<int>(threadIdx.x), lane = thread % kLanes, warp = uniform(thread / kLanes);
    const auto stripes = static_cast<unsigned>(band.stripes);
    const std::int64_t stripe = blockIdx.x % stripes, column = stripe * kColumnsOfWarp + lane;
    const int ofBlock = static_cast<int>(blockIdx.x / stripes) * Rows::kRows, relative = ofBlock + warp * R;
    const std::int64_t y = band.begin + relative;
    const Rows rows{band, places, shared, arrivals, stripe, thread, ofBlock};
    rows.begin();
    // The constant part of the contrast threshold of each scale, and all weights.
    float* const least = shared + places.others;
    if (thread < setup.scales) least[thread] = setup.epsilon * static_cast<float>(state->sharpening[thread]);
    float* const table = least + kMaximumToneScales;
    if constexpr (!Fast)
        for (int i = thread; i < band.columnWeights; i += kThreads) table[i] = __ldg(band.weights + i);
    const auto weights = [&] {
        if constexpr (Fast) return ArgumentWeights{argument};
        else return SharedWeights{table};
    }();
    ScaleChoice<Show> choice;
    bool goesOn = y < band.end;
    int awaited = 0;
#pragma unroll 1
    for (int g = 0; g < band.count; ++g) {
        // The rows of the Gaussian have arrived, and all warps have finished with those of the previous one, whose slot is free. Stop if
        // all pixels have their scale.
        rows.await(g);
        awaited = g + 1;
        if (uniform(__syncthreads_or(goesOn ? 1 : 0)) == 0) break;
        rows.fetch(g + Rows::kAhead);
        if (uniform(goesOn ? 1 : 0) == 0) continue;
        Column larger;
        const ToneGaussian gaussian = band.gaussians[g];
        if (rows.isStaged(g)) filterColumn(gaussian, weights, shared + places.at[g] + warp * R * kColumnsOfWarp + lane, larger);
        else filterColumn(gaussian, weights, rows.inMemory(g, relative - gaussian.radius - gaussian.lead()) + lane, larger);
        goesOn = choice.compare(g, larger, least, setup.epsilon);
    }
    rows.awaitRest(awaited);
    __syncthreads();
#pragma unroll
    for (int o = 0; o < R; ++o) shared[o * kThreads + thread] = choice.chosen[o];
    __syncwarp();
    unsigned brighter = 0;
    if (y < band.end && column < planes.width)
        brighter = mapChoices<C, Show, kThreads>(planes, setup, *state, shared, stripe, warp, y,
                                                 static_cast<int>(min(std::int64_t{R}, band.end - y)));
    reduceBlock<kThreads>(brighter, [](unsigned& a, unsigned b) { a += b; });
    if (threadIdx.x == 0 && brighter > 0) atomicAdd(&state->brighter, static_cast<unsigned long long>(brighter));
}

/// Layout of the shared memory of climbScales.
struct ColumnLayout {
    ColumnPlaces places{};
    int bytes = 0;
    bool allStaged = false;  ///< no Gaussian is read from global memory
};
/// `others`: floats besides rows.
template <class Knobs>
ColumnLayout columnLayout(const ToneBand& band, int others) {
    constexpr int kRows = Knobs::value.warps * kColumnOutputsEach, kSlots = Knobs::value.slots;
    // Gaussians use the slots in turn. The largest ones stay in global memory if they do not fit.
    constexpr int rowBytes = kColumnsOfWarp * static_cast<int>(sizeof(float));
    const int room = (std::min(maxSharedBytes(), Knobs::value.shared) - 1024) / rowBytes - (others + kColumnsOfWarp - 1) / kColumnsOfWarp;
    ColumnLayout layout;
    int total = 0;
    for (int placed = band.count; placed >= 0; --placed) {
        total = 0;
        for (int slot = 0; slot < kSlots; ++slot) {
            int rows = 0;
            for (int g = slot; g < band.count; g += kSlots) {
                layout.places.at[g] = g < placed ? total * kColumnsOfWarp : -1;
                if (g < placed) rows = std::max(rows, kRows + band.gaussians[g].chunks * kToneChunk);
            }
            total += rows;
        }
        if (total <= room) break;
    }
    layout.places.others = total * kColumnsOfWarp;
    layout.allStaged = layout.places.at[band.count - 1] >= 0;
    // Afterwards the choices use the same memory.
    constexpr int choices = kColumnOutputsEach * Knobs::value.warps * kLanes * static_cast<int>(sizeof(float));
    layout.bytes = std::max(total * rowBytes + others * static_cast<int>(sizeof(float)), choices);
    return layout;
}

template <class Knobs, bool Fast>
void launchColumnsOf(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ColumnLayout& layout,
                     const ToneWeights& argument, const ToneMemory& memory, cudaStream_t stream) {
    constexpr int kRows = Knobs::value.warps * kColumnOutputsEach;
    const auto grid = static_cast<unsigned>(band.stripes * (ToneBand::roundedRows(band.end - band.begin) / kRows));
    forChannels(setup.channels, [&](auto c) {
        const auto launch = [&](auto kernel) {
            allowSharedMemory(reinterpret_cast<const void*>(kernel), layout.bytes);
            kernel<<<grid, Knobs::value.warps * kLanes, static_cast<std::size_t>(layout.bytes), stream>>>(
                planes, setup, band, layout.places, argument, memory.state);
        };
        launch(setup.showScale ? &climbScales<Knobs, c(), true, Fast> : &climbScales<Knobs, c(), false, Fast>);
    });
    checkLaunch("The local operator of tone mapping could not be started");
}

/// `Many`: for weights that do not fit in the argument, or rows that do not fit in shared memory.
template <class Knobs = ColumnKnobs, class Many = ManyColumnKnobs>
void launchColumnsWith(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneWeights& argument,
                       const ToneMemory& memory, cudaStream_t stream) {
    if (const ColumnLayout layout = columnLayout<Knobs>(band, kMaximumToneScales); band.inArgument && layout.allStaged)
        launchColumnsOf<Knobs, true>(planes, setup, band, layout, argument, memory, stream);
    else
        launchColumnsOf<Many, false>(planes, setup, band, columnLayout<Many>(band, kMaximumToneScales + band.columnWeights), argument,
                                     memory, stream);
}

}  // namespace parallax::gpu::tonemap
