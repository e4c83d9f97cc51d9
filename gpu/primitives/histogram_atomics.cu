// SPDX-License-Identifier: GPL-3.0-or-later
// The textbook histogram: all threads add to one array in global memory. Fast enough for many bins and spread values; additions to the same
// bin are serialised.
#include "gpu/primitives/histogram.cuh"

namespace parallax::gpu {
namespace {

__global__ void __launch_bounds__(kTextbookThreads)
    countGlobal(const float* in, std::int64_t n, Count* counts, const HistogramState* state) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kTextbookThreads + threadIdx.x;
    if (i >= n) return;
    const Binning& binning = state->binning;
    const int slot = binning.slot(in[i]);
    if (slot < slotsOf(binning.bins)) atomicAdd(counts + slot, Count{1});
}

}  // namespace

void histogramAtomics(const float* in, std::int64_t n, int, Count* counts, HistogramState* state, cudaStream_t stream) {
    // A launch has at most 2^31 - 1 blocks.
    constexpr std::int64_t most = std::int64_t{1} << 38;
    for (std::int64_t first = 0; first < n; first += most) {
        const std::int64_t part = std::min(most, n - first);
        const auto blocks = static_cast<unsigned>((part + kTextbookThreads - 1) / kTextbookThreads);
        countGlobal<<<blocks, kTextbookThreads, 0, stream>>>(in + first, part, counts, state);
    }
}

void preloadHistogramAtomics() { preload(reinterpret_cast<const void*>(&countGlobal)); }

}  // namespace parallax::gpu
