// SPDX-License-Identifier: GPL-3.0-or-later
// Staged kernels for windows of 3, 5 and 7.
#include "gpu/operations/convolution/kernels/staged.cuh"

namespace parallax::gpu {

template void launchStaged<3, Fit::tiny>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<3, Fit::tiny>();
template void launchStaged<3, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<3, Fit::small>();
template void launchStaged<3, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<3, Fit::large>();
template void launchStaged<5, Fit::tiny>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<5, Fit::tiny>();
template void launchStaged<5, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<5, Fit::small>();
template void launchStaged<5, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<5, Fit::large>();
template void launchStaged<7, Fit::tiny>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<7, Fit::tiny>();
template void launchStaged<7, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<7, Fit::small>();
template void launchStaged<7, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<7, Fit::large>();

}  // namespace parallax::gpu
