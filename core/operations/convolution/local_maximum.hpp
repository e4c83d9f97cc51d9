// SPDX-License-Identifier: GPL-3.0-or-later
// The largest magnitude under the kernel, to which the rounding error of a sample is proportional.
#pragma once

#include <vector>

#include "core/image/view.hpp"
#include "core/operations/convolution/kernel.hpp"

namespace parallax {

/// Returns for each sample of one plane, row by row, the largest magnitude of the finite samples under the kernel, those that replace
/// samples outside of the image included.
std::vector<float> largestUnderKernel(const ConvolutionPlan& plan, const View<const float>& plane);

}  // namespace parallax
