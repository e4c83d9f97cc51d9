// SPDX-License-Identifier: GPL-3.0-or-later
// Moments, order statistics and thresholds of wavelet coefficients, for wavelet-denoise and wavelet-compress.
#include "gpu/operations/wavelet/kernels/box_rows.cuh"
#include "gpu/primitives/reduction_parts.cuh"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

constexpr unsigned kMagnitude = 0x7fffffff;
constexpr unsigned kInfinityBits = 0x7f800000;
constexpr int kAllBits = 31;  // of a magnitude

static_assert(kSelectionBits[0] + kSelectionBits[1] + kSelectionBits[2] == kAllBits);
/// Buckets of the first digit from here on contain infinities and NaN.
constexpr int kFiniteBuckets = static_cast<int>(kInfinityBits >> (kAllBits - kSelectionBits[0]));
constexpr unsigned kNoRank = 0xFFFFFFFFU;

__device__ void addMoments(BandMoments& a, const BandMoments& b) {
    a.squares += b.squares;
    a.finite += b.finite;
    a.largest = fmaxf(a.largest, b.largest);
}

/// Sums in an order that depends on the sizes alone.
__global__ void __launch_bounds__(kBoxThreads)
    momentPartsKernel(const Strided<const float> mosaic, const BandBox* boxes, BandMoments* partial) {
    BandMoments mine{0, 0, 0, 0};
    forBoxSamples(mosaic, boxes[blockIdx.y], [&](const float* sample) {
        const float magnitude = fabsf(*sample);
        if (!isFinite(magnitude)) return;
        mine.squares += static_cast<double>(magnitude) * static_cast<double>(magnitude);
        ++mine.finite;
        mine.largest = fmaxf(mine.largest, magnitude);
    });
    reduceBlock<kBoxThreads>(mine, [](BandMoments& a, const BandMoments& b) { addMoments(a, b); });
    if (threadIdx.x == 0) partial[blockIdx.y * gridDim.x + blockIdx.x] = mine;
}

__global__ void __launch_bounds__(kBoxThreads) momentsKernel(const BandMoments* partial, int parts, BandMoments* moments) {
    BandMoments mine{0, 0, 0, 0};
    for (int i = static_cast<int>(threadIdx.x); i < parts; i += kBoxThreads) addMoments(mine, partial[blockIdx.x * parts + i]);
    reduceBlock<kBoxThreads>(mine, [](BandMoments& a, const BandMoments& b) { addMoments(a, b); });
    if (threadIdx.x == 0) moments[blockIdx.x] = mine;
}

/// Counts the next `bits` bits, with `below` bits after them, of samples above `above` whose higher bits are those of a rank.
__global__ void __launch_bounds__(kBoxThreads) countBitsKernel(const Strided<const float> mosaic, const BandBox* boxes, float above,
                                                               int digit, int bits, int below, SelectionState* state) {
    __shared__ unsigned counts[2][kSelectionBuckets];
    for (int i = static_cast<int>(threadIdx.x); i < 2 * kSelectionBuckets; i += kBoxThreads)
        counts[i / kSelectionBuckets][i % kSelectionBuckets] = 0;
    __syncthreads();
    const unsigned prefix[2] = {state->prefix[0], state->prefix[1]}, mask = (1U << bits) - 1U;
    const bool same = digit == 0 || prefix[0] == prefix[1];
    forBoxSamples(mosaic, boxes[blockIdx.y], [&](const float* sample) {
        if (fabsf(*sample) <= above) return;
        const unsigned value = bitsOf(*sample) & kMagnitude;
        const unsigned higher = digit == 0 ? 0U : value >> (below + bits), bucket = (value >> below) & mask;
        if (digit == 0 || higher == prefix[0]) atomicAdd(&counts[0][bucket], 1U);
        if (!same && higher == prefix[1]) atomicAdd(&counts[1][bucket], 1U);
    });
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < kSelectionBuckets; i += kBoxThreads)
        for (int r = 0; r < 2; ++r) {
            const unsigned count = counts[same ? 0 : r][i];
            if (count > 0) atomicAdd(&state->buckets[r][i], static_cast<unsigned long long>(count));
        }
}

/// Finds the buckets of both ranks and prepares the next digit. One block.
__global__ void __launch_bounds__(kBoxThreads)
    findBucketsKernel(int digit, int bits, SelectedRanks ranks, std::int64_t kept, SelectionState* state) {
    constexpr int kEach = kSelectionBuckets / kBoxThreads;
    __shared__ unsigned long long sums[kBoxThreads];
    const int thread = static_cast<int>(threadIdx.x);
    for (int r = 0; r < 2; ++r) {
        unsigned long long own[kEach], sum = 0;
        for (int i = 0; i < kEach; ++i) {
            const int bucket = thread * kEach + i;
            own[i] = digit == 0 && bucket >= kFiniteBuckets ? 0ULL : state->buckets[r][bucket];
            sum += own[i];
        }
        sums[thread] = sum;
        __syncthreads();
        // Inclusive prefix sum over the threads (Hillis and Steele).
        for (int distance = 1; distance < kBoxThreads; distance *= 2) {
            const unsigned long long before = thread >= distance ? sums[thread - distance] : 0ULL;
            __syncthreads();
            sums[thread] += before;
            __syncthreads();
        }
        const unsigned long long all = sums[kBoxThreads - 1];
        unsigned long long rank = state->rank[r];
        unsigned prefix = state->prefix[r];
        if (digit == 0) {
            const auto most = static_cast<unsigned long long>(kept) < all ? static_cast<unsigned long long>(kept) : all;
            rank = ranks == SelectedRanks::largest ? all - most : r == 0 ? (all - 1) / 2 : all / 2;
            if (all == 0 || (ranks == SelectedRanks::largest && kept == 0)) prefix = kNoRank;
        }
        const unsigned long long end = sums[thread];
        unsigned long long begin = end - sum;
        __syncthreads();  // the memory read above is written below
        if (prefix != kNoRank && rank >= begin && rank < end) {
            int bucket = thread * kEach;
            for (int i = 0; rank >= begin + own[i]; ++i, ++bucket) begin += own[i];
            state->prefix[r] = prefix << bits | static_cast<unsigned>(bucket);
            state->rank[r] = rank - begin;
        }
        if (thread == 0) {
            if (prefix == kNoRank) state->prefix[r] = kNoRank;
            if (digit == 0 && r == 0) state->result.finite = static_cast<std::int64_t>(all);
        }
        for (int i = 0; i < kEach; ++i) state->buckets[r][thread * kEach + i] = 0;
        __syncthreads();
    }
    if (digit == kSelectionDigits - 1 && thread == 0) {
        // Without a rank, all bits are set, which no finite magnitude has.
        state->result.low = state->prefix[0] == kNoRank ? 0.0F : floatOf(state->prefix[0]);
        state->result.high = state->prefix[1] == kNoRank ? 0.0F : floatOf(state->prefix[1]);
    }
}

__global__ void __launch_bounds__(kBoxThreads)
    shrinkKernel(const Strided<float> mosaic, const BandBox* boxes, const BandThreshold* thresholds, const Shrinkage shrinkage,
                 ShrinkCounts* counts) {
    const BandThreshold t = thresholds[blockIdx.y];
    ShrinkCounts mine{0, 0};
    forBoxSamples(mosaic, boxes[blockIdx.y], [&](float* sample) {
        const float d = *sample, magnitude = fabsf(d), result = shrunk(d, t.threshold, shrinkage);
        mine.zero += result == 0.0F;
        mine.ambiguous += isFinite(d) && magnitude >= t.from && magnitude <= t.to;
        if (bitsOf(result) != bitsOf(d)) *sample = result;
    });
    reduceBlock<kBoxThreads>(mine, [](ShrinkCounts& a, const ShrinkCounts& b) {
        a.zero += b.zero;
        a.ambiguous += b.ambiguous;
    });
    if (threadIdx.x != 0) return;
    if (mine.zero > 0) atomicAdd(&counts->zero, mine.zero);
    if (mine.ambiguous > 0) atomicAdd(&counts->ambiguous, mine.ambiguous);
}

__global__ void keepThresholdKernel(const Selected* selected, std::int64_t kept, double slack, double relative, BandThreshold* thresholds,
                                    int count) {
    const std::int64_t wanted = kept < selected->finite ? kept : selected->finite;
    BandThreshold t;
    t.threshold = kInfinity;
    if (wanted > 0) {
        t.threshold = keptFrom(selected->low);
        if (wanted < selected->finite) {
            const double around = slack + relative * static_cast<double>(selected->low);
            t.from = static_cast<float>(static_cast<double>(t.threshold) - around);
            t.to = static_cast<float>(static_cast<double>(t.threshold) + around);
        }
    }
    for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) thresholds[i] = t;
}

}  // namespace

void launchMoments(const Strided<const float>& mosaic, const BandBoxes& boxes, BandMoments* partial, BandMoments* moments,
                   cudaStream_t stream) {
    if (boxes.count == 0) return;
    momentPartsKernel<<<gridOf(boxes), kBoxThreads, 0, stream>>>(mosaic, boxes.data, partial);
    checkLaunch("Statistics of wavelet coefficients could not be started");
    momentsKernel<<<static_cast<unsigned>(boxes.count), kBoxThreads, 0, stream>>>(partial, boxes.blocks, moments);
    checkLaunch("Statistics of wavelet coefficients could not be started");
}

void startSelection(SelectionState* state, cudaStream_t stream) {
    check(cudaMemsetAsync(state, 0, sizeof(SelectionState), stream), "Device memory could not be cleared");
}

void launchCount(const Strided<const float>& mosaic, const BandBoxes& boxes, float above, int digit, SelectionState* state,
                 cudaStream_t stream) {
    if (boxes.count == 0) return;
    int below = kAllBits;
    for (int d = 0; d <= digit; ++d) below -= kSelectionBits[d];
    countBitsKernel<<<gridOf(boxes), kBoxThreads, 0, stream>>>(mosaic, boxes.data, above, digit, kSelectionBits[digit], below, state);
    checkLaunch("The selection among wavelet coefficients could not be started");
}

void launchFind(int digit, SelectedRanks ranks, std::int64_t kept, SelectionState* state, cudaStream_t stream) {
    findBucketsKernel<<<1, kBoxThreads, 0, stream>>>(digit, kSelectionBits[digit], ranks, kept, state);
    checkLaunch("The selection among wavelet coefficients could not be started");
}

void launchSelection(const Strided<const float>& mosaic, const BandBoxes& boxes, SelectedRanks ranks, float above, std::int64_t kept,
                     SelectionState* state, cudaStream_t stream) {
    startSelection(state, stream);
    for (int digit = 0; digit < kSelectionDigits; ++digit) {
        launchCount(mosaic, boxes, above, digit, state, stream);
        launchFind(digit, ranks, kept, state, stream);
    }
}

void launchShrink(const Strided<float>& mosaic, const BandBoxes& boxes, const BandThreshold* thresholds, const Shrinkage& shrinkage,
                  ShrinkCounts* counts, cudaStream_t stream) {
    if (boxes.count == 0) return;
    shrinkKernel<<<gridOf(boxes), kBoxThreads, 0, stream>>>(mosaic, boxes.data, thresholds, shrinkage, counts);
    checkLaunch("Wavelet coefficients could not be thresholded");
}

void launchKeepThreshold(const Selected* selected, std::int64_t kept, double slack, double relative, BandThreshold* thresholds, int count,
                         cudaStream_t stream) {
    keepThresholdKernel<<<1, kBoxThreads, 0, stream>>>(selected, kept, slack, relative, thresholds, count);
    checkLaunch("Wavelet coefficients could not be thresholded");
}

void preloadStatistics() {
    preload(reinterpret_cast<const void*>(&momentPartsKernel));
    preload(reinterpret_cast<const void*>(&momentsKernel));
    preload(reinterpret_cast<const void*>(&countBitsKernel));
    preload(reinterpret_cast<const void*>(&findBucketsKernel));
    preload(reinterpret_cast<const void*>(&shrinkKernel));
    preload(reinterpret_cast<const void*>(&keepThresholdKernel));
}

}  // namespace parallax::gpu
