// SPDX-License-Identifier: GPL-3.0-or-later
// Separable kernels for windows of 13 and 15.
#include "parallax/gpu/operations/convolution/separable.cuh"

namespace parallax::gpu {

template void launchSeparableSize<13>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableSize<13>();
template void launchSeparableSize<15>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableSize<15>();

}  // namespace parallax::gpu
