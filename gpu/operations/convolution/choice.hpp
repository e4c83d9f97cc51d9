// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of the convolution's default variant: a rule without a device, so that it can be tested anywhere.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/engine/backend/implementation.hpp"
#include "gpu/operations/convolution/convolution.hpp"

namespace parallax::gpu {

struct ConvolutionFacts {
    std::int64_t width = 1, height = 1;
    std::int64_t planes = 1;  ///< filtered slices and channels
    int kernelWidth = 1, kernelHeight = 1;
    int multiprocessors = 1;
    Support separable;             ///< of this variant
    std::function<Support()> fft;  ///< called only if fft would be chosen, since it loads a large library
};
struct ConvolutionChoice {
    ConvolutionVariant variant = ConvolutionVariant::direct;
    std::string reason;
};

/// Returns, in this order:
///   separable, if the kernel has rank 1 and that divides the multiply-adds by at least kSeparableGain; for windows that `direct` unrolls
///   it must also save kSeparableLeastSaving multiply-adds per multiprocessor;
///   fft, if the window has at least kFftTaps taps per sample of the image without padding, and there are kFftLeastWork multiply-adds per
///   multiprocessor, which outweigh its many launches;
///   direct otherwise. tuning.hpp has the constants with their measurements.
ConvolutionChoice chooseConvolution(const ConvolutionFacts& facts);

/// Returns the smallest extent >= n with only the factors 2, 3, 5 and 7, for a fast transform, that is a multiple of 32 (of 8 up to 256),
/// for aligned rows.
std::int64_t fastTransformSize(std::int64_t n);

}  // namespace parallax::gpu
