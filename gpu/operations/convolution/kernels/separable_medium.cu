// SPDX-License-Identifier: GPL-3.0-or-later
// Register-blocked separable kernels of 9 and 11 taps.
#include "gpu/operations/convolution/kernels/register_blocked.cuh"

namespace parallax::gpu {

template struct SeparableBlocked<9, Fit::small>;
template struct SeparableBlocked<9, Fit::large>;
template struct SeparableBlocked<11, Fit::small>;
template struct SeparableBlocked<11, Fit::large>;

}  // namespace parallax::gpu
