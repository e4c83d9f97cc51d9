// SPDX-License-Identifier: GPL-3.0-or-later
// The variants of the histogram, and what they share.
#pragma once

#include "gpu/primitives/histogram.hpp"
#include "gpu/primitives/tuning.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {

/// The 64-bit type of atomicAdd.
using Count = unsigned long long;
static_assert(sizeof(Count) == sizeof(std::uint64_t));

/// The workspace of the kernels.
struct HistogramState {
    Binning binning;
    unsigned nextChunk;
};

/// Histograms in the shared memory of a block: `slots` counts and an extra one for what is not counted, which is cheaper than a branch.
/// Copy c of count s is at s * copies + c, and a lane uses the copy of its index: with 32 copies every lane of a warp has its own bank.
/// All threads of the block call each function.
struct PrivateCounts {
    unsigned* memory;
    int slots, copies;
    __device__ __forceinline__ void clear(int thread, int threads) const {
        for (int i = thread; i < (slots + 1) * copies; i += threads) memory[i] = 0;
        __syncthreads();
    }
    __device__ __forceinline__ unsigned* ofThread(int thread) const { return memory + (thread & (copies - 1)); }
    /// Adds the counts to those of the whole array, after a barrier.
    __device__ __forceinline__ void addTo(Count* counts, int thread, int threads) const {
        for (int slot = thread; slot < slots; slot += threads) {
            unsigned sum = 0;
            for (int c = 0; c < copies; ++c)
                sum += memory[slot * copies + ((c + thread) & (copies - 1))];  // lanes begin in different banks
            if (sum > 0) atomicAdd(counts + slot, static_cast<Count>(sum));
        }
    }
};

/// Initialises the state and clears the counts.
void beginHistogram(const HistogramRequest& request, Count* counts, HistogramState* state, cudaStream_t stream);
void preloadBeginHistogram();

void histogramAtomics(const float* in, std::int64_t n, int bins, Count* counts, HistogramState* state, cudaStream_t stream);
void preloadHistogramAtomics();
void histogramPrivatised(const float* in, std::int64_t n, int bins, Count* counts, HistogramState* state, cudaStream_t stream);
void preloadHistogramPrivatised();
std::size_t histogramCubBytes(std::int64_t n, int bins);
void histogramCub(const float* in, std::int64_t n, int bins, Count* counts, HistogramState* state, const Workspace& further,
                  cudaStream_t stream);

/// Counts of a histogram: bins, below, above. Binning::slot() returns this number for NaN.
PARALLAX_HOST_DEVICE inline int slotsOf(int bins) { return bins + kHistogramExtraCounts; }

}  // namespace parallax::gpu
