// SPDX-License-Identifier: GPL-3.0-or-later
// Register-blocked kernels for a column times a row of 9 and 11.
#include "parallax/gpu/operations/convolution/register_blocked.cuh"

namespace parallax::gpu {

template void launchSeparableBlocked<9>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<9>();
template void launchSeparableBlocked<11>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableBlocked<11>();

}  // namespace parallax::gpu
