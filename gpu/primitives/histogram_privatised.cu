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

/// Copy c of count s is at s * copies + c, and a lane uses the copy of its index: with 32 copies every lane of a warp has its own bank.
template <bool Aligned>
__global__ void __launch_bounds__(kTuning.threads, kTuning.blocks)
    countShared(const float* __restrict__ in, std::int64_t n, unsigned chunks, int slots, int copies, Count* counts,
                HistogramState* state) {
    extern __shared__ unsigned histogram[];
    const int thread = static_cast<int>(threadIdx.x);
    for (int i = thread; i < (slots + 1) * copies; i += kTuning.threads) histogram[i] = 0;
    __syncthreads();
    const Binning binning = state->binning;
    unsigned* const mine = histogram + (thread & (copies - 1));
    // An extra slot takes what is not counted, which is cheaper than a branch.
    takeChunks<Aligned>(in, n, chunks, state, [&](float x) { atomicAdd(mine + binning.slot(x) * copies, 1U); });
    for (int slot = thread; slot < slots; slot += kTuning.threads) {
        unsigned sum = 0;
        for (int c = 0; c < copies; ++c) sum += histogram[slot * copies + ((c + thread) & (copies - 1))];  // lanes begin in different banks
        if (sum > 0) atomicAdd(counts + slot, static_cast<Count>(sum));
    }
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

/// Returns the number of copies of the histogram in a block, a power of 2.
int copiesFor(int slots) {
    int copies = kTuning.copies;
    while (copies > 1 && (slots + 1) * copies * static_cast<int>(sizeof(unsigned)) > kTuning.sharedBytes) copies /= 2;
    return copies;
}

int sharedMemoryOfABlock() {
    int device = 0, bytes = 0;
    check(cudaGetDevice(&device), "The current CUDA device could not be queried");
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "A property of the device could not be read");
    return bytes;
}

int multiprocessors() {
    int device = 0;
    check(cudaGetDevice(&device), "The current CUDA device could not be queried");
    return deviceLimits(device).multiprocessors;
}

template <bool Aligned>
void launch(const float* in, std::int64_t n, int slots, Count* counts, HistogramState* state, cudaStream_t stream) {
    const auto chunks = static_cast<unsigned>((n + kTuning.step() - 1) / kTuning.step());
    // Counters of a block are 32 bits wide.
    const std::int64_t wanted = std::max<std::int64_t>(std::int64_t{kTuning.blocks} * multiprocessors(), (n >> 31) + 1);
    const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(chunks, wanted));
    constexpr std::int64_t chunkBytes = 64;  // of takeChunks()
    const int copies = copiesFor(slots);
    const std::int64_t bytes = std::int64_t{slots + 1} * copies * static_cast<std::int64_t>(sizeof(unsigned));
    if (bytes + chunkBytes > kDefaultSharedBytes && bytes + chunkBytes > sharedMemoryOfABlock()) {
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
    for (const void* kernel : {reinterpret_cast<const void*>(&countShared<true>), reinterpret_cast<const void*>(&countShared<false>),
                               reinterpret_cast<const void*>(&countByGroups<true>), reinterpret_cast<const void*>(&countByGroups<false>)})
        preload(kernel);
}

}  // namespace parallax::gpu
