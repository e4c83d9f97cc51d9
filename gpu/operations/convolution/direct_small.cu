// SPDX-License-Identifier: GPL-3.0-or-later
// Register-blocked kernels for windows of 3, 5 and 7.
#include "parallax/gpu/operations/convolution/register_blocked.cuh"

namespace parallax::gpu {

template void launchRegisterBlocked<3>(const ConvolutionLaunch&, cudaStream_t);
template void preloadRegisterBlocked<3>();
template void launchRegisterBlocked<5>(const ConvolutionLaunch&, cudaStream_t);
template void preloadRegisterBlocked<5>();
template void launchRegisterBlocked<7>(const ConvolutionLaunch&, cudaStream_t);
template void preloadRegisterBlocked<7>();
template void launchFineBlocked<3>(const ConvolutionLaunch&, cudaStream_t);
template void preloadFineBlocked<3>();

}  // namespace parallax::gpu
