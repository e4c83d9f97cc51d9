// SPDX-License-Identifier: GPL-3.0-or-later
// CUB's histogram of floats excludes the upper limit and values outside. Here it counts bin indices, including the two extra counts, so
// that all variants agree.
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_histogram.cuh>

#include <limits>

#include "gpu/primitives/histogram.cuh"

namespace parallax::gpu {
namespace {

struct Slot {
    const HistogramState* state;
    __device__ int operator()(float x) const {
        const Binning* const b = &state->binning;  // __ldg: the compiler cannot know that it is constant
        return Binning{__ldg(&b->low), __ldg(&b->high), __ldg(&b->scale), __ldg(&b->lastBin), __ldg(&b->bins)}.slot(x);
    }
};

template <class Counter>
void histogramEven(void* memory, std::size_t& bytes, const float* in, std::int64_t n, int bins, Counter* counts,
                   const HistogramState* state, cudaStream_t stream) {
    const int slots = slotsOf(bins);
    const auto samples = thrust::transform_iterator<Slot, const float*, int, int>(in, Slot{state});
    check(cub::DeviceHistogram::HistogramEven(memory, bytes, samples, counts, slots + 1, 0, slots, n, stream), "A histogram by CUB failed");
}

__global__ void widen(const unsigned* from, Count* to, int slots) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < slots) to[i] = from[i];
}

/// CUB counts in shared memory with the counter's type, and 64-bit additions are slow there.
bool narrow(std::int64_t n) { return n <= std::int64_t{std::numeric_limits<unsigned>::max()}; }

struct Parts {
    unsigned* counts;
    unsigned char* ofCub;
    std::size_t cubBytes = 0, bytes;
    Parts(const Workspace& workspace, std::int64_t n, int bins) {
        if (narrow(n)) histogramEven<unsigned>(nullptr, cubBytes, nullptr, n, bins, nullptr, nullptr, nullptr);
        else histogramEven<Count>(nullptr, cubBytes, nullptr, n, bins, nullptr, nullptr, nullptr);
        WorkspaceLayout layout(workspace);
        counts = layout.take<unsigned>(narrow(n) ? slotsOf(bins) : 0);
        ofCub = layout.take<unsigned char>(static_cast<std::int64_t>(cubBytes));
        bytes = layout.bytes();
    }
};

}  // namespace

std::size_t histogramCubBytes(std::int64_t n, int bins) { return Parts({}, n, bins).bytes; }

void histogramCub(const float* in, std::int64_t n, int bins, Count* counts, HistogramState* state, const Workspace& further,
                  cudaStream_t stream) {
    Parts parts(further, n, bins);
    if (!narrow(n)) {
        histogramEven(parts.ofCub, parts.cubBytes, in, n, bins, counts, state, stream);
        return;
    }
    histogramEven(parts.ofCub, parts.cubBytes, in, n, bins, parts.counts, state, stream);
    constexpr int threads = 256;
    const int slots = slotsOf(bins);
    widen<<<static_cast<unsigned>((slots + threads - 1) / threads), threads, 0, stream>>>(parts.counts, counts, slots);
}

}  // namespace parallax::gpu
