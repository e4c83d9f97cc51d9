// SPDX-License-Identifier: GPL-3.0-or-later
// Register-blocked kernels for windows of 9; larger ones are staged.
#include "gpu/operations/convolution/kernels/register_blocked.cuh"

namespace parallax::gpu {

template struct RegisterBlocked<9, Fit::large>;

}  // namespace parallax::gpu
