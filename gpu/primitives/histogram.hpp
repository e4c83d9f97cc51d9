// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram of an array of floats with bins of equal width. Values outside the limits, including infinities, are counted separately;
// NaN is not counted. Counts are integers, so all variants agree exactly. Compiles without nvcc.
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
    globalAtomics,  ///< textbook: one thread and one atomic addition in global memory per element
    privatised,     ///< histograms in shared memory, several copies per block
    cub             ///< cub::DeviceHistogram
};
inline constexpr std::array kHistogramVariants{HistogramVariant::globalAtomics, HistogramVariant::privatised, HistogramVariant::cub};
const VariantInfo& info(HistogramVariant variant);

/// The first bin begins at `low`; the last one ends at `high` and includes it, as in NumPy. high - low must not overflow.
struct HistogramLimits {
    float low = 0;
    float high = 1;
};

/// Parameters of a histogram.
struct HistogramRequest {
    int bins = 256;                                 ///< 1 .. kMaxHistogramBins
    HistogramLimits limits;                         ///< used unless deviceLimits is set
    const HistogramLimits* deviceLimits = nullptr;  ///< device memory, read when the kernels run
};
inline constexpr int kMaxHistogramBins = 1 << 24;
/// Counts after those of the bins: elements below `low`, and above `high`.
inline constexpr int kHistogramExtraCounts = 2;

/// Maps an element to its count, by the same arithmetic on host and device.
struct Binning {
    float low, high, scale, lastBin;
    int bins;
    PARALLAX_HOST_DEVICE static Binning of(const HistogramLimits& limits, int bins) {
        // In double, so that neither narrow nor wide ranges over- or underflow. If low == high, that value goes to the first bin.
        const double width = static_cast<double>(limits.high) - static_cast<double>(limits.low);
        const float scale = width > 0 ? static_cast<float>(static_cast<double>(bins) / width) : 0.0F;
        return {limits.low, limits.high, scale, static_cast<float>(bins - 1), bins};
    }
    /// Returns 0 .. bins - 1; bins: below; bins + 1: above; bins + 2: NaN, which is not counted. Without branches.
    PARALLAX_HOST_DEVICE int slot(float x) const {
        // fmax returns 0 for NaN. Rounding of x - low is monotonic, so only the ends need care.
        const int inside = static_cast<int>(std::fmin(std::fmax((x - low) * scale, 0.0F), lastBin));
        const int notBelow = x < low ? bins : inside;
        const int notAbove = x > high ? bins + 1 : notBelow;
        return std::isnan(x) ? bins + 2 : notAbove;
    }
};

/// Returns the bytes of workspace; `cub` queries the current device.
std::size_t histogramWorkspaceBytes(HistogramVariant variant, std::int64_t n, int bins);
/// Loads the kernels before the first launch (`cub` loads its own at the first launch).
void preloadHistogram(HistogramVariant variant);

/// Enqueues the histogram of n >= 0 elements at `in`, which need not be aligned. `counts` is device memory for
/// bins + kHistogramExtraCounts numbers, all of which are written. Throws Error(usage) if the number of bins is out of range,
/// Error(failed) if the workspace is too small or the launch fails.
void launchHistogram(HistogramVariant variant, const float* in, std::int64_t n, const HistogramRequest& request, std::uint64_t* counts,
                     const Workspace& workspace, cudaStream_t stream);

}  // namespace parallax::gpu
