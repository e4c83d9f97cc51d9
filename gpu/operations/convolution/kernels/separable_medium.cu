// SPDX-License-Identifier: GPL-3.0-or-later
// Register-blocked separable kernels of 9 and 11 taps.
#include "gpu/operations/convolution/kernels/register_blocked.cuh"

namespace parallax::gpu {

template void launchSeparableBlocked<9, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<9, Fit::small>();
template void launchSeparableBlocked<9, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<9, Fit::large>();
template void launchSeparableBlocked<11, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<11, Fit::small>();
template void launchSeparableBlocked<11, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<11, Fit::large>();

}  // namespace parallax::gpu
