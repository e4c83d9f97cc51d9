// SPDX-License-Identifier: GPL-3.0-or-later
// Staged kernels for windows of 9 and 11.
#include "parallax/gpu/operations/convolution/staged.cuh"

namespace parallax::gpu {

template void launchStaged<9>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<9>();
template void launchFineStaged<9>(const ConvolutionLaunch&, cudaStream_t);
template void preloadFineStaged<9>();
template void launchStaged<11>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<11>();
template void launchFineStaged<11>(const ConvolutionLaunch&, cudaStream_t);
template void preloadFineStaged<11>();

}  // namespace parallax::gpu
