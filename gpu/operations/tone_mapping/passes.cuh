// SPDX-License-Identifier: GPL-3.0-or-later
// The passes over all pixels, with tuning parameters as template arguments. Blocks take the tiles of the image in turn.
#pragma once

#include "gpu/operations/tone_mapping/launchers.hpp"
#include "gpu/operations/tone_mapping/pixel.hpp"
#include "gpu/primitives/reduction_parts.cuh"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu::tonemap {

struct StatisticsKnobs {
    static constexpr ToneMapTuning value = kToneStatisticsTuning;
};
struct MapKnobs {
    static constexpr ToneMapTuning value = kToneMapTuning;
};

/// Tiles of rows; a block takes one at a time.
struct Tiles {
    std::int64_t each;  ///< per row
    unsigned count;
    PARALLAX_HOST_DEVICE static Tiles of(const TonePlanes& p, const ToneMapTuning& tuning) {
        const std::int64_t each = (p.width + tuning.step() - 1) / tuning.step();
        return {each, static_cast<unsigned>(each * p.height)};
    }
};

__device__ __forceinline__ float& lane(float4& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w; }

/// `most`: pixels from the thread's first one to the end of a padded row, whose last vector reaches into the padding.
template <int C, int Vectors, int Threads>
struct Tile {
    static constexpr int kWhole = 4 * Threads * Vectors;
    float4 v[Vectors][C];
    /// All loads are in flight before the first is used.
    __device__ __forceinline__ void load(const TonePlanes& p, std::int64_t at, int most = kWhole) {
        at += 4 * static_cast<int>(threadIdx.x);
        if (p.aligned) {
#pragma unroll
            for (int k = 0; k < Vectors; ++k)
#pragma unroll
                for (int c = 0; c < C; ++c) v[k][c] = 4 * Threads * k < most ? loadVector<true>(p.in[c] + at + 4 * Threads * k) : float4{};
        } else {
#pragma unroll
            for (int k = 0; k < Vectors; ++k)
#pragma unroll
                for (int c = 0; c < C; ++c) v[k][c] = loadVector<false>(p.in[c] + at + 4 * Threads * k);
        }
    }
    /// Streaming store: the result is not read again soon.
    __device__ __forceinline__ void store(const TonePlanes& p, std::int64_t at, int most = kWhole) const {
        at += 4 * static_cast<int>(threadIdx.x);
#pragma unroll
        for (int k = 0; k < Vectors; ++k)
#pragma unroll
            for (int c = 0; c < C; ++c) {
                if (4 * Threads * k >= most) break;
                float* const to = p.out[c] + at + 4 * Threads * k;
                const float4 mine = v[k][c];
                if (p.aligned) {
                    __stcs(reinterpret_cast<float4*>(to), mine);
                } else {
                    __stcs(to, mine.x);
                    __stcs(to + 1, mine.y);
                    __stcs(to + 2, mine.z);
                    __stcs(to + 3, mine.w);
                }
            }
    }
    /// Calls body(samples) for each pixel; it may change them.
    template <class Body>
    __device__ __forceinline__ void forPixels(const Body& body, int most = kWhole) {
#pragma unroll
        for (int k = 0; k < Vectors; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                if (4 * Threads * k + i >= most) break;
                float samples[C];
#pragma unroll
                for (int c = 0; c < C; ++c) samples[c] = lane(v[k][c], i);
                body(samples);
#pragma unroll
                for (int c = 0; c < C; ++c) lane(v[k][c], i) = samples[c];
            }
    }
};

/// Calls body(samples) for every pixel of the block's tiles and, if Store, writes the samples encoded. Calls `settle` after each tile.
template <class Knobs, int C, bool Store, class Body, class Settle>
__device__ __forceinline__ void forBlock(const TonePlanes& p, const ToneCoding& coding, bool backwards, const Body& body,
                                         const Settle& settle) {
    constexpr ToneMapTuning tuning = Knobs::value;
    const Tiles tiles = Tiles::of(p, tuning);
    for (unsigned turn = blockIdx.x; turn < tiles.count; turn += gridDim.x) {
        const unsigned tile = backwards ? tiles.count - 1 - turn : turn;
        const std::int64_t row = p.height == 1 ? 0 : tile / tiles.each;
        const std::int64_t first = (tile - row * tiles.each) * tuning.step();
        const std::int64_t from = row * p.inRowStride + first, to = row * p.outRowStride + first;
        if (first + tuning.step() <= p.width) {
            Tile<C, tuning.vectors, tuning.threads> mine;
            mine.load(p, from);
            mine.forPixels(body);
            if constexpr (Store) {
                // A separate loop, which keeps the code of the encoding out of the path without one.
                if (!coding.linear) mine.forPixels([&](float(&samples)[C]) { encode(samples, coding); });
                mine.store(p, to);
            }
        } else if (p.padded) {
            const int most = static_cast<int>(p.width - first) - 4 * static_cast<int>(threadIdx.x);
            Tile<C, tuning.vectors, tuning.threads> mine;
            mine.load(p, from, most);
            mine.forPixels(body, most);
            if constexpr (Store) {
                if (!coding.linear) mine.forPixels([&](float(&samples)[C]) { encode(samples, coding); }, most);
                mine.store(p, to, most);
            }
        } else {
            for (std::int64_t i = threadIdx.x; i < p.width - first; i += tuning.threads) {
                float samples[C];
#pragma unroll
                for (int c = 0; c < C; ++c) samples[c] = p.in[c][from + i];
                body(samples);
                if constexpr (Store) {
                    if (!coding.linear) encode(samples, coding);
#pragma unroll
                    for (int c = 0; c < C; ++c) p.out[c][to + i] = samples[c];
                }
            }
        }
        settle();
    }
}

/// Combines one part of each block in a fixed order, in the last block to end, and returns true there.
template <int Threads>
__device__ __forceinline__ bool combineParts(TonePart& mine, TonePart* parts, unsigned* ticket) {
    if (threadIdx.x == 0) parts[blockIdx.x] = mine;
    if (!isLastBlock(ticket, gridDim.x)) return false;
    mine = TonePart();
    for (unsigned i = threadIdx.x; i < gridDim.x; i += Threads) mine.merge(loadFromOthers(parts + i));
    reduceBlock<Threads>(mine, [](TonePart& a, const TonePart& b) { a.merge(b); });
    return true;
}

template <class Knobs, class Mine, int C>
__global__ void __launch_bounds__(Knobs::value.threads, Knobs::value.blocks)
    gatherStatistics(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const ToneMemory memory,
                     bool backwards) {
    constexpr int threads = Knobs::value.threads;
    static_assert(Knobs::value.vectors * 4 <= LogarithmProduct::kMaxAdds);
    const Numbers numbers(*memory.state, setup);
    Mine mine;
    forBlock<Knobs, C, false>(
        planes, setup.coding, backwards, [&](float(&samples)[C]) { mine.add(samples, setup, numbers); }, [&] { mine.settle(); });
    reduceBlock<threads>(mine, [](Mine& a, const Mine& b) { a.merge(b); });
    TonePart part = threadIdx.x == 0 ? mine.part() : TonePart();
    if (!combineParts<threads>(part, memory.parts, memory.ticket)) return;
    if (threadIdx.x == 0) {
        if (memory.continues) {
            TonePart all = *memory.total;
            all.merge(part);
            part = all;
        }
        if (memory.total) *memory.total = part;
        concludePass(Mine::kPass, setup, part, *memory.state);
    }
    if (setup.op == ToneOperator::histogram)
        for (int i = static_cast<int>(threadIdx.x); i < setup.bins + kHistogramExtraCounts; i += threads) memory.counts[i] = 0;
}

template <class Knobs, class Map, int C>
__global__ void __launch_bounds__(Knobs::value.threads, Knobs::value.blocks)
    mapPixels(const __grid_constant__ TonePlanes planes, const __grid_constant__ ToneSetup setup, const ToneMemory memory, bool backwards) {
    const Numbers numbers(*memory.state, setup);
    const Map map;
    unsigned brighter = 0;
    forBlock<Knobs, C, true>(
        planes, setup.coding, backwards, [&](float(&samples)[C]) { brighter += map(samples, setup, numbers, memory.cumulative) ? 1U : 0U; },
        [] {});
    reduceBlock<Knobs::value.threads>(brighter, [](unsigned& a, unsigned b) { a += b; });
    // Integers: the order does not matter.
    if (threadIdx.x == 0 && brighter > 0) atomicAdd(&memory.state->brighter, static_cast<unsigned long long>(brighter));
}

/// Calls f with the number of channels as a compile-time constant.
template <class F>
void forChannels(int channels, const F& f) {
    switch (channels) {
        case 1: f(std::integral_constant<int, 1>()); break;
        case 2: f(std::integral_constant<int, 2>()); break;
        default: f(std::integral_constant<int, 3>()); break;
    }
}

inline unsigned gridOf(const TonePlanes& planes, int multiprocessors, const ToneMapTuning& tuning) {
    return std::min(Tiles::of(planes, tuning).count,
                    static_cast<unsigned>(toneBlocks(planes.width * planes.height, multiprocessors, tuning)));
}

/// Calls f.operator()<Statistics, C>() for a pass.
template <class F>
void withStatistics(TonePass pass, int channels, const F& f) {
    forChannels(channels, [&](auto c) {
        constexpr int C = c();
        switch (pass) {
            case TonePass::luminance: return f.template operator()<RunningLuminance<C>, C>();
            case TonePass::samples: return f.template operator()<RunningSamples<C>, C>();
            case TonePass::scaled: return f.template operator()<RunningScaled<C>, C>();
            case TonePass::mapped: return f.template operator()<RunningMapped<C>, C>();
        }
    });
}
/// Calls f.operator()<Map, C>() for an operator, except the local one and the gradient operator, which have their own passes.
template <class F>
void withMap(ToneOperator op, int channels, const F& f) {
    forChannels(channels, [&](auto c) {
        constexpr int C = c();
        switch (op) {
            case ToneOperator::local:
            case ToneOperator::gradient: return;
            case ToneOperator::global: return f.template operator()<MapGlobal, C>();
            case ToneOperator::photoreceptor: return f.template operator()<MapPhotoreceptor, C>();
            case ToneOperator::histogram: return f.template operator()<MapHistogram, C>();
        }
    });
}

template <class Knobs = StatisticsKnobs>
void launchPassWith(TonePass pass, const TonePlanes& given, const ToneSetup& setup, const ToneMemory& memory, int multiprocessors,
                    bool backwards, cudaStream_t stream) {
    const TonePlanes planes = flattened(given);
    const unsigned grid = gridOf(planes, multiprocessors, Knobs::value);
    withStatistics(pass, setup.channels, [&]<class Mine, int C>() {
        gatherStatistics<Knobs, Mine, C><<<grid, Knobs::value.threads, 0, stream>>>(planes, setup, memory, backwards);
    });
    checkLaunch("The statistics of tone mapping could not be started");
}

template <class Knobs = MapKnobs>
void launchMappingWith(const TonePlanes& given, const ToneSetup& setup, const ToneMemory& memory, int multiprocessors, bool backwards,
                       cudaStream_t stream) {
    const TonePlanes planes = flattened(given);
    const unsigned grid = gridOf(planes, multiprocessors, Knobs::value);
    withMap(setup.op, setup.channels, [&]<class Map, int C>() {
        mapPixels<Knobs, Map, C><<<grid, Knobs::value.threads, 0, stream>>>(planes, setup, memory, backwards);
    });
    checkLaunch("Tone mapping could not be started");
}

}  // namespace parallax::gpu::tonemap
