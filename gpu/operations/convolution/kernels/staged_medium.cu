// SPDX-License-Identifier: GPL-3.0-or-later
// Staged kernels for windows of 9 and 11.
#include "gpu/operations/convolution/kernels/staged.cuh"

namespace parallax::gpu {

template void launchStaged<9, Fit::tiny>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<9, Fit::tiny>();
template void launchStaged<9, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<9, Fit::small>();
template void launchStaged<9, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<9, Fit::large>();
template void launchStaged<11, Fit::tiny>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<11, Fit::tiny>();
template void launchStaged<11, Fit::small>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<11, Fit::small>();
template void launchStaged<11, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<11, Fit::large>();

}  // namespace parallax::gpu
