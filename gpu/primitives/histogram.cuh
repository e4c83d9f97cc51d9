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
