// SPDX-License-Identifier: GPL-3.0-or-later
// Staged kernels for windows of 9 and 11.
#include "gpu/operations/convolution/kernels/staged.cuh"

namespace parallax::gpu {

template struct Staged<9, Fit::tiny>;
template struct Staged<9, Fit::small>;
template struct Staged<9, Fit::large>;
template struct Staged<11, Fit::tiny>;
template struct Staged<11, Fit::small>;
template struct Staged<11, Fit::large>;

}  // namespace parallax::gpu
