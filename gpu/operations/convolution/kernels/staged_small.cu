// SPDX-License-Identifier: GPL-3.0-or-later
// Staged kernels for windows of 3, 5 and 7.
#include "gpu/operations/convolution/kernels/staged.cuh"

namespace parallax::gpu {

template struct Staged<3, Fit::tiny>;
template struct Staged<3, Fit::small>;
template struct Staged<3, Fit::large>;
template struct Staged<5, Fit::tiny>;
template struct Staged<5, Fit::small>;
template struct Staged<5, Fit::large>;
template struct Staged<7, Fit::tiny>;
template struct Staged<7, Fit::small>;
template struct Staged<7, Fit::large>;

}  // namespace parallax::gpu
