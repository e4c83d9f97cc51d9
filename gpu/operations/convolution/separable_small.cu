// SPDX-License-Identifier: GPL-3.0-or-later
// Separable kernels for windows of 1, 3, 5 and 7.
#include "parallax/gpu/operations/convolution/separable.cuh"

namespace parallax::gpu {

template void launchSeparableSize<1>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableSize<1>();
template void launchSeparableSize<3>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableSize<3>();
template void launchSeparableSize<5>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableSize<5>();
template void launchSeparableSize<7>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableSize<7>();

}  // namespace parallax::gpu
