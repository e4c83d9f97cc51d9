// SPDX-License-Identifier: GPL-3.0-or-later
// Register-blocked kernels for windows of 9; larger ones are staged.
#include "gpu/operations/convolution/kernels/register_blocked.cuh"

namespace parallax::gpu {

template void launchRegisterBlocked<9, Fit::large>(const ConvolutionLaunch&, cudaStream_t);
template void preloadRegisterBlocked<9, Fit::large>();

}  // namespace parallax::gpu
