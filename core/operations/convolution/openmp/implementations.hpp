// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/operations/convolution/strips.hpp"

namespace parallax {

std::unique_ptr<Implementation> makeOpenmpDirectConvolution();     ///< convolve / openmp / direct
std::unique_ptr<Implementation> makeOpenmpSeparableConvolution();  ///< convolve / openmp / separable
std::unique_ptr<Implementation> makeOpenmpFftConvolution();        ///< convolve / openmp / fft
std::unique_ptr<Implementation> makeOpenmpScalarConvolution();     ///< convolve / openmp / scalar

/// Returns whether `openmp.fft` supports a problem.
Support fftSupports(const Problem& problem);

struct SeparableTerms {
    int terms = 0;    ///< columns times rows whose sum the kernel is: 1 or 2; 0 if `openmp.separable` does not support it
    Support support;  ///< with the reason if not
};
SeparableTerms separableTerms(const Problem& problem);

}  // namespace parallax
