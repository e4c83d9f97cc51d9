// SPDX-License-Identifier: GPL-3.0-or-later
// What histogram.cu asks of the variants, and what they share.
#pragma once

#include "gpu/primitives/histogram.hpp"
#include "gpu/primitives/tuning.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {

/// atomicAdd knows this type for 64 bits, not std::uint64_t.
using Count = unsigned long long;
static_assert(sizeof(Count) == sizeof(std::uint64_t));

/// What the kernels of a histogram find in the workspace.
struct HistogramState {
    Binning binning;
    unsigned nextChunk;
};

/// Fills the state and clears the counts.
void beginHistogram(const HistogramRequest& request, Count* counts, HistogramState* state, cudaStream_t stream);
void preloadBeginHistogram();

void histogramAtomics(const float* in, std::int64_t n, int bins, Count* counts, HistogramState* state, cudaStream_t stream);
void preloadHistogramAtomics();
void histogramPrivatised(const float* in, std::int64_t n, int bins, Count* counts, HistogramState* state, cudaStream_t stream);
void preloadHistogramPrivatised();
std::size_t histogramCubBytes(std::int64_t n, int bins);
void histogramCub(const float* in, std::int64_t n, int bins, Count* counts, HistogramState* state, const Workspace& further,
                  cudaStream_t stream);

/// Counts of a histogram: bins, below, above. Binning::slot() gives this number for what is not counted.
PARALLAX_HOST_DEVICE inline int slotsOf(int bins) { return bins + kHistogramExtraCounts; }

}  // namespace parallax::gpu
