// SPDX-License-Identifier: GPL-3.0-or-later
// Staged kernels for windows of 3, 5 and 7.
#include "parallax/gpu/operations/convolution/staged.cuh"

namespace parallax::gpu {

template void launchStaged<3>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<3>();
template void launchFineStaged<3>(const ConvolutionLaunch&, cudaStream_t);
template void preloadFineStaged<3>();
template void launchStaged<5>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<5>();
template void launchFineStaged<5>(const ConvolutionLaunch&, cudaStream_t);
template void preloadFineStaged<5>();
template void launchStaged<7>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<7>();
template void launchFineStaged<7>(const ConvolutionLaunch&, cudaStream_t);
template void preloadFineStaged<7>();

}  // namespace parallax::gpu
