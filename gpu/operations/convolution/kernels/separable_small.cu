// SPDX-License-Identifier: GPL-3.0-or-later
// Register-blocked separable kernels of 3, 5 and 7 taps.
#include "gpu/operations/convolution/kernels/register_blocked.cuh"

namespace parallax::gpu {

template void launchSeparableBlocked<3, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<3, Fit::small>();
template void launchSeparableBlocked<3, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<3, Fit::large>();
template void launchSeparableBlocked<5, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<5, Fit::small>();
template void launchSeparableBlocked<5, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<5, Fit::large>();
template void launchSeparableBlocked<7, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<7, Fit::small>();
template void launchSeparableBlocked<7, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<7, Fit::large>();

}  // namespace parallax::gpu
