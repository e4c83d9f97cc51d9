// SPDX-License-Identifier: GPL-3.0-or-later
// Separable kernels for windows of 9 and 11.
#include "parallax/gpu/operations/convolution/separable.cuh"

namespace parallax::gpu {

template void launchSeparableSize<9>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableSize<9>();
template void launchSeparableSize<11>(const ConvolutionLaunch&, cudaStream_t);
template void preloadSeparableSize<11>();

}  // namespace parallax::gpu
