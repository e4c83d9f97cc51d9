// SPDX-License-Identifier: GPL-3.0-or-later
// Register-blocked kernels for a column times a row of 3, 5 and 7.
#include "parallax/gpu/operations/convolution/register_blocked.cuh"

namespace parallax::gpu {

template void launchSeparableBlocked<3>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<3>();
template void launchSeparableBlocked<5>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<5>();
template void launchSeparableBlocked<7>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<7>();

}  // namespace parallax::gpu
