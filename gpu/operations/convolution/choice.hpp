// SPDX-License-Identifier: GPL-3.0-or-later
// Which variant `cuda` takes when none is asked for: one rule, without a device, so that it can be tested anywhere.
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
    Support separable;             ///< can this variant do it?
    std::function<Support()> fft;  ///< asked only where it would pay, since the answer loads a large library
};
struct ConvolutionChoice {
    ConvolutionVariant variant = ConvolutionVariant::direct;
    std::string reason;
};

/// In this order:
///   separable, if the kernel is a column times a row and that leaves at most 1 / kSeparableGain of the multiply-adds and, of windows
///   that `direct` unrolls, saves each multiprocessor kSeparableLeastSaving of them;
///   fft, if the window has kFftTaps taps or more for each sample of the image, padding included, and there are
///   kFftLeastWork multiply-adds a multiprocessor, so that its many launches do not count;
///   direct otherwise. The constants and what they were measured on: tuning.hpp.
ConvolutionChoice chooseConvolution(const ConvolutionFacts& facts);

/// Smallest extent that transforms fast, >= n: only the factors 2, 3, 5 and 7, and a multiple of 32 (of 8 up to 256), which keeps
/// rows aligned.
std::int64_t fastTransformSize(std::int64_t n);

}  // namespace parallax::gpu
