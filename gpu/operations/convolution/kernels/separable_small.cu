// SPDX-License-Identifier: GPL-3.0-or-later
// Register-blocked separable kernels of 3, 5 and 7 taps.
#include "gpu/operations/convolution/kernels/register_blocked.cuh"

namespace parallax::gpu {

template struct SeparableBlocked<3, Fit::small>;
template struct SeparableBlocked<3, Fit::large>;
template struct SeparableBlocked<5, Fit::small>;
template struct SeparableBlocked<5, Fit::large>;
template struct SeparableBlocked<7, Fit::small>;
template struct SeparableBlocked<7, Fit::large>;

}  // namespace parallax::gpu
