// SPDX-License-Identifier: GPL-3.0-or-later
// Staged kernels for windows of 13 and 15.
#include "gpu/operations/convolution/kernels/staged.cuh"

namespace parallax::gpu {

template struct Staged<13, Fit::tiny>;
template struct Staged<13, Fit::small>;
template struct Staged<13, Fit::large>;
template struct Staged<15, Fit::tiny>;
template struct Staged<15, Fit::small>;
template struct Staged<15, Fit::large>;

}  // namespace parallax::gpu
