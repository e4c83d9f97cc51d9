// SPDX-License-Identifier: GPL-3.0-or-later
// Register-blocked kernels for windows of 13 and and 15.
#include "parallax/gpu/operations/convolution/register_blocked.cuh"

namespace parallax::gpu {

template void launchRegisterBlocked<13>(const ConvolutionLaunch&, cudaStream_t);
template void preloadRegisterBlocked<13>();
template void launchRegisterBlocked<15>(const ConvolutionLaunch&, cudaStream_t);
template void preloadRegisterBlocked<15>();

}  // namespace parallax::gpu
