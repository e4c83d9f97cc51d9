// SPDX-License-Identifier: GPL-3.0-or-later
// Picks the kernel of the variant `separable`: register-blocked for square odd centred windows up to 15 on images whose rows are
// aligned and that fill the device well, else any size.
#include "parallax/gpu/operations/convolution/launchers.hpp"
#include "parallax/gpu/operations/convolution/tuning.hpp"

namespace parallax::gpu {
namespace {

bool blockedPays(const ConvolutionLaunch& l, bool aligned) {
    if (!aligned || !l.columns.line.covers || !l.rows.line.covers) return false;  // the blocked kernels ask no table
    const DirectTuning tuning = separableTuning(l.kernelWidth);
    return fillsDevice(l, kBlockedColumns, tuning.rows * tuning.warps, kSeparableWaves * tuning.blocks);
}

}  // namespace

void launchSeparable(const ConvolutionLaunch& launch, cudaStream_t stream) {
    if (blockedPays(launch, rowsAreAligned(launch.planes)) &&
        withUnrolledSize(launch, [&]<int K>() { launchSeparableBlocked<K>(launch, stream); }))
        return;
    launchSeparableAnySize(launch, stream);
}

void preloadSeparable(const ConvolutionLaunch& launch) {
    // Alignment is known only with the buffers; dense ones are aligned exactly when the width is.
    if (blockedPays(launch, launch.planes.width % 4 == 0) && withUnrolledSize(launch, []<int K>() { preloadSeparableBlocked<K>(); }))
        return;
    preloadSeparableAnySize(launch);
}

}  // namespace parallax::gpu
