// SPDX-License-Identifier: GPL-3.0-or-later
// Register-blocked kernels for windows of 3, 5 and 7.
#include "gpu/operations/convolution/kernels/register_blocked.cuh"

namespace parallax::gpu {

template void launchRegisterBlocked<3, Fit::tiny>(const ConvolutionLaunch&, cudaStream_t);
template void preloadRegisterBlocked<3, Fit::tiny>();
template void launchRegisterBlocked<3, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadRegisterBlocked<3, Fit::small>();
template void launchRegisterBlocked<3, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadRegisterBlocked<3, Fit::large>();
template void launchRegisterBlocked<5, Fit::tiny>(const ConvolutionLaunch&, cudaStream_t);
template void preloadRegisterBlocked<5, Fit::tiny>();
template void launchRegisterBlocked<5, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadRegisterBlocked<5, Fit::small>();
template void launchRegisterBlocked<5, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadRegisterBlocked<5, Fit::large>();
template void launchRegisterBlocked<7, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadRegisterBlocked<7, Fit::small>();
template void launchRegisterBlocked<7, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadRegisterBlocked<7, Fit::large>();

}  // namespace parallax::gpu
