// SPDX-License-Identifier: GPL-3.0-or-later
// Register-blocked separable kernels of 13 and 15 taps.
#include "gpu/operations/convolution/kernels/register_blocked.cuh"

namespace parallax::gpu {

template void launchSeparableBlocked<13, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<13, Fit::small>();
template void launchSeparableBlocked<13, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<13, Fit::large>();
template void launchSeparableBlocked<15, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<15, Fit::small>();
template void launchSeparableBlocked<15, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<15, Fit::large>();

}  // namespace parallax::gpu
