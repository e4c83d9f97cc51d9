// SPDX-License-Identifier: GPL-3.0-or-later
// Register-blocked separable kernels of 13 and 15 taps.
#include "gpu/operations/convolution/kernels/register_blocked.cuh"

namespace parallax::gpu {

template struct SeparableBlocked<13, Fit::small>;
template struct SeparableBlocked<13, Fit::large>;
template struct SeparableBlocked<15, Fit::small>;
template struct SeparableBlocked<15, Fit::large>;

}  // namespace parallax::gpu
