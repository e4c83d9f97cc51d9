// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/primitives/histogram.cuh"

namespace parallax::gpu {

const VariantInfo& info(HistogramVariant variant) {
    static constexpr VariantInfo global{"global-atomics", "Textbook: one thread and one atomic addition in global memory per element"};
    static constexpr VariantInfo privatised{"privatised",
                                            "Each block counts in shared memory, in up to 32 copies of the histogram, so that the lanes "
                                            "of a warp do not conflict; parts "
                                            "of the array are assigned to blocks dynamically"};
    static constexpr VariantInfo cub{"cub", "cub::DeviceHistogram::HistogramEven of the bin indices"};
    switch (variant) {
        case HistogramVariant::globalAtomics: return global;
        case HistogramVariant::privatised: return privatised;
        case HistogramVariant::cub: break;
    }
    return cub;
}

namespace {

__global__ void begin(const __grid_constant__ HistogramRequest request, Count* counts, HistogramState* state) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < slotsOf(request.bins)) counts[i] = 0;
    if (i > 0) return;
    state->binning = Binning::of(request.deviceLimits ? *request.deviceLimits : request.limits, request.bins);
    state->nextChunk = 0;
}

struct Parts {
    HistogramState* state;
    Workspace ofCub;
    std::size_t bytes;
    Parts(const Workspace& workspace, HistogramVariant variant, std::int64_t n, int bins) {
        WorkspaceLayout layout(workspace);
        state = layout.take<HistogramState>(1);
        ofCub.bytes = variant == HistogramVariant::cub ? histogramCubBytes(n, bins) : 0;
        ofCub.data = layout.take<unsigned char>(static_cast<std::int64_t>(ofCub.bytes));
        bytes = layout.bytes();
    }
};

void requireBins(int bins) {
    if (bins < 1 || bins > kMaxHistogramBins)
        throw Error(ErrorCode::usage, "A histogram has 1 to 2^24 bins", std::to_string(bins) + " were asked for");
}

}  // namespace

void beginHistogram(const HistogramRequest& request, Count* counts, HistogramState* state, cudaStream_t stream) {
    constexpr int threads = 256;
    const int slots = slotsOf(request.bins);
    begin<<<static_cast<unsigned>((slots + threads - 1) / threads), threads, 0, stream>>>(request, counts, state);
}

void preloadBeginHistogram() { preload(reinterpret_cast<const void*>(&begin)); }

std::size_t histogramWorkspaceBytes(HistogramVariant variant, std::int64_t n, int bins) {
    requireLength(n, "histogram");
    requireBins(bins);
    return Parts({}, variant, n, bins).bytes;
}

void preloadHistogram(HistogramVariant variant) {
    preloadBeginHistogram();
    if (variant == HistogramVariant::globalAtomics) preloadHistogramAtomics();
    if (variant == HistogramVariant::privatised) preloadHistogramPrivatised();
}

void launchHistogram(HistogramVariant variant, const float* in, std::int64_t n, const HistogramRequest& request, std::uint64_t* counts,
                     const Workspace& workspace, cudaStream_t stream) {
    requireWorkspace(workspace, histogramWorkspaceBytes(variant, n, request.bins), "histogram");
    const Parts parts(workspace, variant, n, request.bins);
    auto* const to = reinterpret_cast<Count*>(counts);
    beginHistogram(request, to, parts.state, stream);
    if (n > 0) switch (variant) {
            case HistogramVariant::globalAtomics: histogramAtomics(in, n, request.bins, to, parts.state, stream); break;
            case HistogramVariant::privatised: histogramPrivatised(in, n, request.bins, to, parts.state, stream); break;
            case HistogramVariant::cub: histogramCub(in, n, request.bins, to, parts.state, parts.ofCub, stream); break;
        }
    checkLaunch("A histogram could not be started");
}

}  // namespace parallax::gpu
