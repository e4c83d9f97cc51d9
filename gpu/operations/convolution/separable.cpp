// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the kernel of the variant `separable`: for square, odd, centred windows up to 15, aligned rows and large images (tuning.hpp) a
// register-blocked one; otherwise the one for any size.
#include "gpu/operations/convolution/kernels/launchers.hpp"
#include "gpu/operations/convolution/kernels/tuning.hpp"

namespace parallax::gpu {
namespace {

/// Calls f.operator()<K, fit>() for a register-blocked kernel, or returns false.
template <class F>
bool withBlocked(const ConvolutionLaunch& l, bool aligned, F&& f) {
    if (!aligned || !l.columns.line.covers || !l.rows.line.covers) return false;  // the blocked kernels read no table
    const double fill = blocksForEach(l, kBlockedColumns, kFitRows);
    const SeparableBounds bounds = separableBounds(l.kernelWidth);
    if (fill < bounds.anySize) return false;
    return withUnrolledSize(l, [&]<int K>() {
        if (fill < bounds.small) f.template operator()<K, Fit::small>();
        else f.template operator()<K, Fit::large>();
    });
}

}  // namespace

void launchSeparable(const ConvolutionLaunch& launch, cudaStream_t stream) {
    if (!withBlocked(launch, rowsAreAligned(launch.planes), [&]<int K, Fit F>() { launchSeparableBlocked<K, F>(launch, stream); }))
        launchSeparableAnySize(launch, stream);
}

void preloadSeparable(const ConvolutionLaunch& launch) {
    // Alignment is known only with the buffers; dense buffers are aligned if and only if the width is.
    if (!withBlocked(launch, launch.planes.width % 4 == 0, []<int K, Fit F>() { preloadSeparableBlocked<K, F>(); }))
        preloadSeparableAnySize(launch);
}

}  // namespace parallax::gpu
