// SPDX-License-Identifier: GPL-3.0-or-later
// Register-blocked kernels for windows of 3, 5 and 7.
#include "gpu/operations/convolution/kernels/register_blocked.cuh"

namespace parallax::gpu {

template struct RegisterBlocked<3, Fit::tiny>;
template struct RegisterBlocked<3, Fit::small>;
template struct RegisterBlocked<3, Fit::large>;
template struct RegisterBlocked<5, Fit::tiny>;
template struct RegisterBlocked<5, Fit::small>;
template struct RegisterBlocked<5, Fit::large>;
template struct RegisterBlocked<7, Fit::small>;
template struct RegisterBlocked<7, Fit::large>;

}  // namespace parallax::gpu
