// SPDX-License-Identifier: GPL-3.0-or-later
// Staged kernels for windows of 13 and 15.
#include "gpu/operations/convolution/kernels/staged.cuh"

namespace parallax::gpu {

template void launchStaged<13, Fit::tiny>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<13, Fit::tiny>();
template void launchStaged<13, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<13, Fit::small>();
template void launchStaged<13, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<13, Fit::large>();
template void launchStaged<15, Fit::tiny>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<15, Fit::tiny>();
template void launchStaged<15, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<15, Fit::small>();
template void launchStaged<15, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<15, Fit::large>();

}  // namespace parallax::gpu
