// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram of an array of floats with bins of equal width. Values outside of the limits, infinities among them, are counted apart;
// NaN is never counted. Counts are integers, so every variant gives the same ones, run after run. Compiles without nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "core/image/host_device.hpp"
#include "gpu/primitives/variant.hpp"
#include "gpu/primitives/workspace.hpp"

namespace parallax::gpu {

enum class HistogramVariant {
    globalAtomics,  ///< as a textbook has it: a thread an element, one atomic addition in global memory
    privatised,     ///< histograms in shared memory, several copies a block
    cub             ///< cub::DeviceHistogram
};
inline constexpr std::array kHistogramVariants{HistogramVariant::globalAtomics, HistogramVariant::privatised, HistogramVariant::cub};
const VariantInfo& info(HistogramVariant variant);

/// The first bin begins at `low`, the last one ends at `high` and includes it, as in NumPy. high - low must not overflow.
struct HistogramLimits {
    float low = 0;
    float high = 1;
};

/// What a histogram is asked for.
struct HistogramRequest {
    int bins = 256;                                 ///< 1 .. kMostHistogramBins
    HistogramLimits limits;                         ///< used unless deviceLimits is there
    const HistogramLimits* deviceLimits = nullptr;  ///< device memory, read when the kernels run: limits that were computed there
};
inline constexpr int kMostHistogramBins = 1 << 24;
/// Behind the bins: how many elements are below `low`, and how many above `high`.
inline constexpr int kHistogramExtraCounts = 2;

/// Which count an element belongs to. The same arithmetic on host and device.
struct Binning {
    float low, high, scale, lastBin;
    int bins;
    PARALLAX_HOST_DEVICE static Binning of(const HistogramLimits& limits, int bins) {
        // In double: neither a narrow nor a wide range may over- or underflow before it is divided by. Where all limits are the same
        // value, that value goes to the first bin.
        const double width = static_cast<double>(limits.high) - static_cast<double>(limits.low);
        const float scale = width > 0 ? static_cast<float>(static_cast<double>(bins) / width) : 0.0F;
        return {limits.low, limits.high, scale, static_cast<float>(bins - 1), bins};
    }
    /// 0 .. bins - 1; bins: below; bins + 1: above; bins + 2: NaN, which is not counted. Without branches.
    PARALLAX_HOST_DEVICE int slot(float x) const {
        // fmax gives 0 for NaN; the order of x - low and x is kept by rounding, so that only the ends need care.
        const int inside = static_cast<int>(std::fmin(std::fmax((x - low) * scale, 0.0F), lastBin));
        const int notBelow = x < low ? bins : inside;
        const int notAbove = x > high ? bins + 1 : notBelow;
        return std::isnan(x) ? bins + 2 : notAbove;
    }
};

/// `cub` asks the current device.
std::size_t histogramWorkspaceBytes(HistogramVariant variant, std::int64_t n, int bins);
/// Loads the kernels, so that the first launch does not have to (`cub` loads its own at the first launch).
void preloadHistogram(HistogramVariant variant);

/// Enqueues the histogram of n elements at `in`, which need not be aligned; n may be 0. `counts` is device memory for
/// bins + kHistogramExtraCounts numbers, which are all written. Throws Error(usage) for a number of bins that is out of range,
/// Error(failed) for a workspace that is too small or a launch that fails.
void launchHistogram(HistogramVariant variant, const float* in, std::int64_t n, const HistogramRequest& request, std::uint64_t* counts,
                     const Workspace& workspace, cudaStream_t stream);

}  // namespace parallax::gpu
