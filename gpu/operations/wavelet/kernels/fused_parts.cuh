// SPDX-License-Identifier: GPL-3.0-or-later
// Parts shared by both directions of the tuned transform.
//
// A block computes a tile along x and y and walks along z. Each step copies the next two input slices (one if z is not transformed) with
// their halo into shared memory, a stage, asynchronously during the steps before. Rows are filtered along x into another array there; then
// each thread filters a column along y and adds the results to its partial sums along z in registers. Each sample is read once except for
// halos, which the level-2 cache holds, each result is written once, and intermediate results stay on the multiprocessor.
#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "gpu/operations/wavelet/kernels/launchers.hpp"
#include "gpu/operations/wavelet/kernels/tuning.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {

/// A sample beyond the border as a sum of samples with integral factors.
struct ExtensionTerms {
    int count;
    int index[3];
    float factor[3];
    /// Whether it is a single sample or 0.
    __device__ bool plain() const { return count == 0 || (count == 1 && factor[0] == 1.0F); }
};

/// Not inlined, since it is long and rarely needed.
static __device__ __noinline__ void findTerms(int i, int n, WaveletMode rule, ExtensionTerms* terms) {
    const Extension<int> e = extendedSample<int>(i, n, rule);
    terms->count = e.count;
    for (int k = 0; k < 3; ++k) {
        terms->index[k] = e.index[k];
        terms->factor[k] = static_cast<float>(e.factor[k]);
    }
}

/// Replaces an offset if there is no sample.
inline constexpr int kNoOffset = -1;

/// Returns the slice of the volume that extends it at z, kNoSlice, or kSumOfSlices (also for a slice with a factor).
inline constexpr int kNoSlice = -1, kSumOfSlices = -2;
static __device__ __noinline__ int sliceOutside(int z, int n, WaveletMode rule) {
    ExtensionTerms terms;
    findTerms(z, n, rule, &terms);
    return terms.count == 0 ? kNoSlice : terms.plain() ? terms.index[0] : kSumOfSlices;
}

/// A tile of a slice with its halo, computed as sums of samples by all threads of a block.
struct SummedTile {
    Strided<const float> in;
    const ExtensionTerms *columnTerms, *rowTerms;
    int columns, rows, pitch, slots;
};
static __device__ __noinline__ void sumTile(const SummedTile& tile, const ExtensionTerms& slice, float* to) {
    for (int slot = static_cast<int>(threadIdx.x); slot < tile.slots; slot += static_cast<int>(blockDim.x)) {
        const int row = slot / tile.pitch, column = slot % tile.pitch;
        float sum = 0;
        if (row < tile.rows && column < tile.columns) {
            const ExtensionTerms &across = tile.columnTerms[column], &down = tile.rowTerms[row];
            for (int w = 0; w < slice.count; ++w)
                for (int v = 0; v < down.count; ++v)
                    for (int u = 0; u < across.count; ++u)
                        sum += slice.factor[w] * down.factor[v] * across.factor[u] *
                               __ldg(tile.in.data + slice.index[w] * tile.in.sliceStride + down.index[v] * tile.in.rowStride +
                                     across.index[u]);
        }
        to[slot] = sum;
    }
}

/// Blocks along x and y, and parts along z.
struct FusedGrid {
    int across = 1, down = 1, chunks = 1, chunk = 1;
    std::int64_t blocks() const { return std::int64_t{across} * down; }
};

/// Returns the number of parts along z, at most `most`, that minimises a cost model: blocks run in waves, and the start of each part costs
/// as much as `start` of the `length` steps.
inline int cheapestParts(std::int64_t tiles, int length, int most, double start, int blocksAtOnce) {
    int best = 1;
    double least = std::numeric_limits<double>::infinity();
    for (int parts = 1; parts <= most; ++parts) {
        const auto waves = static_cast<double>((tiles * parts + blocksAtOnce - 1) / blocksAtOnce);
        const double cost = waves * ((length + parts - 1) / parts + start);
        if (cost < least) least = cost, best = parts;
    }
    return best;
}

/// Each part along z computes `overlap` positions in vain.
inline int fusedChunks(std::int64_t tiles, int positions, int overlap, int blocksAtOnce) {
    constexpr int kMaxChunks = 65535;
    const int best =
        cheapestParts(tiles, positions, std::clamp(positions / kFusedLeastDepth, 1, 64), overlap + kFusedStartSlices, blocksAtOnce);
    // Very deep volumes: limits the work of a block, for which a cancel must wait.
    return std::clamp(std::max(best, positions / 4096), 1, kMaxChunks);
}

inline FusedGrid fusedGrid(int columns, int rows, int positions, const FusedTuning& tuning, int overlap, const FusedLevel& level) {
    FusedGrid g;
    g.across = (columns + tuning.step() - 1) / tuning.step();
    g.down = (rows + tuning.tileRows() - 1) / tuning.tileRows();
    g.chunks = level.chunks > 0 ? std::min(level.chunks, positions)
                                : fusedChunks(g.blocks(), positions, overlap, level.multiprocessors * tuning.blocks);
    if (level.chunks == 0 && level.fills && tuning.overhang == 0) g.chunks = std::max(g.chunks, positions / kFusedDeepest);
    g.chunk = (positions + g.chunks - 1) / g.chunks;
    g.chunks = (positions + g.chunk - 1) / g.chunk;
    return g;
}

/// Calls f.operator()<Taps>() for a number of taps that has unrolled kernels.
template <class F>
bool withFusedTaps(int taps, F&& f) {
    switch (taps) {
        case 2: f.template operator()<2>(); return true;
        case 4: f.template operator()<4>(); return true;
        case 6: f.template operator()<6>(); return true;
        case 8: f.template operator()<8>(); return true;
        case 10: f.template operator()<10>(); return true;
        case 12: f.template operator()<12>(); return true;
        case 16: f.template operator()<16>(); return true;
        default: return false;
    }
}

/// Waits until the previous kernels of the stream are complete. Kernels that may begin earlier (FusedLevel::early) call this before they
/// access memory that those use.
__device__ __forceinline__ void awaitEarlierKernels() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}
/// Lets the next kernel begin, if it may begin early, when all blocks have called this.
__device__ __forceinline__ void admitNextKernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/// Reads `Words` floats from shared memory, in fours.
template <int Words>
__device__ __forceinline__ void readFours(const float* from, float* to) {
#pragma unroll
    for (int w = 0; w < Words; w += 4) {
        const float4 four = *reinterpret_cast<const float4*>(from + w);
        to[w] = four.x, to[w + 1] = four.y, to[w + 2] = four.z, to[w + 3] = four.w;
    }
}

/// Adds the next pair of values along z to the partial sums of a column and returns the sum that is now complete. `partial[a]` contains the
/// first a + 1 of its Kept + 1 pairs. weightsOf(a): the weights of a sum's a-th pair, as float2.
template <int Kept, class Weights>
__device__ __forceinline__ float accumulateAlongZ(Weights&& weightsOf, float* partial, float first, float second) {
    const auto add = [&](int a, float before) { return fmaf(weightsOf(a).y, second, fmaf(weightsOf(a).x, first, before)); };
    const float complete = add(Kept, Kept > 0 ? partial[Kept - 1] : 0.0F);
#pragma unroll
    for (int a = Kept - 1; a >= 0; --a) partial[a] = add(a, a > 0 ? partial[a - 1] : 0.0F);
    return complete;
}

/// The walk of a block along z. fill(stage) starts the copies of the next step; alongX(stage, middle) filters a stage into an intermediate
/// array, alongYZ(middle, step) filters that. `Stage`, `Middle`: words of each.
template <int Stages, bool Overlapped, int Stage, int Middle, class Fill, class AlongX, class AlongYZ>
__device__ __forceinline__ void walkAlongZ(float* stages, float* middles, int steps, Fill&& fill, AlongX&& alongX, AlongYZ&& alongYZ) {
    // Steps before 0 only start copies.
    int filled = 0, filtered = 0;  // next stages
    const auto next = [](int stage) { return stage + 1 < Stages ? stage + 1 : 0; };
#pragma unroll 1
    for (int step = 1 - Stages; step < steps + (Overlapped ? 1 : 0); ++step) {
        __pipeline_wait_prior(Stages - 2);
        // The previous step has been filtered along x, so its stage is free; if Overlapped, the one before that also along y.
        __syncthreads();
        if (step + Stages - 1 < steps) {
            fill(stages + filled * Stage);
            filled = next(filled);
        }
        __pipeline_commit();
        if (step < 0) continue;
        if constexpr (Overlapped) {
            if (step < steps) alongX(stages + filtered * Stage, middles + step % 2 * Middle);
            if (step > 0) alongYZ(middles + (step - 1) % 2 * Middle, step - 1);
        } else {
            alongX(stages + filtered * Stage, middles);
            __syncthreads();
            alongYZ(middles, step);
        }
        filtered = next(filtered);
    }
}

/// Loads a kernel, reserves its shared memory, and returns whether it may begin early.
inline bool prepareFused(const void* kernel, int bytes) {
    constexpr int kCanWait = 90;  // compute capability with programmatic dependent launches
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "A kernel could not be loaded");
    allowSharedMemory(kernel, bytes, "The device has too little shared memory for this filter");
    return attributes.ptxVersion >= kCanWait && attributes.binaryVersion >= kCanWait;
}

/// Enqueues a kernel. `early`: FusedLevel::early.
template <class... Parameters>
void launchFused(void (*kernel)(Parameters...), dim3 blocks, int threads, int sharedBytes, cudaStream_t stream, bool early,
                 const Parameters&... parameters) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = blocks;
    config.blockDim = dim3(static_cast<unsigned>(threads));
    config.dynamicSmemBytes = static_cast<std::size_t>(sharedBytes);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = early ? 1 : 0;
    (void)cudaLaunchKernelEx(&config, kernel, parameters...);
    checkLaunch("A kernel of the wavelet transform could not be started");
}

/// Replaces a kernel that does not exist.
struct NoKernel {
    static constexpr int kSharedBytes = std::numeric_limits<int>::max();
    static bool prepare() { return true; }
    static void launch(const FusedLevel&, cudaStream_t) {}
};
/// The kernels of a direction and a number of taps.
template <class Wide, class Medium, class Compact, class Slices, class ZFirst>
struct FusedKernels {
    static void launch(const FusedLevel& level, cudaStream_t stream) {
        if (!level.alongZ) Slices::launch(level, stream);
        else if (level.kernel == FusedKernel::wide) Wide::launch(level, stream);
        else if (level.kernel == FusedKernel::medium) Medium::launch(level, stream);
        else if (level.kernel == FusedKernel::zFirst) ZFirst::launch(level, stream);
        else Compact::launch(level, stream);
    }
    static FusedAbility prepare(bool alongZ, int sharedBytes) {
        FusedAbility ability;
        if (!alongZ) {
            ability.early = Slices::prepare();
            return ability;
        }
        ability.early = true;
        const auto add = [&]<class Kernel>(FusedKernel which, Kernel) {
            if (Kernel::kSharedBytes > sharedBytes) return;
            ability.has[static_cast<int>(which)] = true;
            ability.early = Kernel::prepare() && ability.early;
        };
        add(FusedKernel::wide, Wide{});
        add(FusedKernel::medium, Medium{});
        add(FusedKernel::compact, Compact{});
        add(FusedKernel::zFirst, ZFirst{});
        return ability;
    }
};

}  // namespace parallax::gpu
