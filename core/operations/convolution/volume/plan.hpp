// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of a problem with axes=xyz.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "core/operations/convolution/volume/kernel_3d.hpp"

namespace parallax {

/// Everything that an implementation needs to know of a problem in three dimensions. Copies share the kernel, which can have 127^3 weights.
struct VolumePlan : ConvolutionSettings {
    std::shared_ptr<const Kernel3d> kernel;
    std::shared_ptr<const std::optional<Factors3d>> factors;
    double absoluteSum = 0;  ///< of the kernel
};
/// For axes=xyz. Throws Error(usage) as makeKernel3d() does, and for a channel that does not exist.
VolumePlan planVolumeConvolution(const Problem& problem);

/// Whether windows extend across slices.
bool filtersAcrossSlices(const Problem& problem);

/// Whether the weights can be 32-bit floats.
Support weightsFitFloat(const VolumePlan& plan);
/// Whether three passes along the axes give the result in float32: the kernel is separable, and zeros of factors that are none of the
/// kernel meet no infinity. A NaN reaches the same results through factors.
Support separableInVolume(const Problem& problem, const VolumePlan& plan);

/// Reads one line of a filtered channel and replaces what lies outside: `count` samples from column `first` on of the row (y, z).
void copyBorderedRow(const View<const float>& channel, const VolumePlan& plan, std::int64_t first, std::int64_t count, std::int64_t y,
                     std::int64_t z, float* to);

}  // namespace parallax
