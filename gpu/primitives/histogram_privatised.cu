// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned histogram: each block counts in shared memory and adds its counts to the result at the end.
#include "gpu/primitives/histogram.cuh"
#include "gpu/primitives/reduction_parts.cuh"
#include "gpu/runtime/device.hpp"

namespace parallax::gpu {
namespace {

constexpr HistogramTuning kTuning = kHistogramTuning;
constexpr float kNotCounted = std::numeric_limits<float>::quiet_NaN();

/// Calls take(element) for the elements of this block's chunks: the first chunk is that of its index, others are assigned dynamically.
template <bool Aligned, class Take>
__device__ __forceinline__ void takeChunks(const float* __restrict__ in, std::int64_t n, unsigned chunks, HistogramState* state,
                                           const Take& take) {
    __shared__ unsigned next[2];
    int turn = 0;
    for (unsigned chunk = blockIdx.x; chunk < chunks; turn ^= 1) {
        unsigned asked = 0;
        // Requested before the loads, needed after them.
        if (threadIdx.x == 0) asked = atomicAdd(&state->nextChunk, 1U);
        std::int64_t i = static_cast<std::int64_t>(chunk) * kTuning.step();
        if (i + kTuning.step() <= n) {
            float4 v[kTuning.vectors];
#pragma unroll
            for (int k = 0; k < kTuning.vectors; ++k)
                v[k] = loadVector<Aligned>(in + i + 4 * (k * kTuning.threads + static_cast<int>(threadIdx.x)));
#pragma unroll
            for (int k = 0; k < kTuning.vectors; ++k) {
                take(v[k].x);
                take(v[k].y);
                take(v[k].z);
                take(v[k].w);
            }
        } else {
            // All lanes of a warp take part in each turn, some with NaN, which is not counted.
            for (; i < n; i += kTuning.threads) {
                const std::int64_t own = i + threadIdx.x;
                take(own < n ? in[own] : kNotCounted);
            }
        }
        if (threadIdx.x == 0) next[turn] = gridDim.x + asked;
        __syncthreads();
        chunk = next[turn];  // overwritten two barriers later
    }
}

template <bool Aligned>
__global__ void __launch_bounds__(kTuning.threads, kTuning.blocks)
    countShared(const float* __restrict__ in, std::int64_t n, unsigned chunks, int slots, int copies, Count* counts,
                HistogramState* state) {
    extern __shared__ unsigned histogram[];
    const int thread = static_cast<int>(threadIdx.x);
    const PrivateCounts own{histogram, slots, copies};
    own.clear(thread, kTuning.threads);
    const Binning binning = state->binning;
    unsigned* const mine = own.ofThread(thread);
    takeChunks<Aligned>(in, n, chunks, state, [&](float x) { atomicAdd(mine + binning.slot(x) * copies, 1U); });
    own.addTo(counts, thread, kTuning.threads);
}

/// For more bins than fit in shared memory: lanes of a warp with the same bin make a single addition.
template <bool Aligned>
__global__ void __launch_bounds__(kTuning.threads, kTuning.blocks)
    countByGroups(const float* __restrict__ in, std::int64_t n, unsigned chunks, int slots, Count* counts, HistogramState* state) {
    const Binning binning = state->binning;
    const unsigned lane = threadIdx.x % kLanes;
    takeChunks<Aligned>(in, n, chunks, state, [&](float x) {
        const int slot = binning.slot(x);
        const unsigned group = __match_any_sync(kAllLanes, slot);
        if (slot < slots && lane == static_cast<unsigned>(__ffs(static_cast<int>(group)) - 1))
            atomicAdd(counts + slot, static_cast<Count>(__popc(group)));
    });
}

int currentDevice() {
    int device = 0;
    check(cudaGetDevice(&device), "The current CUDA device could not be queried");
    return device;
}

template <bool Aligned>
void launch(const float* in, std::int64_t n, int slots, Count* counts, HistogramState* state, cudaStream_t stream) {
    const auto chunks = static_cast<unsigned>((n + kTuning.step() - 1) / kTuning.step());
    // Counters of a block are 32 bits wide.
    const std::int64_t wanted =
        std::max<std::int64_t>(std::int64_t{kTuning.blocks} * deviceLimits(currentDevice()).multiprocessors, (n >> 31) + 1);
    const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(chunks, wanted));
    constexpr std::int64_t chunkBytes = 64;  // of takeChunks()
    const int copies = histogramCopies(slots + 1);
    const std::int64_t bytes = std::int64_t{slots + 1} * copies * static_cast<std::int64_t>(sizeof(unsigned));
    if (bytes + chunkBytes > kDefaultSharedBytes && bytes + chunkBytes > maxSharedBytes()) {
        countByGroups<Aligned><<<blocks, kTuning.threads, 0, stream>>>(in, n, chunks, slots, counts, state);
        return;
    }
    if (bytes + chunkBytes > kDefaultSharedBytes)
        check(cudaFuncSetAttribute(&countShared<Aligned>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
              "Shared memory could not be reserved");
    countShared<Aligned><<<blocks, kTuning.threads, static_cast<std::size_t>(bytes), stream>>>(in, n, chunks, slots, copies, counts, state);
}

}  // namespace

void histogramPrivatised(const float* in, std::int64_t n, int bins, Count* counts, HistogramState* state, cudaStream_t stream) {
    if (isAligned(in)) launch<true>(in, n, slotsOf(bins), counts, state, stream);
    else launch<false>(in, n, slotsOf(bins), counts, state, stream);
}

void preloadHistogramPrivatised() {
    preload(&countShared<true>);
    preload(&countShared<false>);
    preload(&countByGroups<true>);
    preload(&countByGroups<false>);
}

}  // namespace parallax::gpu
