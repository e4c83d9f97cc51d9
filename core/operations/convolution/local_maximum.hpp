// SPDX-License-Identifier: GPL-3.0-or-later
// The largest magnitude under the kernel, to which the rounding error of a sample is proportional.
#pragma once

#include <cstdint>
#include <span>

#include "core/image/view.hpp"
#include "core/operations/convolution/kernel.hpp"

namespace parallax {

/// Writes for each sample of one plane, row by row, the largest magnitude of the finite samples under the kernel, those that replace
/// samples outside of the image included.
void largestUnderKernel(const ConvolutionPlan& plan, const View<const float>& input, std::int64_t z, std::int64_t channel,
                        std::span<float> plane);

}  // namespace parallax
