// SPDX-License-Identifier: GPL-3.0-or-later
// Staged kernels for windows of 13 and 15.
#include "parallax/gpu/operations/convolution/staged.cuh"

namespace parallax::gpu {

template void launchStaged<13>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<13>();
template void launchFineStaged<13>(const ConvolutionLaunch&, cudaStream_t);
template void preloadFineStaged<13>();
template void launchStaged<15>(const ConvolutionLaunch&, cudaStream_t);
template void preloadStaged<15>();
template void launchFineStaged<15>(const ConvolutionLaunch&, cudaStream_t);
template void preloadFineStaged<15>();

}  // namespace parallax::gpu
